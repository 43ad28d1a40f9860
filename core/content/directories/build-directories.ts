import type { ContentModel } from '../../model/content-model/index.js'
import { type Contributions, suggestion } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { type DirectoryContent, directoriesPoint, inheritedContent } from './directories-point.js'
import type { DataFile } from './load.js'
import type { Directory, DirectoryRegistry } from './types.js'

/** The cache size that the reference platform gives a vocabulary by default (reference: security.md §8). */
const CACHE = { seconds: 3600, entries: 1000 }

const instances = (contributions: Contributions): [string, DirectoryContent][] => {
  const all = contributions.get(directoriesPoint)
  return [...all]
    .filter(([, { template }]) => !template)
    .map(([name]) => [name, inheritedContent(name, all) ?? {}])
}

/**
 * Builds the directories of a deployment from its checked contributions.
 *
 * @throws invalid naming a directory and a field that its schema does not have.
 */
export const buildDirectories = (contributions: Contributions, model: ContentModel): DirectoryRegistry =>
  new Map(instances(contributions).map(([name, content]) => [name, build(name, content, model)]))

const build = (name: string, content: DirectoryContent, model: ContentModel): Directory => {
  const schema = model.schemas.get(content.schema ?? '')
  if (!schema) throw fail('invalid', `directories.${name}.schema: unknown schema '${content.schema}'`)
  const idField = content.idField ?? 'id'
  const { passwordField = null, filters = {}, references = {} } = content
  for (const field of [idField, passwordField, ...Object.keys(filters), ...Object.keys(references)])
    if (field !== null && !schema.fields.has(field))
      throw fail(
        'invalid',
        `directories.${name}: schema '${schema.name}' has no field '${field}'${suggestion(field, schema.fields.keys())}`,
      )
  return {
    name,
    schema,
    idField,
    autoincrementIdField: content.autoincrementIdField ?? false,
    parentDirectory: content.parentDirectory ?? null,
    types: content.types ?? [],
    passwordField,
    passwordHashAlgorithm: content.passwordHashAlgorithm ?? null,
    isReadOnly: content.readOnly ?? false,
    querySizeLimit: content.querySizeLimit ?? 0,
    cache: {
      seconds: content.cacheTimeout ?? CACHE.seconds,
      entries: content.cacheMaxSize ?? CACHE.entries,
    },
    filters,
    references: new Map(Object.entries(references)),
    deleteConstraints: content.deleteConstraints ?? [],
    sources: Object.entries(content.sources ?? {}).map(([source, { creation, subDirectories }]) => ({
      name: source,
      isCreation: creation,
      subDirectories: Object.entries(subDirectories).map(([sub, { optional, fields }]) => ({
        name: sub,
        isOptional: optional,
        fields,
      })),
    })),
    permissions: content.permissions ?? null,
    backend: content.backend ?? 'entries',
  }
}

/** The data files that the directories of a deployment start with, by directory. */
export const dataFilesOf = (contributions: Contributions): ReadonlyMap<string, DataFile> =>
  new Map(
    instances(contributions)
      .filter(([, { backend = 'entries', dataFile }]) => dataFile !== undefined && backend === 'entries')
      .map(([name, content]) => [
        name,
        {
          path: content.dataFile!,
          separator: content.dataFileCharacterSeparator ?? ',',
          loading: content.dataLoadingPolicy ?? 'legacy',
          creation: content.createTablePolicy ?? 'on_missing_columns',
        },
      ]),
  )
