import {
  copyDocument,
  getDocument,
  moveDocument,
  orderDocument,
  removeDocument,
  removePageBelow,
  type Session,
} from '../../../content/documents/index.js'
import { requireCopyable } from '../../../content/download-permissions/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { defineOperation, documentsValue, documentValue, type Operation, VOID } from '../../language/index.js'

const CATEGORY = 'Document'

/** Documents that one transaction removes in a tenth of a second. */
const SUBTREE_PAGE = 5_000

/** Again: one of a list may be below another, and was moved with it. */
const asItIs = (session: Session, { id }: DocumentRecord): Promise<DocumentRecord> =>
  getDocument(session, id, { permission: 'Browse' })

const copy = defineOperation({
  id: 'Document.Copy',
  label: 'Copy',
  category: CATEGORY,
  description: 'Copies the input document, with all below it that the caller may read, into a folder.',
  changesSubtree: true,
  params: {
    target: { type: 'document', description: 'The folder in which it is put.', isRequired: true },
    name: { type: 'string', description: 'Name of the copy; that of the document when absent.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const document = await asItIs(session, input)
      await requireCopyable(session, document)
      return documentValue(
        await copyDocument(session, document, { target: params.target.id, name: params.name }),
      )
    }),
  ],
})

const move = defineOperation({
  id: 'Document.Move',
  label: 'Move',
  category: CATEGORY,
  description: 'Moves the input document, with all below it, into a folder.',
  changesSubtree: true,
  params: {
    target: { type: 'document', description: 'The folder in which it is put.', isRequired: true },
    name: { type: 'string', description: 'New name; the present one when absent.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) =>
      documentValue(
        await moveDocument(context.session, await asItIs(context.session, input), {
          target: params.target.id,
          name: params.name,
        }),
      ),
    ),
  ],
})

const remove = defineOperation({
  id: 'Document.Delete',
  label: 'Delete',
  category: CATEGORY,
  description: 'Removes the input document for good, with all below it and all its versions.',
  changesSubtree: true,
  pagesBy: 'Document.DeletePage',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) => {
      const document = await context.session.stores.documents.get(input.id)
      if (document) await removeDocument(context.session, document)
      return VOID
    }),
  ],
})

const removePage = defineOperation({
  id: 'Document.DeletePage',
  label: 'Delete Page',
  category: CATEGORY,
  description:
    'Removes for good a page of what is below the input document, with its versions: the last by path.',
  params: {
    size: { type: 'integer', default: SUBTREE_PAGE, description: 'Documents to remove at most.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      if (params.size < 1) throw fail('badRequest', 'size: must be 1 or more')
      await removePageBelow(context.session, input, params.size)
      return documentValue(input)
    }),
  ],
})

const order = defineOperation({
  id: 'Document.Order',
  label: 'Order Document',
  category: CATEGORY,
  description: 'Puts the input documents before another one in their ordered folder, or last.',
  params: { before: { type: 'document', description: 'The document to stand before; last when absent.' } },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) =>
      documentValue(await orderDocument(context.session, input, params.before)),
    ),
    method('documents', 'documents', async ({ context, input, params }) => {
      const ordered: DocumentRecord[] = []
      for (const document of input) {
        throwIfStopped(context.signal)
        ordered.push(await orderDocument(context.session, document, params.before))
      }
      return documentsValue(ordered)
    }),
  ],
})

export const documentPlaceOperations: readonly Operation[] = [copy, move, remove, removePage, order]
