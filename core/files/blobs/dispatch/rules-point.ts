import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../../platform/contributions/index.js'
import { bareMimeType, isMimeType } from '../blob-value.js'
import { rulesOfXml } from './rules-xml.js'

/** Stores by the names that rules give them. */
export const BLOB_STORES = ['files', 's3'] as const
export type BlobStoreName = (typeof BLOB_STORES)[number]

const names = z.array(z.string().min(1)).min(1)
const mimePattern = z
  .string()
  .refine((text) => isMimeType(text.replace(/\/\*$/, '/any')), 'expected a mime type or type/*')
const bytes = z.coerce.number().int().min(0)

const rule = z.strictObject({
  store: z.enum(BLOB_STORES).describe('files: the folder of the installation; s3: the bucket'),
  repositories: names.optional(),
  types: names.optional().describe('Types of documents'),
  mimeTypes: z.array(mimePattern).min(1).optional().describe('Exact, or type/*'),
  minBytes: bytes.optional(),
  maxBytes: bytes.optional(),
})

const content = z.strictObject({
  order: z.coerce.number().int().default(0).describe('Smaller ones are asked first'),
  rules: z.array(rule).describe('The first that holds decides; all that it names must be true'),
})

/** In which store the files of documents are kept (blobs-conversions.md §6). */
export const blobDispatcherPoint = defineExtensionPoint({
  point: 'blobDispatcher',
  elements: { blobdispatcher: { defaultName: 'default', ignored: ['class'], read: rulesOfXml } },
  schema: content,
})

type Rule = z.output<typeof rule>

/** A file of a document that is about to be saved. */
export type PlacedFile = { repository: string; type: string; mimeType: string | null; length: number }

const fits = (pattern: string, mimeType: string): boolean =>
  pattern.endsWith('/*')
    ? mimeType.startsWith(pattern.slice(0, -1).toLowerCase())
    : mimeType === pattern.toLowerCase()

const holds = (
  { repositories, types, mimeTypes, minBytes = 0, maxBytes = Number.POSITIVE_INFINITY }: Rule,
  { repository, type, mimeType, length }: PlacedFile,
): boolean =>
  (repositories?.includes(repository) ?? true) &&
  (types?.includes(type) ?? true) &&
  (mimeTypes?.some((pattern) => fits(pattern, bareMimeType(mimeType ?? ''))) ?? true) &&
  length >= minBytes &&
  length <= maxBytes

/** The store that the rules of a deployment want for a file; undefined: wherever it is. */
export const storeForFile = (contributions: Contributions, file: PlacedFile): BlobStoreName | undefined =>
  [...contributions.get(blobDispatcherPoint).values()]
    .sort((a, b) => a.order - b.order)
    .flatMap(({ rules }) => rules)
    .find((each) => holds(each, file))?.store
