import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type {
  Outbox,
  OutboxRelay,
  OutboxRelayOptions,
  RelayedEvent,
} from '../../core/content/stores/index.js'
import type { CoreEvent } from '../../core/platform/events/index.js'

/** An outbox as contract tests use it. */
export type OutboxBackend = {
  /** Writes events in one transaction: all of them are kept, or none when it throws. */
  transaction(work: (outbox: Outbox) => Promise<void>): Promise<void>
  /** Opens a reader as another process would; what it writes with a move of its cursor are events, too. */
  open(name: string, options?: OutboxRelayOptions): OutboxRelay<Outbox>
  /** Waits until whatever is committed can be read. */
  settled(): Promise<void>
  /** Who causes the events. */
  principal: string
}

/** Opens an outbox, empty. */
export type OpenOutbox = () => Promise<OutboxBackend>

const eventOf = (event: string, payload: CoreEvent['payload'] = {}): CoreEvent => ({
  event,
  documentId: null,
  payload,
})

const gate = (): { open(): void; isOpen: Promise<void> } => {
  let open = (): void => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), isOpen }
}

/** What every reader of an outbox must do. */
export const describeOutboxRelay = (
  name: string,
  { transaction, open, settled, principal }: OutboxBackend,
) => {
  const write = (...events: string[]) =>
    transaction((outbox) => outbox.emit(events.map((event) => eventOf(event))))

  /** A reader that notes what it is given, and begins with what happens from now on. */
  const reading = async (options?: OutboxRelayOptions, cursor = randomUUID()) => {
    const relay = open(cursor, options)
    const read: string[] = []
    await settled()
    await relay.skip(async () => true)
    const next = (limit = 10, done = Number.POSITIVE_INFINITY) =>
      relay.next(limit, async (events) => {
        const taken = events.slice(0, done).map(({ event }) => event)
        read.push(...taken)
        return taken.length
      })
    return { relay, read, next, cursor }
  }

  const pageOf = async (relay: OutboxRelay<Outbox>, limit: number): Promise<readonly RelayedEvent[]> => {
    let page: readonly RelayedEvent[] = []
    await relay.next(limit, async (events) => {
      page = events
      return events.length
    })
    return page
  }

  describe(`${name}: readers of the outbox`, () => {
    test('are given events as they were written, with who caused them and in which transaction', async () => {
      const { relay } = await reading()
      const documentId = randomUUID()
      const before = Date.now()
      await transaction((outbox) =>
        outbox.emit([
          { event: 'first', documentId, payload: { n: 1, list: ['É', null] } },
          eventOf('second'),
        ]),
      )
      await write('third')
      await settled()
      const page = await pageOf(relay, 10)
      const written = {
        id: expect.any(Number),
        mark: expect.any(String),
        createdAt: expect.any(Date),
        transaction: expect.any(Number),
        principal,
        depth: 0,
      }
      expect(page).toEqual([
        { ...written, event: 'first', documentId, payload: { n: 1, list: ['É', null] } },
        { ...written, event: 'second', documentId: null, payload: {} },
        { ...written, event: 'third', documentId: null, payload: {} },
      ])
      const [first, second, third] = page as [RelayedEvent, RelayedEvent, RelayedEvent]
      expect(new Set(page.map(({ id }) => id)).size).toBe(3)
      expect([second.transaction, second.mark]).toEqual([first.transaction, first.mark])
      expect(third.transaction).toBeGreaterThan(first.transaction)
      expect(third.mark > first.mark).toBe(true)
      // Clocks of processes and servers differ by little.
      expect(Math.abs(first.createdAt.getTime() - before)).toBeLessThan(60_000)
    })

    test('are given each event once for each name, page by page, in whichever process', async () => {
      const [one, other] = [await reading(), await reading()]
      await write('a', 'b', 'c')
      await settled()
      expect([await one.next(2), await one.next(2), await one.next(2)]).toEqual([2, 1, 0])
      const elsewhere = open(one.cursor)
      expect(await elsewhere.next(2, async (events) => events.length)).toBe(0)
      expect(one.read).toEqual(['a', 'b', 'c'])
      expect(await other.next()).toBe(3)
      expect(other.read).toEqual(['a', 'b', 'c'])
    })

    test('begin with the oldest event that is there, where they are to read all', async () => {
      await write('old')
      await settled()
      const [all, fromNow] = [open(randomUUID(), { isComplete: true }), open(randomUUID())]
      await fromNow.next(1, async (events) => events.length)
      await write('new')
      await settled()
      const read: string[] = []
      for (let page = await pageOf(all, 1_000); page.length > 0; page = await pageOf(all, 1_000))
        read.push(...page.map(({ event }) => event))
      expect(read.slice(-2)).toEqual(['old', 'new'])
      expect((await pageOf(fromNow, 1_000)).map(({ event }) => event)).toEqual(['new'])
    })

    test('are given nothing of a transaction that fails', async () => {
      const { next, read } = await reading()
      const failing = transaction(async (outbox) => {
        await outbox.emit([eventOf('undone')])
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      await write('kept')
      await settled()
      await next()
      expect(read).toEqual(['kept'])
    })

    test('are given events in the order of commits, and none is skipped that commits late', async () => {
      const { relay, read, next } = await reading()
      await transaction(async (outbox) => {
        await outbox.emit([eventOf('late')])
        await write('early')
        await next()
        expect(read).toEqual([])
      })
      await settled()
      await next()
      expect(read).toEqual(['late', 'early'])
      const failing = relay.next(10, async () => {
        throw new Error('lost')
      })
      await expect(failing).resolves.toBe(0)
      await write('again')
      await settled()
      await expect(
        relay.next(10, async () => {
          throw new Error('lost')
        }),
      ).rejects.toThrow('lost')
      await next()
      expect(read).toEqual(['late', 'early', 'again'])
    })

    test('are given large events a few at a time', async () => {
      const { relay } = await reading()
      const payload = { comment: 'x'.repeat(9 * 1024 * 1024) }
      for (const event of ['large1', 'large2', 'large3'])
        await transaction((outbox) => outbox.emit([eventOf(event, payload)]))
      await settled()
      const pages: string[][] = []
      const next = () =>
        relay.next(10, async (events) => {
          pages.push(events.map(({ event }) => event))
          return events.length
        })
      expect([await next(), await next(), await next()]).toEqual([2, 1, 0])
      expect(pages).toEqual([['large1', 'large2'], ['large3']])
    })

    test('skip what happens while nobody listens, but not what happens while that is asked', async () => {
      const { relay, read, next } = await reading()
      await write('skipped')
      await settled()
      await relay.skip(async () => {
        await write('meanwhile')
        return true
      })
      await write('wanted')
      await relay.skip(async () => false)
      await settled()
      await next()
      expect(read).toEqual(['meanwhile', 'wanted'])
    })

    test('are given again what was not done', async () => {
      const { read, next } = await reading()
      for (const event of ['first', 'second', 'third']) await write(event)
      await settled()
      expect(await next(10, 0)).toBe(3)
      expect([await next(10, 1), await next(10, 1), await next(10, 1), await next(10, 1)]).toEqual([
        3, 2, 1, 0,
      ])
      expect(read).toEqual(['first', 'second', 'third'])
    })

    test('write together with the move of their cursor, or not at all', async () => {
      const { relay, read, next } = await reading()
      await write('cause')
      await settled()
      const writing = (isLost: boolean) =>
        relay.next(10, async (events, outbox) => {
          await outbox.emit([eventOf(isLost ? 'lost' : 'effect')])
          if (isLost) throw new Error('lost')
          return events.length
        })
      await expect(writing(true)).rejects.toThrow('lost')
      expect(await writing(false)).toBe(1)
      await settled()
      await next()
      expect(read).toEqual(['effect'])
    })

    test('of one name read one at a time, and one that hangs keeps others from it for seconds alone', async () => {
      const { relay: hanging, cursor } = await reading({ idleSeconds: 1 })
      await write('held')
      await settled()
      const [held, asleep] = [gate(), gate()]
      const owner = hanging.next(10, async (events) => {
        held.open()
        await asleep.isOpen
        return events.length
      })
      const lost = expect(owner).rejects.toThrow()
      await held.isOpen
      const read: string[] = []
      const other = open(cursor)
      const next = () =>
        other.next(10, async (events) => {
          read.push(...events.map(({ event }) => event))
          return events.length
        })
      expect(await next()).toBe(0)
      await other.skip(async () => true)
      await expect.poll(next, { timeout: 60_000 }).toBe(1)
      asleep.open()
      await lost
      expect(read).toEqual(['held'])
    })
  })
}
