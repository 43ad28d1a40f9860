import { principalOf } from '../../../core/access/security/index.js'
import type { CountedPage, QueryRecord, Results } from '../../../core/content/stores/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { ContentBackend } from '../content/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { ALL_DOCUMENTS, idOf } from './sample.js'

/** The clock of all queries of these tests. */
export const NOW = new Date('2020-01-11T08:30:00.000Z')

const ADMINISTRATOR = principalOf('Administrator', [], true)
const EVERYTHING = 100_000

/** How tests ask the sample; an administrator does, who finds all that is there. */
export type Asking = {
  backend: ContentBackend
  /** Keys of what a query finds, in order. */
  find(query: string, limit?: number): Promise<(string | undefined)[]>
  /** The same for all documents that fulfil a condition. */
  findWhere(condition: string): Promise<(string | undefined)[]>
  page(query: string, page: CountedPage): Promise<Results<DocumentRecord>>
  rows(query: string, page?: { limit: number; offset: number }): Promise<QueryRecord[]>
  /** How many rows a query selects. */
  total(query: string): Promise<number>
}

export const askingOf = (backend: ContentBackend): Asking => {
  const keys = new Map(ALL_DOCUMENTS.map(({ key }) => [idOf(key), key]))
  const { search } = backend.reading(ADMINISTRATOR)
  const scope = { model: CONTRACT_RULES.model, principal: ADMINISTRATOR, now: NOW }
  const find: Asking['find'] = async (query, limit = EVERYTHING) =>
    (await search.ids(parseNxql(query), scope, limit)).map((id) => keys.get(id))
  return {
    backend,
    find,
    findWhere: (condition) => find(`SELECT * FROM Document WHERE ${condition}`),
    page: (query, page) => search.query(parseNxql(query), scope, page),
    rows: async (query, page = { limit: EVERYTHING, offset: 0 }) =>
      (await search.records(parseNxql(query), scope, page)).entries,
    total: async (query) => (await search.records(parseNxql(query), scope, { limit: 1, offset: 0 })).total,
  }
}
