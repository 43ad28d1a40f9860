import type { Pool } from '../pool/index.js'
import type { Sql } from './database.js'

/** First half of the keys of advisory locks that open transactions are known by. */
const OPEN = 1_096_174_659

/** Milliseconds that others may wait for a lock, and between two looks at who waits. */
const LONGEST_WAIT_MS = 300
const PAUSE = 100

/** Looks that may fail in a row. Afterwards others wait for as long as they would for any transaction. */
const MAX_FAILURES = 10

/**
 * From now until the end of a transaction, has whoever waits longer than 300 ms for its locks give up with the error
 * that `databaseFailure` knows as a `conflict`. So does whoever waits behind those. Programs of others may wait.
 */
export type RefuseWaiting = (tx: Sql) => {
  /** Lets others wait: what the transaction still does is short. */
  stop(): void
}

type Open = { pid: number; key: number }

/** Cancels the statements of those who wait. @returns whether the transaction is still open. */
const refuse = async (aside: Pool, { pid, key }: Open): Promise<boolean> => {
  const [found] = await aside<{ isOpen: boolean }[]>`
    WITH RECURSIVE waiting AS MATERIALIZED (
      SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE NOT l.granted AND l.waitstart < clock_timestamp() - make_interval(secs => ${LONGEST_WAIT_MS / 1000}::float8)
        AND a.usename = current_user AND a.application_name = current_setting('application_name')
    ), behind AS MATERIALIZED (
      SELECT pid, pg_blocking_pids(pid) AS blockers FROM waiting
    ), late AS (
      SELECT pid FROM behind WHERE ${pid}::int = ANY (blockers)
      UNION SELECT b.pid FROM behind b JOIN late ON late.pid = ANY (b.blockers)
    ), open AS MATERIALIZED (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${OPEN}::oid AND objid = ${key}::oid
    )
    SELECT EXISTS (SELECT FROM open) AS "isOpen",
           (SELECT count(pg_cancel_backend(pid)) FROM late WHERE EXISTS (SELECT FROM open)) AS refused`
  return found?.isOpen ?? false
}

/**
 * Those who wait cannot know for what, so whoever makes them wait looks after them. Where no large change is open that
 * costs nothing, and a `lock_timeout` would also end waits for short transactions.
 *
 * @param aside a connection beside the one that is waited for.
 */
export const createRefuseWaiting =
  (aside: Pool): RefuseWaiting =>
  (tx) => {
    const key = Math.floor(Math.random() * 2 ** 31)
    let timer: NodeJS.Timeout | undefined
    let isOver = false

    const lookIn = (milliseconds: number, pid: number, failures = 0): void => {
      if (isOver || failures === MAX_FAILURES) return
      timer = setTimeout(() => {
        refuse(aside, { pid, key }).then(
          (isOpen) => isOpen && lookIn(PAUSE, pid),
          () => lookIn(PAUSE, pid, failures + 1),
        )
      }, milliseconds)
      timer.unref()
    }

    // Sent ahead of what the transaction does next, which fails as well if this does.
    tx<{ pid: number }[]>`
      SELECT pg_backend_pid() AS pid, pg_advisory_xact_lock_shared(${OPEN}::int, ${key}::int)`.then(
      ([own]) => own && lookIn(LONGEST_WAIT_MS, own.pid),
      () => undefined,
    )
    return {
      stop: () => {
        isOver = true
        clearTimeout(timer)
      },
    }
  }
