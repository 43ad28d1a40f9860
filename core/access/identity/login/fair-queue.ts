import { fail } from '../../../platform/errors/index.js'

/** Whose work it is: those of one address take turns among themselves by name. */
export type Lane = {
  address: string
  name: string
  /** It goes behind those that are none, though it is not forgotten. */
  isSuspect?: boolean
}

export type Turns = <Result>(lane: Lane, work: () => Promise<Result>) => Promise<Result>

type Waiting = { begin: () => void; refuse: (error: Error) => void }

/** Queues by key. The next one is that of the key whose turn is longest ago. */
const createRing = <Queue extends { size: number }>(makeQueue: () => Queue) => {
  const queues = new Map<string, Queue>()
  return {
    of: (key: string): Queue => {
      const known = queues.get(key)
      if (known) return known
      const made = makeQueue()
      queues.set(key, made)
      return made
    },
    /** Lets one queue go on; it is last afterwards. */
    next: <Result>(take: (queue: Queue) => Result): Result | undefined => {
      const [first] = queues
      if (!first) return undefined
      const [key, queue] = first
      const taken = take(queue)
      queues.delete(key)
      if (queue.size > 0) queues.set(key, queue)
      return taken
    },
    /** Lets the longest queue lose something. */
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

/** What waits from one address. */
const createPlace = () => {
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
  const places = createRing(createPlace)
  return {
    add: ({ address, name }: Lane, one: Waiting) => places.of(address).add(name, one),
    next: () => places.next((place) => place.next()),
    lose: () => places.shorten((place) => place.lose()),
  }
}

/** One turn of so many is for suspects while both wait. */
const SUSPECTS_SHARE = 4

/**
 * Lets so much work run at once, and so much wait for its turn. Whatever one address or one name asks for, others
 * wait for one turn of it at most, each time: addresses take turns, and the names of an address among themselves.
 *
 * @throws unavailable when as many are waiting as may: the last of the address, and there of the name, of which most are
 * waiting. Its work is then not begun.
 */
export const createTurns = ({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Turns => {
  const usual = createLine()
  const suspects = createLine()
  let running = 0
  let waiting = 0
  let turns = 0

  const enter = async (lane: Lane): Promise<void> => {
    if (running < atOnce) {
      running++
      return
    }
    await new Promise<void>((begin, refuse) => {
      waiting++
      const line = lane.isSuspect ? suspects : usual
      line.add(lane, { begin, refuse })
      if (waiting <= maxWaiting) return
      waiting--
      const lost = suspects.lose() ?? usual.lose()
      lost?.refuse(fail('unavailable', 'Too many passwords are being checked at this moment'))
    })
  }

  /** The turn goes to the next one, who counts as running from the same moment on. */
  const leave = (): void => {
    turns++
    const [first, second] = turns % SUSPECTS_SHARE === 0 ? [suspects, usual] : [usual, suspects]
    const next = first.next() ?? second.next()
    if (!next) {
      running--
      return
    }
    waiting--
    next.begin()
  }

  return async (lane, work) => {
    await enter(lane)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
