import { bindParameters, narrowed, parseConditions, parseNxql } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, documentsValue, documentValue, type Operation } from '../../language/index.js'
import { runQuery } from '../queries/query.js'
import { asConsumed } from '../shared/consumed-input.js'

const CATEGORY = 'Fetch'

/** `dc:title`, `ecm:name`, or a part of a complex property. */
const PROPERTY = /^[A-Za-z_][\w.:/*-]*$/

const fetchDocument = defineOperation({
  id: 'Context.FetchDocument',
  label: 'Context Document(s)',
  category: CATEGORY,
  description: 'Passes the input document or documents on: where a chain over documents begins.',
  isReadOnly: true,
  params: {},
  methods: ({ method }) => [
    method('document', 'document', async ({ input }) => documentValue(input)),
    method('documents', 'documents', async ({ context, input }) =>
      asConsumed('documents', { context, input }),
    ),
  ],
})

const fetchFile = defineOperation({
  id: 'Context.FetchFile',
  label: 'Context File(s)',
  category: CATEGORY,
  description: 'Passes the input file or files on: where a chain over files begins.',
  params: {},
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ input }) => ({ type: 'blob', blob: input })),
  ],
})

const fetchByProperty = defineOperation({
  id: 'Document.FetchByProperty',
  label: 'Fetch By Property',
  category: CATEGORY,
  description:
    'Finds the documents whose property has one of some values, as far as the caller may read them.',
  isReadOnly: true,
  params: {
    property: { type: 'string', isRequired: true, description: 'E.g. dc:title.' },
    values: { type: 'stringlist', isRequired: true, description: 'Without any, nothing is found.' },
    query: {
      type: 'string',
      notation: 'conditions',
      description: "A further condition, e.g. ecm:primaryType = 'File'.",
    },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params: { property, values, query } }) => {
      if (!PROPERTY.test(property))
        throw fail('badRequest', `property: '${property}' is no name of a property`)
      if (values.length === 0) return documentsValue([])
      const found = parseNxql(bindParameters(`SELECT * FROM Document WHERE ${property} IN ?`, [values]))
      const wanted = narrowed(found, query ? [parseConditions(query)] : [])
      const all = { pageSize: undefined, currentPageIndex: undefined, maxResults: undefined }
      return runQuery(session, wanted, all)
    }),
  ],
})

const getDocument = defineOperation({
  id: 'Repository.GetDocument',
  aliases: ['Document.Fetch'],
  label: 'Document',
  category: CATEGORY,
  description: 'Loads a document by its id or path.',
  isReadOnly: true,
  params: { value: { type: 'document', isRequired: true, description: 'Id, or absolute path.' } },
  methods: ({ method }) => [method('void', 'document', async ({ params }) => documentValue(params.value))],
})

export const fetchOperations: readonly Operation[] = [fetchDocument, fetchFile, getDocument, fetchByProperty]
