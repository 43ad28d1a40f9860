import type { Principal } from '../../../core/access/security/index.js'
import type { MailStore } from '../../../core/content/mail/index.js'
import type { ContentStores } from '../../../core/content/stores/index.js'
import type { CoreEvent } from '../../../core/platform/events/index.js'
import type { Rules } from '../rules/index.js'

/** The stores of one transaction, and savepoints of it. */
export type ContentScope = {
  stores: ContentStores
  attempt<Result>(work: (inner: ContentScope) => Promise<Result>): Promise<Result>
}

/** A repository as contract tests use it. */
export type ContentBackend = {
  /** Runs work in one transaction: all of it is kept, or nothing when it throws. */
  transaction<Result>(principal: Principal, work: (scope: ContentScope) => Promise<Result>): Promise<Result>
  /** Outside of transactions: each call sees what is committed when it begins. */
  reading(principal: Principal): ContentStores
  /** All events of the outbox, in order. */
  events(): Promise<(CoreEvent & { principal: string })[]>
  /** The mail that waits. */
  mails: MailStore
  /** Waits until searches find all that is committed: it indexes what the outbox has, where there is an index. */
  settled(): Promise<void>
}

/** Opens an empty repository, which is closed after the tests of the file. To be called at the top level of a file. */
export type OpenContent = (rules: Rules) => Promise<ContentBackend>
