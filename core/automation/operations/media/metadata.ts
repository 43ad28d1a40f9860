import {
  type BlobValue,
  type DocumentRecord,
  getProperty,
  isBlobValue,
  type PropertyValue,
  setProperty,
} from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
} from '../../language/index.js'
import { blobsFrom } from '../blobs/main-blob.js'
import { SAVE } from '../shared/parameters.js'
import { requireField } from '../shared/property-input.js'
import { textParameters } from '../shared/text-parameters.js'
import { applyChanges } from '../shared/unsaved.js'

const CATEGORY = 'Files'

const IGNORE_PREFIX = {
  type: 'boolean',
  default: true,
  description: 'Name tags without their group: ISO, not EXIF:ISO.',
} as const

const PROCESSOR = { type: 'string', default: 'exifTool', description: 'What writes them: exifTool.' } as const

/** @throws badRequest for any other one. */
const requireExifTool = (processor: string): void => {
  if (processor.toLowerCase() !== 'exiftool')
    throw fail('badRequest', `processor: expected exifTool, got ${JSON.stringify(processor)}`)
}

const written = (
  { services, session: { principal }, signal }: OperationContext,
  source: BlobValue,
  tags: { [tag: string]: string },
): Promise<BlobValue> => services.media.writeTags({ principal, signal, source, tags })

const read = defineOperation({
  id: 'Blob.ReadMetadata',
  aliases: ['Binary.ReadMetadata'],
  label: 'Read Metadata From Binary',
  category: CATEGORY,
  description: 'Gives the metadata of the input file, by tag.',
  isSlow: true,
  params: { ignorePrefix: IGNORE_PREFIX },
  methods: ({ method }) => [
    method('blob', 'object', async ({ context, input: source, params: { ignorePrefix } }) => {
      const { services, session, signal } = context
      const { principal } = session
      const value = await services.media.readTags({ principal, signal, source, hasGroups: !ignorePrefix })
      return { type: 'json', value }
    }),
  ],
})

const fromContext = defineOperation({
  id: 'Blob.SetMetadataFromContext',
  aliases: ['Binary.WriteMetadataFromContext'],
  label: 'Write Metadata To Binary From Context',
  category: CATEGORY,
  description: 'Gives a copy of the input file with other metadata.',
  isSlow: true,
  params: {
    ignorePrefix: IGNORE_PREFIX,
    processor: PROCESSOR,
    metadata: {
      type: 'properties',
      isRequired: true,
      description: 'Values by tag; an empty one removes it.',
    },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context, input, params: { processor, metadata } }) => {
      requireExifTool(processor)
      return { type: 'blob', blob: await written(context, input, textParameters(metadata)) }
    }),
  ],
})

/** A list as texts with commas, an absent value as none. */
const textOf = (value: PropertyValue): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const tagsOf = (
  { session: { model } }: OperationContext,
  document: DocumentRecord,
  metadata: { [tag: string]: PropertyValue },
): { [tag: string]: string } =>
  Object.fromEntries(
    Object.entries(textParameters(metadata)).map(([tag, given]) => {
      const { xpath, field } = requireField(model, document, given.trim())
      if (field.type === 'blob') throw fail('badRequest', `metadata: ${given} is a file`)
      return [tag, textOf(getProperty(document.properties, { model, xpath }) ?? null)]
    }),
  )

const fromDocument = defineOperation({
  id: 'Blob.SetMetadataFromDocument',
  aliases: ['Binary.WriteMetadataFromDocument'],
  label: 'Write Metadata To Binary From Document',
  category: CATEGORY,
  description: 'Writes properties of the input document into the metadata of its file.',
  isSlow: true,
  params: {
    ignorePrefix: IGNORE_PREFIX,
    processor: PROCESSOR,
    metadata: { type: 'properties', isRequired: true, description: 'Xpaths of properties by tag.' },
    blobXPath: {
      type: 'string',
      default: 'file:content',
      names: 'fileProperty',
      description: 'The property that holds the file.',
    },
    save: SAVE,
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) => {
      const { processor, metadata, blobXPath, save } = params
      requireExifTool(processor)
      const { session } = context
      const { key, xpath } = requireField(session.model, input, blobXPath)
      const [blob] = await blobsFrom(context, input, { xpath })
      if (!isBlobValue(blob)) throw fail('badRequest', `blobXPath: there is no file at ${blobXPath}`)
      const value = await written(context, blob, tagsOf(context, input, metadata))
      const properties = setProperty(input.properties, { model: session.model, xpath, value })
      const changes = { [key]: properties[key] ?? null }
      return documentValue(await applyChanges(session, input, { changes, save }))
    }),
  ],
})

export const metadataOperations: readonly Operation[] = [read, fromContext, fromDocument]
