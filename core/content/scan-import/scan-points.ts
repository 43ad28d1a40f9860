import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'
import { parseElementPath } from './element-path.js'

/** A deployment has one scan: later contributions change it. */
const THE_ONE = 'default'

const folder = z.string().min(1)
const elementPath = z
  .string()
  .refine(
    (path) => parseElementPath(path) !== undefined,
    'not a path of names, *, /, //, [n] and [@name="text"]',
  )
const ignored = z.number().int().min(0).optional().describe('Read from older deployments; it has no effect')

const config = z.strictObject({
  sourcePath: folder.optional().describe('The folder of the server that is scanned'),
  processedPath: folder.optional().describe('Where descriptors go that are done; else they are removed'),
  targetPath: z.string().min(1).default('/').describe('The folder that takes the documents'),
  batchSize: z.number().int().min(1).max(1_000).default(10).describe('Descriptors of one transaction'),
  nbThreads: ignored,
  transactionTimeout: ignored,
  useXMLMapping: z.boolean().default(true).describe('false: every file becomes a document'),
  createInitialFolder: z.boolean().default(true).describe('false: straight into the target'),
  mergeInitialFolder: z.boolean().default(false).describe('true: a container that is there is always reused'),
  update: z.boolean().default(true).describe('false: documents that are there stay beside new ones'),
})

/** Where scanned files come from and where they go: `importerConfig` of the reference (blobs-conversions.md §7). */
export const importerConfigPoint = defineExtensionPoint({
  point: 'importerConfig',
  name: z.literal(THE_ONE),
  elements: { importerConfig: { defaultName: THE_ONE } },
  schema: config,
  check: ({ sourcePath }) =>
    sourcePath === undefined
      ? [{ path: ['sourcePath'], message: 'must name the folder that is scanned' }]
      : [],
})

const fieldMapping = z.strictObject({
  sourceXPath: elementPath.describe('The element, of which there must be one'),
  sourceAttribute: z.string().min(1).default('TEXT').describe('An attribute of it; TEXT for its text'),
  targetXPath: z.string().min(1).describe('The property'),
  targetType: z.enum(['string', 'integer', 'double', 'date', 'boolean']).default('string'),
  dateFormat: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Of a date, e.g. dd/MM/yyyy; ISO 8601 when absent'),
})

const blobMapping = z.strictObject({
  sourceXPath: elementPath.describe('The element, of which there must be one'),
  sourcePathAttribute: z.string().min(1).default('TEXT').describe('What names the file; TEXT for its text'),
  sourceFilenameAttribute: z.string().min(1).optional().describe('What says how it is called'),
  targetXPath: z.string().min(1).default('file:content').describe('The property'),
})

const mapping = z.strictObject({
  targetContainerType: z.string().min(1).default('Folder').describe('Type of the documents of folders'),
  targetLeafType: z.string().min(1).default('File').describe('Type of the documents of descriptors'),
  fieldMappings: z.array(fieldMapping).default([]),
  blobMappings: z.array(blobMapping).default([]),
})

/** How descriptors become documents: `mapping` of the reference. */
export const importerMappingPoint = defineExtensionPoint({
  point: 'importerMapping',
  name: z.literal(THE_ONE),
  elements: { mapping: { defaultName: THE_ONE } },
  schema: mapping,
})

export type ScanConfig = z.output<typeof config> & { sourcePath: string }
export type ScanMapping = z.output<typeof mapping>

/** What a deployment scans; undefined when it scans nothing. */
export const scanOf = (
  contributions: Contributions,
): { config: ScanConfig; mapping: ScanMapping } | undefined => {
  const wanted = contributions.get(importerConfigPoint).get(THE_ONE)
  if (wanted?.sourcePath === undefined) return undefined
  return {
    config: { ...wanted, sourcePath: wanted.sourcePath },
    mapping: contributions.get(importerMappingPoint).get(THE_ONE) ?? mapping.parse({}),
  }
}
