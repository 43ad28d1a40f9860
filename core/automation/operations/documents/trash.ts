import { getDocument } from '../../../content/documents/index.js'
import { countTrash, emptyTrash, trashDocument, untrashDocument } from '../../../content/trash/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import { defineOperation, documentsValue, documentValue, type Operation, VOID } from '../../language/index.js'

const CATEGORY = 'Document'

const trash = defineOperation({
  id: 'Document.Trash',
  label: 'Trash',
  category: CATEGORY,
  description:
    'Puts the input documents in the trash with all below them; proxies and versions are removed at once.',
  changesSubtree: true,
  params: {},
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input }) => {
      const trashed = await trashDocument(context.session, input)
      return trashed ? documentValue(trashed) : VOID
    }),
    method('documents', 'documents', async ({ context, input }) => {
      const trashed: DocumentRecord[] = []
      for (const { id } of input) {
        throwIfStopped(context.signal)
        // Again: one of the list may be below another, and its path has changed with it.
        const current = await context.session.stores.documents.get(id)
        const document = current && (await trashDocument(context.session, current))
        if (document) trashed.push(document)
      }
      return documentsValue(trashed)
    }),
  ],
})

const untrash = defineOperation({
  id: 'Document.Untrash',
  label: 'Untrash',
  category: CATEGORY,
  description:
    'Takes the input document out of the trash, with what was trashed with it and what is above it.',
  changesSubtree: true,
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input }) =>
      documentValue(await untrashDocument(session, (await session.stores.documents.get(input.id)) ?? input)),
    ),
  ],
})

const empty = defineOperation({
  id: 'Document.EmptyTrash',
  label: 'Empty Trash',
  category: CATEGORY,
  description: 'Removes for good what is in the trash of a folder.',
  isLarge: async ({ params: { parent }, session, most }) => {
    if (typeof parent !== 'string') return false
    const folder = await getDocument(session, parent.trim().replace(/^doc:/, ''))
    return (await countTrash(session, folder, most)) > most
  },
  params: { parent: { type: 'document', isRequired: true, description: 'The folder.' } },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      await emptyTrash(context.session, params.parent)
      return VOID
    }),
  ],
})

export const trashOperations: readonly Operation[] = [trash, untrash, empty]
