import type { Principal } from '../../../access/security/index.js'
import type { Query } from '../../../model/nxql/index.js'
import type { JsonValue } from '../../../platform/events/index.js'
import type { LogEntry } from '../audit.js'
import type { QueryScope, ReadingApart } from './queries.js'

export type JsonObject = { [key: string]: JsonValue }

/** A search in the search engine's own language, as a client has sent it. */
export type EngineSearch = {
  /** The body; absent for a search by the address alone. */
  body?: unknown
  /** Parameters of the address, by name. */
  parameters: ReadonlyMap<string, string>
}

/** What is searched: documents of repositories, or the audit where `filter` holds, a query in the same language. */
export type SearchedEntries =
  | { kind: 'documents'; repositories: readonly string[]; filter?: JsonObject | undefined }
  | { kind: 'audit'; filter?: JsonObject | undefined }

/**
 * `reading`: where somebody may browse documents by a permission that lets them read none; `demanded`: what security
 * policies leave to them, where there are any.
 */
export type EngineCaller = {
  principal: Principal
  reading?: ReadingApart | undefined
  demanded?: { query: Query; scope: QueryScope } | undefined
}

/**
 * Searches for clients that speak the language of the search engine (nxql-search.md §9.7). Of documents everybody is
 * asked what they may browse and read at the moment of the call: the engine shows documents whole.
 */
export type EngineSearches = {
  /**
   * @returns the engine's answer as it is.
   * @throws badRequest for what is not a search of entries, unavailable while the index cannot answer.
   */
  search(of: SearchedEntries, search: EngineSearch, caller: EngineCaller): Promise<JsonObject>
  /** An entry by its id; undefined when there is none that the caller may read. */
  entry(of: SearchedEntries, id: string, caller: EngineCaller): Promise<JsonObject | undefined>
}

/** The audit of one repository in a search engine, which follows what the repository keeps. */
export type AuditIndex = {
  /** Id of the newest entry; 0 without one. Makes the index when it is missing. */
  newest(): Promise<number>
  /** Entries that are there already stay. */
  write(entries: readonly LogEntry[]): Promise<void>
  removeBefore(date: Date): Promise<void>
}
