import { z } from 'zod'
import { component, pageOf } from '../openapi/index.js'
import { commaList, count, entity } from '../parse/index.js'

export const directoriesQuery = z.object({
  types: commaList.describe('Only directories of one of these types'),
})

/** A page of entries, users or groups. */
export const listQuery = z.object({ pageSize: count, currentPageIndex: count, offset: count })

/** How entries are shown (rest-documents.md §5). */
export const entryRendering = z.object({
  'fetch-directoryEntry': commaList.describe('Fields whose entries are expanded: parent'),
  'translate-directoryEntry': commaList.describe('Fields to show in a language of Accept-Language: label'),
})

const directory = component(
  'directory',
  z.object({
    'entity-type': z.literal('directory'),
    name: z.string(),
    schema: z.string(),
    idField: z.string(),
    parent: z.string().nullable().optional(),
  }),
)

export const directoriesEntity = component(
  'directories',
  z.object({ 'entity-type': z.literal('directories'), entries: z.array(directory) }),
  'The directories, by name',
)

/** An entry of a directory (rest-documents.md §10). */
export const directoryEntry = component(
  'directoryEntry',
  z.object({
    'entity-type': z.literal('directoryEntry'),
    directoryName: z.string(),
    id: z.string(),
    properties: z.looseObject({}).describe('By the names of the directory’s fields'),
  }),
  'An entry of a directory',
)

export const directoryEntries = pageOf('directoryEntries', directoryEntry, 'entries')

/** An entry in a request: its id is in the entity, else in the id field of the directory. */
export const entryRequest = component(
  'directoryEntryRequest',
  entity('directoryEntry', {
    directoryName: z.unknown().optional().describe('The directory of the address; required for a change'),
    id: z.unknown().optional().describe('A text or a number'),
    properties: z.record(z.string(), z.unknown(), { error: 'must be a map of values' }),
  }),
)
