import { demandedForReading, readingApart, type Session } from '../../content/documents/index.js'
import type {
  EngineCaller,
  EngineSearch,
  EngineSearches,
  JsonObject,
  SearchedEntries,
} from '../../content/stores/index.js'
import { fail } from '../../platform/errors/index.js'
import { requestFiltersPoint } from './request-filters-point.js'

export type Passthrough = {
  engine: EngineSearches
  /** Names of all repositories, the main one first. */
  repositories: readonly string[]
  /** What the names of indexes begin with. */
  prefix: string
}

type Caller = Pick<Session, 'principal' | 'contributions' | 'permissions' | 'stores' | 'model' | 'now'> & {
  /** Ids of the workflow models whose figures the caller may see. */
  visualizedModels: readonly string[]
}

/** The reference's name for the index of the main repository. */
const MAIN = 'nuxeo'

const EVERY = ['', '*', '_all']

const invalid = (name: string) => fail('badRequest', `Invalid index submitted: ${name}`)

const repositoryOf = (name: string, { repositories, prefix }: Passthrough): string => {
  if (name === MAIN || name === prefix) return repositories[0]!
  const found = repositories.find(
    (repository) => name === repository || name === `${prefix}-${repository.toLowerCase()}`,
  )
  if (found === undefined) throw invalid(name)
  return found
}

/**
 * What an address means by `{index}`: a name that is contributed, or indexes of repositories between commas.
 *
 * @throws badRequest for any other name, and for the audit of somebody who is no administrator, unless it
 * is that of workflow models whose figures they may see.
 */
const searchedBy = (
  index: string,
  { principal, contributions, visualizedModels }: Caller,
  of: Passthrough,
): SearchedEntries => {
  const contributed = contributions.get(requestFiltersPoint).get(index)
  const filter = contributed?.query as JsonObject | undefined
  if (contributed?.source === 'audit') {
    if (principal.isAdministrator) return { kind: 'audit', filter }
    if (!contributed.visualizers) throw invalid(index)
    const ofModels = { terms: { 'extended.modelName': [...visualizedModels] } }
    return { kind: 'audit', filter: { bool: { filter: [...(filter ? [filter] : []), ofModels] } } }
  }
  if (contributed || EVERY.includes(index))
    return { kind: 'documents', repositories: of.repositories, filter }
  const repositories = index.split(',').map((name) => repositoryOf(name, of))
  return { kind: 'documents', repositories: [...new Set(repositories)] }
}

const rightsOf = (caller: Caller): EngineCaller => ({
  principal: caller.principal,
  reading: readingApart(caller),
  demanded: demandedForReading(caller),
})

/**
 * Searches in the language of the search engine (nxql-search.md §9.7), within what the caller may read.
 *
 * @throws badRequest for an unknown index and for what is not allowed in a search.
 */
export const passSearch = async (
  of: Passthrough,
  { index, search, caller }: { index: string; search: EngineSearch; caller: Caller },
): Promise<JsonObject> => {
  const searched = searchedBy(index, caller, of)
  return of.engine.search(searched, search, rightsOf(caller))
}

/**
 * An entry of an index, as the engine shows it.
 *
 * @throws forbidden for what the caller may not read, whether it is there or not; notFound for administrators.
 */
export const passEntry = async (
  of: Passthrough,
  { index, id, caller }: { index: string; id: string; caller: Caller },
): Promise<JsonObject> => {
  const searched = searchedBy(index, caller, of)
  const { principal } = caller
  const found = await of.engine.entry(searched, id, rightsOf(caller))
  if (found) {
    const { _score: _, ...entry } = found
    return { ...entry, found: true }
  }
  if (principal.isAdministrator) throw fail('notFound', `The index has no document ${id}`)
  throw fail('forbidden', `You may not read ${id}`)
}
