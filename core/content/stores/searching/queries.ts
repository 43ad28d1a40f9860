import type { Principal } from '../../../access/security/index.js'
import type { ContentModel } from '../../../model/content-model/index.js'
import type { Grouping, Query, Reference } from '../../../model/nxql/index.js'
import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import type { JsonValue } from '../../../platform/events/index.js'
import type { IndexSides } from './indexing.js'

/**
 * Who asks, of which model, and when (`NOW()`). A backend answers with what the principal may browse; what security
 * policies demand beyond that is part of the query already.
 */
export type QueryScope = {
  model: ContentModel
  principal: Principal
  now: Date
  /** Set where the principal may browse what he may not read: rows, which show values, are of documents that he may read. */
  reading?: ReadingApart | undefined
}

/** The permissions that let somebody browse alone, and those that let somebody read. */
export type ReadingApart = { browsing: readonly string[]; reading: readonly string[] }

/** A part of a list, which the LIMIT and OFFSET of the query itself do not concern. */
export type Page = { limit: number; offset: number }

/** A page for which results are counted, too: all of them, or no further than one beyond `countAtMost`. */
export type CountedPage = Page & { countAtMost?: number | undefined }

/** The results of one page, in order, and how many there are in all. */
export type Results<Entry> = { entries: Entry[]; total: number }

/** A row of what a query selects, by its operands as written: `dc:title`, `COUNT(ecm:uuid)`. */
export type QueryRecord = { [operand: string]: PropertyValue }

/** How many documents have a value, or are in a range: see `Grouping`. */
export type GroupCount = { key: string | null; count: number }

/**
 * What answers queries. All backends give the same answers, in the same order, to the queries that they take;
 * `core/model/nxql/evaluator` says which, and `storage/contract/queries` compares.
 *
 * Every method throws badRequest for a query that names what the model does not have, or asks what has no meaning.
 */
export type QueryBackend = {
  /** Of an index that answers in the place of the repository. */
  sides?: IndexSides | undefined
  /** Whole documents, in the order of the query, then by id. */
  query(query: Query, scope: QueryScope, page: CountedPage): Promise<Results<DocumentRecord>>
  /** Ids of the first matches, in the same order, at most `limit`. */
  ids(query: Query, scope: QueryScope, limit: number): Promise<string[]>
  /**
   * Rows of what the query selects. Numbers keep their digits, dates are ISO 8601 in UTC. Counted before the first
   * row is read where each pair of elements of two lists is a row.
   *
   * @throws badRequest for what cannot be selected, and for more pairs of elements than the backend can sort.
   */
  records(query: Query, scope: QueryScope, page: CountedPage): Promise<Results<QueryRecord>>
  /** Counts what matches by the values of a property; a document counts once under each different value of a list. */
  aggregate(
    query: Query,
    scope: QueryScope,
    by: { reference: Reference; grouping: Grouping },
  ): Promise<GroupCount[]>
  /** Throws what `query` would throw, without looking for anything. */
  check(query: Query, scope: QueryScope): void
  /**
   * Waits until it finds all that was committed before the call.
   *
   * @param timeoutMs how long at most.
   * @param options `withAudit`: until the index of the audit, where there is one, has its entries, too.
   * @returns whether it does by then.
   */
  settled(timeoutMs: number, options?: { withAudit?: boolean }): Promise<boolean>
  /** How the backend answers a query: for operators, in its own words. An index runs it, to measure its parts. */
  explain(query: Query, scope: QueryScope, limit: number): Promise<{ [fact: string]: JsonValue }>
}
