import type { Client, estypes } from '@elastic/elasticsearch'
import type { AuditIndex, LogEntry } from '../../../core/content/stores/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { asking, hasStatus } from '../engine/index.js'
import { INDEX_SETTINGS, KEYWORD, type Mapping, pathsTo } from '../mapping/index.js'

const DATE: Mapping = { type: 'date' }

/** Values of `extended` by what they are; parameters of searches may have any names (nxql-search.md §9.6). */
const EXTENDED: Mapping = {
  type: 'object',
  dynamic: true,
  properties: { params: { type: 'object', enabled: false } },
}

const MAPPING: estypes.MappingTypeMapping = {
  dynamic: false,
  date_detection: false,
  numeric_detection: false,
  _source: { excludes: ['docPaths'] },
  dynamic_templates: [
    { texts: { match_mapping_type: 'string', mapping: { type: 'keyword', ignore_above: 256 } } },
    { numbers: { match_mapping_type: 'long', mapping: { type: 'double' } } },
    { objects: { match_mapping_type: 'object', mapping: { type: 'flattened', ignore_above: 256 } } },
  ],
  properties: {
    id: { type: 'long' },
    eventId: KEYWORD,
    category: KEYWORD,
    principalName: KEYWORD,
    comment: { type: 'keyword', fields: { fulltext: { type: 'text', analyzer: 'standard' } } },
    docLifeCycle: KEYWORD,
    docPath: KEYWORD,
    docPaths: KEYWORD,
    docType: KEYWORD,
    docUUID: KEYWORD,
    repositoryId: KEYWORD,
    eventDate: DATE,
    logDate: DATE,
    extended: EXTENDED,
  },
}

/** An extended value of another kind than its field has is left out; fields beyond the limit are not searched. */
const SETTINGS: estypes.IndicesIndexSettings = {
  ...INDEX_SETTINGS,
  'mapping.ignore_malformed': true,
  'mapping.total_fields.limit': 5_000,
  'mapping.total_fields.ignore_dynamic_beyond_limit': true,
}

/** Texts that look like JSON are shown as what they say (nxql-search.md §9.6). */
const shownValue = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^(?:\{.*\}|\[.*\])$/s.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const fieldsOf = ({ docPath, ...entry }: Omit<LogEntry, 'extended'>) => ({
  'entity-type': 'logEntry',
  ...entry,
  docPath,
  docPaths: docPath === null ? [] : pathsTo(docPath),
})

const sourceOf = ({ extended, ...entry }: LogEntry) => ({
  ...fieldsOf(entry),
  extended: Object.fromEntries(Object.entries(extended).map(([key, value]) => [key, shownValue(value)])),
})

/** Of an entry whose extended values do not fit beside those of others: they are shown, and not searched. */
const plainSourceOf = ({ extended, ...entry }: LogEntry) => ({
  ...fieldsOf(entry),
  extended: { params: extended },
})

/** Entries that are removed together. */
const REMOVED_AT_ONCE = 5_000

/** Entries that are there already are the same. */
const IS_THERE = 409

/** The audit of one repository in an index of its own, entries by their ids. */
export const createAuditIndex = ({ client, index }: { client: Client; index: string }): AuditIndex => {
  const ensure = async (): Promise<void> => {
    if (await asking(() => client.indices.exists({ index }))) return
    try {
      await asking(() => client.indices.create({ index, settings: SETTINGS, mappings: MAPPING }))
    } catch (error) {
      // Another worker has made it.
      if (!hasStatus(error, 400) || !(await client.indices.exists({ index }))) throw error
    }
  }

  /** @returns the entries that are refused. */
  const write = async (
    entries: readonly LogEntry[],
    source: (entry: LogEntry) => object,
  ): Promise<LogEntry[]> => {
    const { items } = await asking(() =>
      client.bulk({
        operations: entries.flatMap((entry) => [
          { create: { _index: index, _id: String(entry.id) } },
          source(entry),
        ]),
      }),
    )
    const statuses = items.map(({ create }) => create?.status ?? 500)
    const busy = statuses.filter((status) => status === 429 || status >= 500)
    if (busy.length > 0)
      throw fail('unavailable', `The search engine has not taken ${busy.length} entries of the audit`)
    return entries.filter((_, position) => statuses[position]! >= 400 && statuses[position] !== IS_THERE)
  }

  return {
    newest: async () => {
      await ensure()
      await asking(() => client.indices.refresh({ index }))
      const { hits } = await asking(() =>
        client.search<LogEntry>({ index, size: 1, sort: [{ id: 'desc' }], _source: ['id'] }),
      )
      return hits.hits[0]?._source?.id ?? 0
    },
    write: async (entries) => {
      const refused = await write(entries, sourceOf)
      if (refused.length === 0) return
      const left = await write(refused, plainSourceOf)
      if (left.length > 0) throw fail('internal', `Entry ${left[0]!.id} of the audit cannot be indexed`)
    },
    removeBefore: async (date) => {
      const query = { range: { eventDate: { lt: date.toISOString() } } }
      for (;;) {
        await asking(() => client.indices.refresh({ index }))
        const { hits } = await asking(() =>
          client.search({ index, query, size: REMOVED_AT_ONCE, _source: false }),
        )
        if (hits.hits.length === 0) return
        const operations = hits.hits.map(({ _id }) => ({ delete: { _index: index, _id: _id! } }))
        await asking(() => client.bulk({ operations }))
      }
    },
  }
}
