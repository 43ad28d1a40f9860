import { fail } from '../../../platform/errors/index.js'

/** The client that work belongs to: an address and, within it, a name. */
export type ClientKey = {
  address: string
  name: string
  /** Work of a throttled client waits for that of others, but not for ever. */
  isThrottled?: boolean
  /** Somebody has logged in from the address: what comes from addresses never seen waits for it, but not for ever. */
  isKnown?: boolean
}

export type FairQueue = <Result>(key: ClientKey, work: () => Promise<Result>) => Promise<Result>

type Waiting = { begin: () => void; refuse: (error: Error) => void }

/** Queues by key, served round-robin: the next key is the one served longest ago. */
const createRing = <Queue extends { size: number }>(createNew: () => Queue) => {
  const queues = new Map<string, Queue>()
  return {
    of: (key: string): Queue => {
      const known = queues.get(key)
      if (known) return known
      const created = createNew()
      queues.set(key, created)
      return created
    },
    /** Takes from the first queue, which is last afterwards. */
    next: <Result>(take: (queue: Queue) => Result): Result | undefined => {
      const [first] = queues
      if (!first) return undefined
      const [key, queue] = first
      const taken = take(queue)
      queues.delete(key)
      if (queue.size > 0) queues.set(key, queue)
      return taken
    },
    /** Removes from the longest queue. */
    shorten: <Result>(lose: (queue: Queue) => Result): Result | undefined => {
      let longest: [string, Queue] | undefined
      for (const entry of queues) if (!longest || entry[1].size > longest[1].size) longest = entry
      if (!longest) return undefined
      const [key, queue] = longest
      const lost = lose(queue)
      if (queue.size === 0) queues.delete(key)
      return lost
    },
  }
}

const createQueue = () => {
  const waiting: Waiting[] = []
  return {
    get size() {
      return waiting.length
    },
    add: (one: Waiting) => waiting.push(one),
    shift: () => waiting.shift(),
    pop: () => waiting.pop(),
  }
}

/** The waiting work of one address, by name. */
const createAddressQueue = () => {
  const names = createRing(createQueue)
  let size = 0
  const less = (one: Waiting | undefined): Waiting | undefined => {
    if (one) size--
    return one
  }
  return {
    get size() {
      return size
    },
    add: (name: string, one: Waiting) => {
      size++
      names.of(name).add(one)
    },
    next: () => less(names.next((queue) => queue.shift())),
    lose: () => less(names.shorten((queue) => queue.pop())),
  }
}

const createLine = () => {
  const addresses = createRing(createAddressQueue)
  return {
    add: ({ address, name }: ClientKey, one: Waiting) => addresses.of(address).add(name, one),
    next: () => addresses.next((queue) => queue.next()),
    lose: () => addresses.shorten((queue) => queue.lose()),
  }
}

/** Of so many starts one is a throttled client's while others wait too, and one that of an unknown address. */
const SHARES = 4

/**
 * Runs at most `atOnce` pieces of work at a time and lets `maxWaiting` wait, round-robin by address and, within an
 * address, by name: nobody waits longer than one start of each other client, or of the known ones.
 *
 * @throws unavailable when the queue is full, for the last work of the longest queue, which is then not started.
 */
export const createFairQueue = ({
  atOnce,
  maxWaiting,
}: {
  atOnce: number
  maxWaiting: number
}): FairQueue => {
  const known = createLine()
  const usual = createLine()
  const throttled = createLine()
  let running = 0
  let waiting = 0
  let starts = 0

  const enter = async (key: ClientKey): Promise<void> => {
    if (running < atOnce) {
      running++
      return
    }
    await new Promise<void>((begin, refuse) => {
      waiting++
      const line = key.isThrottled ? throttled : key.isKnown ? known : usual
      line.add(key, { begin, refuse })
      if (waiting <= maxWaiting) return
      waiting--
      const lost = throttled.lose() ?? usual.lose() ?? known.lose()
      lost?.refuse(fail('unavailable', 'Too many passwords are being checked; try again in a moment'))
    })
  }

  /** The next one counts as running from the same moment on. */
  const leave = (): void => {
    starts++
    const place = starts % SHARES
    const first = place === 0 ? throttled : place === 2 ? usual : known
    const next = first.next() ?? known.next() ?? usual.next() ?? throttled.next()
    if (!next) {
      running--
      return
    }
    waiting--
    next.begin()
  }

  return async (key, work) => {
    await enter(key)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
