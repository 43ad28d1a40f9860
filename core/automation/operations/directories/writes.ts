import {
  changingDirectories,
  createEntry,
  deleteEntry,
  getEntries,
  requireDirectory,
  updateEntry,
} from '../../../content/directories/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { defineOperation, type Operation, type Parameter, VOID } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { idArray, jsonArray } from './directories.js'

const CATEGORY = 'Services'

const DIRECTORY = {
  type: 'string',
  isRequired: true,
  names: 'directory',
  description: 'Name of the directory.',
} as const satisfies Parameter
const ENTRIES = {
  type: 'string',
  isRequired: true,
  description: 'A JSON array of entries, each a map of values.',
} as const satisfies Parameter
const IDS = {
  type: 'string',
  isRequired: true,
  description: 'A JSON array of ids.',
} as const satisfies Parameter

const valueMaps = (text: string): Record<string, unknown>[] =>
  jsonArray('entries', text).map((entry) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw fail('badRequest', 'entries: must be a JSON array of maps')
    return { ...entry }
  })

const create = defineOperation({
  id: 'Directory.CreateEntries',
  label: 'Creates directory entries',
  category: CATEGORY,
  description: 'Adds entries to a directory, all or none, and gives their ids as JSON.',
  params: { directoryName: DIRECTORY, entries: ENTRIES },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services, signal }, params }) => {
      const wanted = valueMaps(params.entries)
      const ids = await changingDirectories(session, async (changed) => {
        const made: string[] = []
        for (const values of wanted) {
          throwIfStopped(signal)
          made.push((await createEntry(changed, params.directoryName, values)).id)
        }
        return made
      })
      return jsonBlob(services, ids)
    }),
  ],
})

const update = defineOperation({
  id: 'Directory.UpdateEntries',
  label: 'Updates directory entries',
  category: CATEGORY,
  description: 'Changes entries of a directory; gives as JSON the ids of those that were there.',
  params: { directoryName: DIRECTORY, entries: ENTRIES },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context, params: { directoryName, entries } }) => {
      const { session, services, signal } = context
      const { idField } = requireDirectory(session, directoryName)
      const changes = valueMaps(entries).map((values) => ({ id: String(values[idField] ?? ''), values }))
      const known = new Set(
        (
          await getEntries(
            session,
            directoryName,
            changes.map(({ id }) => id),
          )
        ).map(({ id }) => id),
      )
      const wanted = changes.filter(({ id }) => known.has(id))
      await changingDirectories(session, async (changed) => {
        for (const change of wanted) {
          throwIfStopped(signal)
          await updateEntry(changed, directoryName, change)
        }
      })
      return jsonBlob(
        services,
        wanted.map(({ id }) => id),
      )
    }),
  ],
})

const remove = defineOperation({
  id: 'Directory.DeleteEntries',
  label: 'Deletes directory entries',
  category: CATEGORY,
  description:
    'Removes entries of a directory, or marks them as obsolete; gives as JSON the ids of those that were there.',
  params: {
    directoryName: DIRECTORY,
    entries: IDS,
    markObsolete: {
      type: 'boolean',
      default: false,
      description: 'Keep the entries, but offer them no more; for directories with the field `obsolete`.',
    },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services, signal }, params }) => {
      const { directoryName, entries, markObsolete } = params
      const { schema } = requireDirectory(session, directoryName)
      const known = (await getEntries(session, directoryName, idArray('entries', entries))).map(
        ({ id }) => id,
      )
      await changingDirectories(session, async (changed) => {
        for (const id of known) {
          throwIfStopped(signal)
          if (markObsolete && schema.fields.has('obsolete'))
            await updateEntry(changed, directoryName, { id, values: { obsolete: 1 } })
          else await deleteEntry(changed, directoryName, id)
        }
      })
      return jsonBlob(services, known)
    }),
  ],
})

const createVocabularyEntry = defineOperation({
  id: 'Directory.CreateVocabularyEntry',
  label: 'Vocabulary: Add Entry',
  category: CATEGORY,
  description: 'Adds an entry to a vocabulary, unless its id is there already or empty.',
  params: {
    vocabularyName: DIRECTORY,
    id: { type: 'string', description: 'Id of the entry.', isRequired: true },
    label: { type: 'string', description: 'The id when absent.' },
    parent: { type: 'string', description: 'Id of the parent, in a hierarchical vocabulary.' },
    obsolete: { type: 'long', description: '1: the entry is obsolete.' },
    ordering: { type: 'long', description: 'Place among the other entries.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { session }, params }) => {
      const { vocabularyName, id, label = id, parent, obsolete, ordering } = params
      requireDirectory(session, vocabularyName)
      const isThere = id.trim() === '' || (await getEntries(session, vocabularyName, [id])).length > 0
      if (isThere) return VOID
      await createEntry(session, vocabularyName, {
        id,
        label,
        ...(parent !== undefined && { parent }),
        ...(obsolete !== undefined && { obsolete }),
        ...(ordering !== undefined && { ordering }),
      })
      return VOID
    }),
  ],
})

export const directoryWriteOperations: readonly Operation[] = [create, update, remove, createVocabularyEntry]
