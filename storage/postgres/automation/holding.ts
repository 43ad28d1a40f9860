import type { Principal } from '../../../core/access/security/index.js'
import type { Sql } from '../connection/index.js'

/** What a transaction has changed, others wait for: those who change the same, and all who read events in order. */
export type Holding = {
  /** The signal of work in the transaction, which also ends when it has held for too long what it has changed. */
  limited(signal: AbortSignal): AbortSignal
  /** Ends the watch, with the transaction. */
  end(): void
}

/** Of what may last. */
export const UNLIMITED: Holding = { limited: (signal) => signal, end: () => undefined }

/** Looks until the limit is reached: a transaction is stopped at most a sixth of it too early or too late. */
const LOOKS = 6

const hasWritten = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ hasWritten: boolean }[]>`
    SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS "hasWritten"`
  return row?.hasWritten ?? false
}

/**
 * Watches a transaction in which a caller decides what is done. One that only reads may last; the time counts from its
 * first change or lock on. Looks cost what ends within a sixth of the limit nothing. Administrators, and the product
 * itself, hold what they change for as long as they need.
 *
 * @param seconds that somebody's transaction may hold what it has changed.
 */
export const watchHolding = (
  sql: Sql,
  { principal, seconds }: { principal: Pick<Principal, 'isAdministrator'>; seconds: number },
): Holding => {
  if (principal.isAdministrator) return UNLIMITED
  const limit = new AbortController()
  const pause = (seconds * 1000) / LOOKS
  let seen = 0
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const lookLater = (): void => {
    if (isOver) return
    timer = setTimeout(look, pause)
    timer.unref()
  }
  const look = (): void => {
    hasWritten(sql).then(
      (isHolding) => {
        if (isHolding) seen++
        if (seen < LOOKS) lookLater()
        else
          limit.abort(
            new DOMException(`What it had changed was held for longer than ${seconds} s`, 'TimeoutError'),
          )
      },
      // It has failed, and ends, or goes on from a savepoint.
      lookLater,
    )
  }
  lookLater()
  let known: { given: AbortSignal; limited: AbortSignal } | undefined
  return {
    limited: (given) => {
      if (known?.given !== given) known = { given, limited: AbortSignal.any([given, limit.signal]) }
      return known.limited
    },
    end: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
