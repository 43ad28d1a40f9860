import type { BlobValue } from '../../../model/properties/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  type Value,
} from '../../language/index.js'
import { currentDocument } from '../shared/current-document.js'
import { applyChanges } from '../shared/unsaved.js'
import { blobChange } from './changes.js'

const MAIN = 'file:content'
const ATTACHMENTS = 'files:files'

/** The first file becomes the main one when that is asked for, the rest are attached. */
const attach = async (
  context: OperationContext,
  blobs: readonly BlobValue[],
  useMainBlob: boolean,
): Promise<Value> => {
  const { session } = context
  const document = await currentDocument(context)
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
