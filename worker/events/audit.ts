import { SYSTEM } from '../../core/access/security/index.js'
import type { RelayedEvent } from '../../core/content/stores/index.js'
import { entriesOf } from '../../core/search/audit/index.js'
import type { Platform } from '../../runtime/index.js'
import {
  AUDIT_CURSOR,
  createAuditStore,
  createOutboxRelay,
  type Database,
  type Sql,
} from '../../storage/postgres/index.js'
import { followRepositories } from './follow-repositories.js'

/** Events of one transaction, and of one statement of it. */
const PAGE = 500
const SLICE = 100

/** Milliseconds after which a page ends early: far from the time after which its transaction counts as dead. */
const PAGE_MS = 3_000

/** Poll intervals in milliseconds: the usual one, and the one after a failure. */
const LOOK_MS = 1_000
const FAILED_MS = 5_000

/** @returns of how many events it has written the entries: as many as its time allows. */
const writePage = async (platform: Platform, events: readonly RelayedEvent[], sql: Sql): Promise<number> => {
  const endsAt = performance.now() + PAGE_MS
  const store = createAuditStore(sql)
  await platform.currency.current()
  const session = platform.readSession(SYSTEM)
  for (let done = 0; done < events.length; done += SLICE) {
    if (done > 0 && performance.now() > endsAt) return done
    const entries = await entriesOf(session, events.slice(done, done + SLICE), (error, { event }, key) =>
      platform.logger.error({ err: error, event, key }, 'an expression of the audit failed'),
    )
    await store.write(entries)
  }
  return events.length
}

/**
 * Writes the entries of what one repository's outbox has and the audit has not: each event once, in the order of
 * commits, as the entries are committed together with the reader's cursor. One process at a time does so.
 */
export const writeAudit = async (platform: Platform, database: Database): Promise<void> => {
  const outbox = createOutboxRelay(database, AUDIT_CURSOR, { isComplete: true })
  for (let count = PAGE; count === PAGE; )
    count = await outbox.next(PAGE, (events, sql) => writePage(platform, events, sql))
}

/**
 * Keeps the audit of every repository.
 *
 * @returns a function that stops it.
 */
export const startAudit = (platform: Platform): (() => Promise<void>) =>
  followRepositories(
    platform,
    (own, database) => async () => {
      await writeAudit(own, database)
      return LOOK_MS
    },
    { failure: 'the audit could not be written; will retry', failedMs: FAILED_MS },
  )
