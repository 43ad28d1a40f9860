import { extname } from 'node:path'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  typeOf,
  type Value,
} from '../../language/index.js'
import { blobsFrom } from '../blobs/main-blob.js'
import { getVariable } from '../shared/context-variables.js'
import { textParameters } from '../shared/text-parameters.js'

const CATEGORY = 'Conversion'

const params = {
  commandLine: {
    type: 'string',
    description: 'Command line that compares; default diff-pictures-default.',
  },
  parameters: {
    type: 'properties',
    description: 'fuzz, highlightColor and lowlightColor, and what else the command line reads.',
  },
  targetFileName: { type: 'string', description: 'Name of the result; its extension is the format.' },
  targetFileNameSuffix: { type: 'string', description: 'What is put before the extension of that name.' },
} as const

type Params = {
  commandLine?: string | undefined
  parameters?: { [name: string]: PropertyValue } | undefined
  targetFileName?: string | undefined
  targetFileNameSuffix?: string | undefined
}

const withSuffix = (name: string, suffix: string): string => {
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)}${suffix}${extension}`
}

const compared = async (
  { services, session: { principal }, signal }: OperationContext,
  { left, right }: { left: BlobValue; right: BlobValue },
  { commandLine, parameters, targetFileName, targetFileNameSuffix: suffix }: Params,
): Promise<Value> => {
  const name = targetFileName?.trim() || `comp-${left.name ?? left.digest}`
  const { blob } = await services.media.comparePictures({
    ...{ left, right, commandLine, principal, signal },
    parameters: { ...textParameters(parameters ?? {}), targetFileName: withSuffix(name, suffix ?? '') },
  })
  return { type: 'blob', blob }
}

const withBlobs = defineOperation({
  id: 'Pictures.DiffWithBlobs',
  label: 'Pictures: Diff with Blobs',
  category: CATEGORY,
  description:
    'Compares the input picture with another one of the same format and size, and gives their difference.',
  isSlow: true,
  params: {
    blob2VarName: {
      type: 'string',
      isRequired: true,
      description: 'Context variable with the other picture.',
    },
    ...params,
  },
  methods: ({ method }) => [
    method('blob', 'blob', ({ context, input, params: { blob2VarName, ...rest } }) => {
      const other = getVariable(context.variables, blob2VarName)
      if (other.type !== 'blob')
        throw fail(
          'badRequest',
          `blob2VarName: the variable '${blob2VarName}' holds ${typeOf(other)}, not a file`,
        )
      return compared(context, { left: input, right: other.blob }, rest)
    }),
  ],
})

const BLANK: readonly string[] = ['', 'null', 'default']

const fileAt = async (
  context: OperationContext,
  document: DocumentRecord,
  xpath: string,
): Promise<BlobValue> => {
  const [blob] = await blobsFrom(context, document, { xpath, reason: 'conversion' })
  if (!blob) throw fail('badRequest', `xpath: ${document.path ?? document.id} has no file at ${xpath}`)
  return blob
}

const withDocs = defineOperation({
  id: 'Pictures.DiffWithDocs',
  label: 'Pictures: Diff with Documents',
  category: CATEGORY,
  description:
    'Compares the pictures of two documents, of the same format and size, and gives their difference.',
  isSlow: true,
  params: {
    leftDoc: { type: 'document', isRequired: true, description: 'The first document.' },
    rightDoc: { type: 'document', isRequired: true, description: 'The second document.' },
    xpath: { type: 'string', default: 'file:content', description: 'Where their pictures are.' },
    ...params,
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context, params: { leftDoc, rightDoc, xpath, ...rest } }) => {
      const place = BLANK.includes((xpath ?? '').trim().toLowerCase()) ? 'file:content' : (xpath ?? '').trim()
      const left = await fileAt(context, leftDoc, place)
      const right = await fileAt(context, rightDoc, place)
      return compared(context, { left, right }, rest)
    }),
  ],
})

export const pictureDifferenceOperations: readonly Operation[] = [withBlobs, withDocs]
