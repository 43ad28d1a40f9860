import type { Client } from '@elastic/elasticsearch'
import type { Principal } from '../../../core/access/security/index.js'
import type {
  EngineCaller,
  EngineSearches,
  IndexSides,
  JsonObject,
  SearchedEntries,
} from '../../../core/content/stores/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Sharing } from '../../../core/platform/limits/index.js'
import { asking } from '../engine/index.js'
import type { Clause } from '../nxql/index.js'
import { bodyOfAddress } from './address.js'
import { readBody } from './body.js'
import { readQuery } from './clauses.js'
import { inTodaysForm, withPlainTotal } from './earlier-forms.js'
import { withoutHiddenFields } from './hidden-fields.js'
import { withOwnNames } from './names.js'
import { readAnswer } from './read-answer.js'
import { refusalOf } from './refusal.js'
import type { Part } from './refuse.js'

/** What one repository has for searches. */
export type SearchedRepository = {
  sides: IndexSides
  isLive(principal: Principal): Promise<string | undefined>
}

/** What keeps the entries of an index that a caller may read. */
type Rights = (sides: IndexSides, index: string, caller: EngineCaller) => Promise<Clause[]>

type Options = {
  client: Client
  repositories: ReadonlyMap<string, SearchedRepository>
  rightsOf: Rights
  /** Name of the indexes of the audit, with a wildcard. */
  auditIndex: string
  /** Runs the search of somebody in its turn. */
  sharing: Sharing
  timeoutMs: number
}

/** What a search goes to: indexes, and the query within which everything stays. */
type Place = { index: string[]; within: Clause[]; isScored: boolean }

/**
 * The engine counts how many documents have a word, hidden ones too: a score, or an order by scores, would show which
 * words the documents have that somebody may not read. So what a query finds is scored for administrators alone.
 */
const queryWithin = (query: Clause, { within, isScored }: Place): Clause => ({
  bool: isScored ? { must: [query], filter: within } : { filter: [query, ...within] },
})

/** Searches in the language of the engine, checked part by part and kept within what their caller may browse. */
export const createEngineSearches = (options: Options): EngineSearches => {
  const { client, timeoutMs } = options
  const requests = { requestTimeout: timeoutMs, maxRetries: 0, asStream: true, meta: true } as const

  const ask = async (place: Place, body: Part): Promise<JsonObject> => {
    const { query = { match_all: {} }, ...rest } = withOwnNames(inTodaysForm(body)) as Part
    const request = {
      index: place.index,
      // All are counted: what an answer says of them is a number.
      track_total_hits: true,
      ...rest,
      query: queryWithin(query as Clause, place),
      timeout: `${timeoutMs}ms`,
    }
    try {
      const answer = withPlainTotal(
        await asking(async () => readAnswer(await client.search(request as never, requests))),
      )
      return place.isScored ? answer : withoutHiddenFields(answer)
    } catch (error) {
      const reason = refusalOf(error)
      throw reason === undefined ? error : fail('badRequest', reason)
    }
  }

  return {
    search: async (of, { body, parameters }, caller) => {
      const { principal } = caller
      // Each is checked with a budget of its own; what both name is as the body has it.
      const given = body === undefined ? {} : readBody(body, principal)
      const asked = { ...readBody(bodyOfAddress(parameters), principal), ...given }
      const place = await placeOf(of, caller, options)
      return options.sharing(principal, () => ask(place, asked))
    },
    entry: async (of, id, caller) => {
      const place = await placeOf(of, caller, options)
      const { hits } = await ask(place, { query: { ids: { values: [id] } }, size: 1, version: true })
      return (hits as { hits: JsonObject[] } | undefined)?.hits[0]
    },
  }
}

const placeOf = async (
  of: SearchedEntries,
  caller: EngineCaller,
  { repositories, rightsOf, auditIndex }: Options,
): Promise<Place> => {
  const { principal } = caller
  const filter: Clause[] = []
  const isScored = principal.isAdministrator
  if (of.filter) {
    const budget = { clauses: 0, aggregations: 0, isAdministrator: true }
    filter.push(readQuery(of.filter, { path: 'filter', depth: 0, budget }) as Clause)
  }
  if (of.kind === 'audit') return { index: [auditIndex], within: filter, isScored }
  const index: string[] = []
  const should: Clause[] = []
  for (const name of of.repositories) {
    const { sides, isLive } = repositories.get(name)!
    const live = await isLive(principal)
    if (live === undefined)
      throw fail('unavailable', 'The search index is not there, or has not caught up; try again later', {
        retryAfter: 1,
      })
    index.push(live)
    should.push({
      bool: { filter: [{ term: { 'ecm:repository': name } }, ...(await rightsOf(sides, live, caller))] },
    })
  }
  // The reference never indexes the root; NXQL finds it here by its type.
  const below = { bool: { should, minimum_should_match: 1, must_not: [{ term: { 'ecm:path': '/' } }] } }
  return { index, within: [...filter, below], isScored }
}
