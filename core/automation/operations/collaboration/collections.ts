import {
  addToCollection,
  createCollection,
  findCollections,
  getMembers,
  moveMember,
  removeFromCollection,
} from '../../../content/collections/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type Parameter,
} from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'
import { documentOnly, everything } from '../shared/whole-list.js'

const CATEGORY = 'Document'

const COLLECTION = {
  type: 'document',
  isRequired: true,
  description: 'The collection that is changed.',
} as const satisfies Parameter

const create = defineOperation({
  id: 'Collection.Create',
  aliases: ['Collection.CreateCollection', 'CreateACollection'],
  label: 'Create a collection',
  category: CATEGORY,
  description: "Makes a collection in the input folder, or in the caller's own workspace without input.",
  params: {
    name: { type: 'string', description: 'Title of the collection.', isRequired: true },
    description: { type: 'string', description: 'Description of the collection.' },
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) =>
      documentValue(await createCollection(context.session, { ...params, parent: input })),
    ),
    method('void', 'document', async ({ context, params }) =>
      documentValue(await createCollection(context.session, params)),
    ),
  ],
})

const add = defineOperation({
  id: 'Document.AddToCollection',
  aliases: ['Collection.AddToCollection', 'AddToCollection'],
  label: 'Add document to collection',
  category: CATEGORY,
  description: 'Puts the input documents into a collection; those that are in it stay as they are.',
  params: { collection: COLLECTION },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) =>
      documentOnly(await addToCollection(context.session, params.collection, [input])),
    ),
    method('documents', 'documents', async ({ context, input, params }) =>
      documentsValue(await addToCollection(context.session, params.collection, input)),
    ),
  ],
})

const remove = defineOperation({
  id: 'Collection.RemoveFromCollection',
  aliases: ['RemoveFromCollection'],
  label: 'Remove from collection',
  category: CATEGORY,
  description: 'Takes the input documents out of a collection; the documents themselves stay.',
  params: { collection: COLLECTION },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) =>
      documentOnly(await removeFromCollection(context.session, params.collection, [input])),
    ),
    method('documents', 'documents', async ({ context, input, params }) =>
      documentsValue(await removeFromCollection(context.session, params.collection, input)),
    ),
  ],
})

const members = defineOperation({
  id: 'Collection.GetDocumentsFromCollection',
  aliases: ['GetAllDocumentsFromCollection'],
  label: 'Get documents from collection',
  category: CATEGORY,
  description: 'Gives the members of the input collection that the caller may read, in their order.',
  params: {},
  methods: ({ method }) => [
    method('document', 'documents', async ({ context, input }) =>
      everything(await getMembers(context.session, input)),
    ),
  ],
})

const withWildcard = (term: string): string => (term.endsWith('%') ? term : `${term}%`)

const collections = defineOperation({
  id: 'User.GetCollections',
  aliases: ['Collection.GetCollections'],
  label: 'Get collections',
  category: 'Users & Groups',
  description: 'Gives the collections that the caller may read and whose title begins with a text.',
  params: {
    searchTerm: { ...searchTerm('Beginning of their titles.'), isRequired: true },
  },
  methods: ({ method }) => [
    method('void', 'documents', async ({ context: { session }, params }) => {
      const page = await findCollections(session, withWildcard(params.searchTerm))
      return { type: 'documents', ids: page.entries.map(({ id }) => id), records: page.entries, page }
    }),
  ],
})

const suggest = defineOperation({
  id: 'Collection.Suggestion',
  label: 'Get collection suggestion',
  category: 'Services',
  description: 'Gives, as JSON, a page of the collections whose title begins with a text.',
  params: {
    currentPageIndex: { type: 'integer', description: 'Index of the page, from 0.', default: 0 },
    pageSize: { type: 'integer', description: 'Entries of a page.', default: 20 },
    lang: { type: 'string', description: 'Accepted for older clients.' },
    searchTerm: searchTerm('Beginning of their titles.'),
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      const { currentPageIndex, pageSize } = params
      for (const [name, value] of Object.entries({ currentPageIndex, pageSize }))
        if (value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
      const { entries } = await findCollections(session, withWildcard(params.searchTerm ?? ''), {
        currentPageIndex,
        pageSize,
      })
      return jsonBlob(
        services,
        entries.map(({ id, path, name, properties }) => ({
          id,
          displayLabel: properties['dc:title'] ?? name,
          path,
        })),
      )
    }),
  ],
})

const move = defineOperation({
  id: 'Document.MoveCollectionMember',
  label: 'Move collection member',
  category: CATEGORY,
  description: 'Moves a member of the input collection behind another one, or to the front.',
  params: {
    member1: { type: 'document', description: 'The member that is moved.', isRequired: true },
    member2: {
      type: 'document',
      description: 'The member behind which it is moved; absent: it becomes the first.',
    },
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) =>
      documentValue(
        await moveMember(context.session, input, { member: params.member1, after: params.member2 }),
      ),
    ),
  ],
})

export const collectionOperations: readonly Operation[] = [
  create,
  add,
  remove,
  members,
  collections,
  suggest,
  move,
]
