import {
  type DirectoryEntry,
  filterOf,
  findEntries,
  getEntries,
  labelOf,
  requireDirectory,
  withMessageKey,
} from '../../../content/directories/index.js'
import type { Session } from '../../../content/documents/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type Parameter, VOID } from '../../language/index.js'
import { setVariable } from '../shared/context-variables.js'
import { jsonBlob } from '../shared/json-blob.js'
import { jsonIn } from '../shared/json-parameter.js'

const CATEGORY = 'Services'

const DIRECTORY = {
  type: 'string',
  isRequired: true,
  names: 'directory',
  description: 'Name of the directory.',
} as const satisfies Parameter

const TRANSLATION = {
  translateLabels: { type: 'boolean', default: false, description: 'Give labels in the language `lang`.' },
  lang: { type: 'string', description: 'Code of a language; English when absent.' },
} as const satisfies { [name: string]: Parameter }

type Translation = { translateLabels: boolean; lang: string | undefined }

const LABEL = 'label'

/** Entries as maps of their values, with their labels in the language that is asked for. */
const maps = (
  session: Session,
  { name, entries }: { name: string; entries: readonly DirectoryEntry[] },
  { translateLabels, lang = 'en' }: Translation,
): object[] => {
  const directory = requireDirectory(session, name)
  const { schema } = directory
  const hasLabel = [...schema.fields.keys()].some((field) => field.startsWith(LABEL))
  return entries.map((entry) => ({
    ...withMessageKey(directory, entry),
    ...(translateLabels && hasLabel && { [LABEL]: labelOf(entry, { language: lang }) }),
  }))
}

const entries = defineOperation({
  id: 'Directory.Entries',
  label: 'Get directory entries',
  category: CATEGORY,
  description: 'Gives all entries of a directory as JSON.',
  isAdministrative: true,
  params: { directoryName: DIRECTORY, ...TRANSLATION },
  methods: ({ method }) => {
    const run = async (
      { session, services }: Parameters<Parameters<typeof method>[2]>[0]['context'],
      params: { directoryName: string } & Translation,
    ) => {
      const found = await findEntries(session, params.directoryName)
      return jsonBlob(services, maps(session, { name: params.directoryName, entries: found.entries }, params))
    }
    return [
      method('document', 'blob', ({ context, params }) => run(context, params)),
      method('void', 'blob', ({ context, params }) => run(context, params)),
    ]
  },
})

/** Entries that one call names. */
const MAX_ENTRIES = 10_000

/** @throws badRequest when a text is not a JSON array, or a long one. */
export const jsonArray = (name: string, text: string): unknown[] => {
  const json = jsonIn(name, text)
  if (!Array.isArray(json)) throw fail('badRequest', `${name}: must be a JSON array`)
  if (json.length > MAX_ENTRIES) throw fail('badRequest', `${name}: names more than ${MAX_ENTRIES} entries`)
  return json
}

/** @throws badRequest when a text is not a JSON array of ids. */
export const idArray = (name: string, text: string): string[] =>
  jsonArray(name, text).map((id) => {
    if (typeof id !== 'string' && typeof id !== 'number')
      throw fail('badRequest', `${name}: must be a JSON array of ids`)
    return String(id)
  })

const readEntries = defineOperation({
  id: 'Directory.ReadEntries',
  label: 'Reads directory entries',
  category: CATEGORY,
  description: 'Gives entries of a directory by their ids as JSON; ids that are not there are left out.',
  params: {
    directoryName: DIRECTORY,
    entries: { type: 'string', isRequired: true, description: 'A JSON array of ids.' },
    ...TRANSLATION,
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      const found = await getEntries(session, params.directoryName, idArray('entries', params.entries))
      return jsonBlob(services, maps(session, { name: params.directoryName, entries: found }, params))
    }),
  ],
})

const isThere = (value: PropertyValue | undefined): value is Exclude<PropertyValue, null> =>
  value !== null && value !== undefined

const projection = defineOperation({
  id: 'Directory.Projection',
  label: 'Get a Directory Projection',
  category: CATEGORY,
  description: 'Puts the values of one column of a directory into a context variable.',
  params: {
    directoryName: DIRECTORY,
    columnName: { type: 'string', isRequired: true, description: 'The field whose values are wanted.' },
    variableName: { type: 'string', isRequired: true, description: 'The context variable to set.' },
    filters: {
      type: 'properties',
      description: 'Values that fields must have, one `field=value` a line.',
    },
    fulltextFields: {
      type: 'stringlist',
      description: 'Fields of the filters that hold every word of the value, anywhere.',
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      const { session } = context
      const { directoryName, columnName, variableName, filters = {}, fulltextFields = [] } = params
      const directory = requireDirectory(session, directoryName)
      if (!directory.schema.fields.has(columnName))
        throw fail('badRequest', `columnName: directory '${directoryName}' has no field '${columnName}'`)
      const texts = Object.fromEntries(
        Object.entries(filters).map(([field, value]) => [field, value === null ? null : String(value)]),
      )
      const found = await findEntries(
        session,
        directoryName,
        await filterOf(directory, texts, fulltextFields),
      )
      const column = found.entries.map(({ properties }) => properties[columnName]).filter(isThere)
      setVariable(context, variableName, { type: 'json', value: column.flat() })
      return VOID
    }),
  ],
})

export const directoryOperations: readonly Operation[] = [entries, readEntries, projection]
