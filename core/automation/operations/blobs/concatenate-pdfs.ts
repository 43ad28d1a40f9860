import type { BlobValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  typeOf,
  type Value,
} from '../../language/index.js'
import { getVariable } from '../shared/context-variables.js'

type Params = { blob_to_append?: string | undefined; filename: string }

const joined = async (
  { services, session, signal, variables }: OperationContext,
  blobs: readonly BlobValue[],
  { blob_to_append: variable, filename }: Params,
): Promise<Value> => {
  const first = variable ? getVariable(variables, variable) : undefined
  if (first && first.type !== 'blob')
    throw fail('badRequest', `blob_to_append: the variable '${variable}' holds ${typeOf(first)}, not a file`)
  const sources = first?.type === 'blob' ? [first.blob, ...blobs] : blobs
  if (sources.length === 0) throw fail('badRequest', 'There are no files to join')
  if (filename.trim() === '') throw fail('badRequest', 'filename: must not be empty')
  const { principal } = session
  return { type: 'blob', blob: await services.joinPdfs({ sources, name: filename, signal, principal }) }
}

const concatenate = defineOperation({
  id: 'Blob.ConcatenatePDFs',
  label: 'Concatenate PDFs',
  category: 'Conversion',
  description: 'Joins the input PDFs into one, in their order.',
  isSlow: true,
  params: {
    blob_to_append: { type: 'string', description: 'Context variable with a PDF that comes first.' },
    filename: { type: 'string', isRequired: true, description: 'Name of the new file.' },
  },
  methods: ({ method }) => [
    method('blob', 'blob', ({ context, input, params }) => joined(context, [input], params)),
    method('bloblist', 'blob', ({ context, input, params }) => joined(context, input, params)),
  ],
})

export const pdfOperations: readonly Operation[] = [concatenate]
