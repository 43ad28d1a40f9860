import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  type Value,
} from '../automation/index.js'
import type { BlobValue } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { blobChange } from './blob-changes.js'
import { applyChanges } from './unsaved.js'
import { getVariable } from './variables.js'

const CURRENT = 'currentDocument'
const MAIN = 'file:content'
const ATTACHMENTS = 'files:files'

/** The first file becomes the main one when that is asked for, the rest are attached. */
const attach = async (
  context: OperationContext,
  blobs: readonly BlobValue[],
  useMainBlob: boolean,
): Promise<Value> => {
  const { session } = context
  const variable = getVariable(context.variables, CURRENT)
  if (variable.type !== 'document')
    throw fail('badRequest', `The context variable ${CURRENT} must hold the document to attach files to`)
  const [document] = await context.documents(variable)
  if (!document) throw fail('notFound', `The document of ${CURRENT} is not there`)
  const [first, ...rest] = blobs
  const main = useMainBlob && first ? [first] : []
  const attached = useMainBlob ? rest : blobs
  const changes = {
    ...(main.length > 0 && blobChange(session.model, document, { xpath: MAIN, blobs: main })),
    ...(attached.length > 0 && blobChange(session.model, document, { xpath: ATTACHMENTS, blobs: attached })),
  }
  return documentValue(await applyChanges(session, document, { changes, save: true }))
}

const attachOnCurrent = defineOperation({
  id: 'BlobHolder.AttachOnCurrentDocument',
  aliases: ['BlobHolder.Attach'],
  label: 'Attach File or files to the currentDocument.',
  category: 'Files',
  description: 'Puts the input files on the document of the context variable currentDocument; gives it.',
  params: {
    useMainBlob: {
      type: 'boolean',
      default: true,
      description: 'Make the first file the main one; otherwise all are attached beside it.',
    },
  },
  methods: ({ method }) => [
    method('blob', 'document', ({ context, input, params }) => attach(context, [input], params.useMainBlob)),
    method('bloblist', 'document', ({ context, input, params }) =>
      attach(context, input, params.useMainBlob),
    ),
  ],
})

export const blobHolderOperations: readonly Operation[] = [attachOnCurrent]
