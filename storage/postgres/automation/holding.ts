import type { Principal } from '../../../core/access/security/index.js'
import { outsideSavepoints, type Sql } from '../connection/index.js'

/** What a transaction has changed, others wait for: those who change the same, and all who read events in order. */
export type Holding = {
  /** The signal of work in the transaction, which also ends when what it has changed was held for too long. */
  limited(signal: AbortSignal): AbortSignal
  /** Ends what is done in the transaction once what it has changed was held for too long; absent for what may last. */
  over?: AbortSignal
  /** Ends the watch, with the transaction. */
  end(): void
}

/** Watches a transaction in which a caller decides what is done. */
export type WatchHolding = (sql: Sql, principal: Pick<Principal, 'name' | 'isAdministrator'>) => Holding

/** Of what may last. */
export const UNLIMITED: Holding = { limited: (signal) => signal, end: () => undefined }

/** Between two looks at a transaction, which cost shorter ones nothing. */
const LOOK_MS = 1_000

/** Looks that find each transaction holding what nobody waits for, and count for nothing: a busy machine is slow, too. */
const FREE_LOOKS = 5

/** Part of a second that each second gives back to a user who holds nothing for long. */
const GIVEN_BACK = 1 / 2

/** What a look at a transaction finds. */
type Found = {
  /** It has changed or locked something. */
  hasWritten: boolean
  /** Another transaction waits for it at this moment. */
  isAwaited: boolean
}

const lookAt = async (sql: Sql): Promise<Found> => {
  const [row] = await sql<[Found]>`
    SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS "hasWritten",
           EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))
             AS "isAwaited"`
  return row
}

/**
 * The seconds that users' transactions have held something, less those that are given back. Who has used up the limit
 * waits until half of it is given back: others must come between one transaction and the next.
 */
const createTallies = (limit: number) => {
  type Tally = { seconds: number; at: number; isUsedUp: boolean }
  const tallies = new Map<string, Tally>()
  const now = ({ seconds, at, isUsedUp }: Tally): Tally => {
    const time = performance.now()
    const left = Math.max(0, seconds - ((time - at) / 1000) * GIVEN_BACK)
    return { seconds: left, at: time, isUsedUp: left >= limit || (isUsedUp && left > limit / 2) }
  }
  const of = (name: string): Tally => now(tallies.get(name) ?? { seconds: 0, at: 0, isUsedUp: false })
  return {
    isUsedUp: (name: string): boolean => of(name).isUsedUp,
    add: (name: string, added: number): void => {
      for (const [other, tally] of tallies) if (now(tally).seconds === 0) tallies.delete(other)
      const tally = of(name)
      tallies.set(name, now({ ...tally, seconds: tally.seconds + added }))
    },
  }
}

/** What is to be done in all watched transactions of a user at once. */
const createByUser = () => {
  const works = new Map<string, Set<() => void>>()
  return {
    /** @returns forgets it. */
    add: (name: string, work: () => void): (() => void) => {
      const of = works.get(name) ?? new Set()
      works.set(name, of.add(work))
      return () => {
        of.delete(work)
        if (of.size === 0 && works.get(name) === of) works.delete(name)
      }
    },
    run: (name: string): void => {
      for (const work of [...(works.get(name) ?? [])]) work()
    },
  }
}

/**
 * Limits how long users' transactions hold what they have changed. One that only reads may last: the time counts from its
 * first change or lock on. All of a user's transactions share the time, so that several do not hold the same row one
 * after the other: those that wait for it when the time is used up end as soon as they have it. Administrators, and the
 * product itself, hold what they change for as long as they need.
 *
 * @param seconds that somebody's transactions may hold what they have changed.
 */
export const createWatchHolding = (seconds: number): WatchHolding => {
  const free = Math.min(FREE_LOOKS, seconds - 1)
  const tallies = createTallies(seconds - free)
  const hurries = createByUser()
  return (sql, { name, isAdministrator }) => {
    if (isAdministrator) return UNLIMITED
    const limit = new AbortController()
    let looks = 0
    let isOver = false
    let isLooking = false
    let isHurried = false
    let timer: NodeJS.Timeout | undefined
    const lookLater = (): void => {
      if (isOver) return
      timer = setTimeout(look, LOOK_MS)
      timer.unref()
    }
    const judge = ({ hasWritten, isAwaited }: Found): void => {
      if (isOver) return
      const isCounted = hasWritten && (++looks > free || isAwaited)
      // Nothing is given back meanwhile.
      if (isCounted) tallies.add(name, (LOOK_MS / 1000) * (1 + GIVEN_BACK))
      const isUsedUp = tallies.isUsedUp(name)
      if (!hasWritten || !(isUsedUp || (isHurried && isAwaited))) {
        isHurried = false
        lookLater()
        return
      }
      if (isUsedUp) hurries.run(name)
      const message = `What the transactions of ${name} had changed was held for longer than ${seconds} s`
      limit.abort(new DOMException(message, 'TimeoutError'))
    }
    const lookOutside = async (): Promise<void> => {
      await outsideSavepoints(sql)
      if (!isOver) judge(await lookAt(sql))
    }
    const look = (): void => {
      isLooking = true
      lookOutside()
        .catch(lookLater)
        .finally(() => {
          isLooking = false
        })
    }
    const forget = hurries.add(name, () => {
      if (isHurried || isOver) return
      isHurried = true
      if (isLooking) return
      clearTimeout(timer)
      look()
    })
    lookLater()
    const { signal: over } = limit
    let known: { given: AbortSignal; limited: AbortSignal } | undefined
    return {
      over,
      limited: (given) => {
        if (known?.given !== given) known = { given, limited: AbortSignal.any([given, over]) }
        return known.limited
      },
      end: () => {
        isOver = true
        forget()
        clearTimeout(timer)
      },
    }
  }
}
