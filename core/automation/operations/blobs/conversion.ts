import { bareMimeType } from '../../../files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { defineOperation, type Operation, type OperationContext, type Value } from '../../language/index.js'
import { textParameters } from '../shared/text-parameters.js'
import { isAbsentBlob, mainBlob } from './main-blob.js'

const CATEGORY = 'Conversion'
const PDF = 'application/pdf'

/** @throws badRequest for what stands for the file of a document without one: it would become an empty page. */
const requireFile = (source: BlobValue): void => {
  if (!isAbsentBlob(source)) return
  const document = source.name?.slice(0, -'.null'.length)
  throw fail('badRequest', `There is no file to convert: the document ${document} has none`)
}

/** A blob that is of the type already is passed on as it is. */
const toType = async (context: OperationContext, source: BlobValue, type: string): Promise<BlobValue> => {
  requireFile(source)
  const target = bareMimeType(type)
  if (target === '') throw fail('badRequest', 'mimeType: must not be empty')
  if (bareMimeType(source['mime-type'] ?? '') === target) return source
  const { services, session, signal } = context
  return services.convert({ source, type: target, signal, principal: session.principal })
}

const documentToType = async (
  context: OperationContext,
  document: DocumentRecord,
  type: string,
): Promise<Value> => {
  const source = await mainBlob(context, document, 'conversion')
  if (!source) throw fail('badRequest', `No Blob found on ${document.path ?? document.id}`)
  return { type: 'blob', blob: await toType(context, source, type) }
}

/** One after the other: each conversion takes what the machine has. */
const allToType = async (
  context: OperationContext,
  sources: readonly BlobValue[],
  type: string,
): Promise<Value> => {
  const blobs: BlobValue[] = []
  for (const source of sources) {
    throwIfStopped(context.signal)
    blobs.push(await toType(context, source, type))
  }
  return { type: 'blobs', blobs }
}

const convert = defineOperation({
  id: 'Blob.Convert',
  label: 'Convert to given mime-type',
  category: CATEGORY,
  description: 'Turns the input file, or the main file of the input document, into a file of another type.',
  isSlow: true,
  params: { mimeType: { type: 'string', description: 'Mime type of the result.', isRequired: true } },
  methods: ({ method }) => [
    method('document', 'blob', ({ context, input, params }) =>
      documentToType(context, input, params.mimeType),
    ),
    method('blob', 'blob', async ({ context, input, params }) => ({
      type: 'blob',
      blob: await toType(context, input, params.mimeType),
    })),
    method('bloblist', 'bloblist', ({ context, input, params }) =>
      allToType(context, input, params.mimeType),
    ),
  ],
})

const toPdf = defineOperation({
  id: 'Blob.ToPDF',
  label: 'Convert To PDF',
  category: CATEGORY,
  description: 'Turns the input file, or the main file of the input document, into a PDF.',
  isSlow: true,
  params: {},
  methods: ({ method }) => [
    method('document', 'blob', ({ context, input }) => documentToType(context, input, PDF)),
    method('blob', 'blob', async ({ context, input }) => ({
      type: 'blob',
      blob: await toType(context, input, PDF),
    })),
    method('bloblist', 'bloblist', ({ context, input }) => allToType(context, input, PDF)),
  ],
})

const runConverter = defineOperation({
  id: 'Blob.RunConverter',
  label: 'Blob.RunConverter',
  category: CATEGORY,
  description: 'Runs a converter by its name on the input file.',
  isSlow: true,
  params: {
    converter: {
      type: 'string',
      description: 'Name of the converter.',
      isRequired: true,
      names: 'converter',
    },
    parameters: { type: 'properties', description: 'Parameters of the converter.' },
  },
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context, input, params }) => {
      requireFile(input)
      const parameters = textParameters(params.parameters ?? {})
      const { converter } = params
      const { services, session, signal } = context
      const { principal } = session
      const request = { source: input, converter, parameters, signal, principal }
      return { type: 'blob', blob: await services.convert(request) }
    }),
  ],
})

export const conversionOperations: readonly Operation[] = [convert, toPdf, runConverter]
