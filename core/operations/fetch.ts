import { defineOperation, documentsValue, documentValue, type Operation } from '../automation/index.js'

const CATEGORY = 'Fetch'

const fetchDocument = defineOperation({
  id: 'Context.FetchDocument',
  label: 'Context Document(s)',
  category: CATEGORY,
  description: 'Passes the input document or documents on: where a chain over documents begins.',
  params: {},
  methods: ({ method }) => [
    method('document', 'document', async ({ input }) => documentValue(input)),
    // The value itself: it keeps the page that it came from, and a long list stays in its store.
    method('documents', 'documents', async ({ context, input }) =>
      context.input.type === 'documents' || context.input.type === 'documentList'
        ? context.input
        : documentsValue(input),
    ),
  ],
})

const getDocument = defineOperation({
  id: 'Repository.GetDocument',
  aliases: ['Document.Fetch'],
  label: 'Document',
  category: CATEGORY,
  description: 'Loads a document by its id or path.',
  params: { value: { type: 'document', isRequired: true, description: 'Id, or absolute path.' } },
  methods: ({ method }) => [method('void', 'document', async ({ params }) => documentValue(params.value))],
})

export const fetchOperations: readonly Operation[] = [fetchDocument, getDocument]
