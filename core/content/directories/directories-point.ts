import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { directoryElements } from './directory-xml.js'

const directoryName = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'letters, digits, "_", "-" or ".", a letter first')
const scalar = z.union([z.string(), z.number(), z.boolean()])

const allowed = z.strictObject({
  groups: z.array(z.string().min(1)).default([]),
  users: z.array(z.string().min(1)).default([]),
})

const subDirectory = z.strictObject({
  optional: z.boolean().default(false).describe('An entry may be missing here'),
  fields: z.record(z.string(), z.string()).default({}).describe('Names here of the fields over there'),
})

const source = z.strictObject({
  creation: z.boolean().default(false).describe('Receives new entries'),
  subDirectories: z.record(directoryName, subDirectory),
})

export const LOADING_POLICIES = [
  'legacy',
  'never_load',
  'skip_duplicate',
  'reject_duplicate',
  'update_duplicate',
] as const

const directoryContent = z.strictObject({
  extends: directoryName.optional().describe('A directory, or template, whose settings are taken over'),
  template: z.boolean().optional().describe('Only there to be extended'),
  backend: z.enum(['entries', 'users', 'groups', 'multi']).optional(),
  schema: z.string().optional(),
  idField: z.string().optional().describe('id when absent'),
  autoincrementIdField: z.boolean().optional().describe('New entries get the next number as their id'),
  parentDirectory: directoryName.optional().describe('What the field `parent` points into'),
  types: z.array(z.string()).optional().describe('`system` hides the directory from lists'),
  passwordField: z.string().optional().describe('Never shown'),
  passwordHashAlgorithm: z.enum(['SSHA', 'SMD5']).optional(),
  readOnly: z.boolean().optional().describe('true: binds administrators too'),
  querySizeLimit: z.int().nonnegative().optional(),
  substringMatchType: z
    .enum(['subinitial', 'subfinal', 'subany'])
    .optional()
    .describe('Accepted, without effect: full-text conditions look for words anywhere'),
  cacheTimeout: z.int().nonnegative().optional().describe('Seconds'),
  cacheMaxSize: z.int().nonnegative().optional().describe('Entries'),
  dataFile: z
    .string()
    .regex(/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/, 'a relative path inside the configuration folder')
    .optional()
    .describe('CSV, columns in the first line'),
  dataFileCharacterSeparator: z.string().length(1).optional(),
  dataLoadingPolicy: z.enum(LOADING_POLICIES).optional(),
  createTablePolicy: z.enum(['never', 'on_missing_columns', 'always']).optional(),
  filters: z.record(z.string(), scalar).optional().describe('Values that every entry has'),
  references: z
    .record(z.string(), z.strictObject({ directory: directoryName, inverseOf: z.string().optional() }))
    .optional(),
  deleteConstraints: z.array(z.strictObject({ directory: directoryName, field: z.string() })).optional(),
  sources: z.record(z.string(), source).optional(),
  permissions: z.strictObject({ Read: allowed.optional(), Write: allowed.optional() }).optional(),
})

export type DirectoryContent = z.output<typeof directoryContent>

type Contents = ReadonlyMap<string, DirectoryContent>

/** Directories: the entries of vocabularies, resolvers and lists of values (reference: security.md §8). */
export const directoriesPoint = defineExtensionPoint({
  point: 'directories',
  elements: directoryElements,
  schema: directoryContent,
  references: ({ extends: base, schema, parentDirectory, references, deleteConstraints, sources }) => [
    ...(base === undefined ? [] : [{ path: ['extends'], point: 'directories', name: base }]),
    ...(schema === undefined ? [] : [{ path: ['schema'], point: 'schemas', name: schema }]),
    ...(parentDirectory === undefined
      ? []
      : [{ path: ['parentDirectory'], point: 'directories', name: parentDirectory }]),
    ...Object.entries(references ?? {}).map(([field, { directory }]) => ({
      path: ['references', field, 'directory'],
      point: 'directories',
      name: directory,
    })),
    ...(deleteConstraints ?? []).map(({ directory }, index) => ({
      path: ['deleteConstraints', index, 'directory'],
      point: 'directories',
      name: directory,
    })),
    ...Object.entries(sources ?? {}).flatMap(([name, { subDirectories }]) =>
      Object.keys(subDirectories).map((sub) => ({
        path: ['sources', name, 'subDirectories', sub],
        point: 'directories',
        name: sub,
      })),
    ),
  ],
  check: (content, { name, all }) => check(name, content, all),
})

const check = (name: string, content: DirectoryContent, all: Contents): Finding[] => {
  const inherited = inheritedContent(name, all)
  if (inherited === undefined) return [{ path: ['extends'], message: 'extends itself' }]
  if (content.template) return []
  if (inherited.schema === undefined) return [{ path: [], message: 'needs a "schema"' }]
  const isMulti = inherited.backend === 'multi'
  if (isMulti !== (inherited.sources !== undefined))
    return [{ path: ['sources'], message: 'sources and the backend "multi" go together' }]
  return []
}

/** A directory's settings over those of what it extends; undefined for a cycle. */
export const inheritedContent = (
  name: string,
  all: Contents,
  below: readonly string[] = [],
): DirectoryContent | undefined => {
  const content = all.get(name) ?? {}
  if (below.includes(name)) return undefined
  if (content.extends === undefined) return content
  const base = inheritedContent(content.extends, all, [...below, name])
  if (!base) return undefined
  const { template: _template, ...settings } = base
  return { ...settings, ...content }
}
