import { childPath, getChildren, getDocument, type Session } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentsValue, documentValue, type Operation, VOID } from '../../language/index.js'

const CATEGORY = 'Document'

const getChildrenOperation = defineOperation({
  id: 'Document.GetChildren',
  label: 'Get Children',
  category: CATEGORY,
  description: 'Lists all children of the input document that the caller may read.',
  isReadOnly: true,
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'documents', async ({ context, input }) =>
      documentsValue(await getChildren(context.session, input)),
    ),
  ],
})

const getChild = defineOperation({
  id: 'Document.GetChild',
  label: 'Get Child',
  category: CATEGORY,
  description: 'Gives the child of the input document that has a name.',
  isReadOnly: true,
  params: { name: { type: 'string', description: 'Name of the child.', isRequired: true } },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      // No name has a slash in it; a path would reach further than to a child.
      if (input.path === null || params.name === '' || params.name.includes('/'))
        throw fail('notFound', `name: '${params.name}' is no child of ${input.path ?? input.id}`)
      return documentValue(await getDocument(context.session, childPath(input.path, params.name)))
    }),
  ],
})

/** The parent, or the nearest document above of a type. */
const ancestor = async (
  session: Session,
  document: DocumentRecord,
  type: string | undefined,
): Promise<DocumentRecord | undefined> => {
  let parentId = document.parentId
  while (parentId !== null) {
    const parent: DocumentRecord = await getDocument(session, parentId)
    if (!type || parent.type === type) return parent
    parentId = parent.parentId
  }
  return undefined
}

const getParent = defineOperation({
  id: 'Document.GetParent',
  label: 'Get Parent',
  category: CATEGORY,
  description: 'Gives the parent of the input document, or the nearest document above it of a type.',
  isReadOnly: true,
  params: {
    type: { type: 'string', description: 'Type of the ancestor; absent: the parent.', names: 'documentType' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const found = await ancestor(context.session, input, params.type)
      return found ? documentValue(found) : VOID
    }),
  ],
})

export const childrenOperations: readonly Operation[] = [getChildrenOperation, getChild, getParent]
