import {
  addToCollection,
  getFavorites,
  getMembers,
  removeFromCollection,
} from '../../../content/collections/index.js'
import { defineOperation, documentsValue, documentValue, type Operation } from '../../language/index.js'
import { documentOnly, everything } from '../shared/whole-list.js'

const CATEGORY = 'Document'

const add = defineOperation({
  id: 'Document.AddToFavorites',
  aliases: ['Collection.AddToFavorites'],
  label: 'Add document to favorites',
  category: CATEGORY,
  description: "Puts the input documents among the caller's favourites.",
  params: {},
  methods: ({ method }) => [
    method('document', 'document', async ({ context: { session }, input }) =>
      documentOnly(await addToCollection(session, await getFavorites(session), [input])),
    ),
    method('documents', 'documents', async ({ context: { session }, input }) =>
      documentsValue(await addToCollection(session, await getFavorites(session), input)),
    ),
  ],
})

const remove = defineOperation({
  id: 'Document.RemoveFromFavorites',
  aliases: ['Collection.RemoveFromFavorites'],
  label: 'Remove from favorites',
  category: CATEGORY,
  description: "Takes the input documents from the caller's favourites.",
  params: {},
  methods: ({ method }) => [
    method('document', 'document', async ({ context: { session }, input }) =>
      documentOnly(await removeFromCollection(session, await getFavorites(session), [input])),
    ),
    method('documents', 'documents', async ({ context: { session }, input }) =>
      documentsValue(await removeFromCollection(session, await getFavorites(session), input)),
    ),
  ],
})

const fetch = defineOperation({
  id: 'Favorite.Fetch',
  label: 'Fetch favorites root collection',
  category: CATEGORY,
  description: "Gives the collection of the caller's favourites, which is made when there is none yet.",
  params: {},
  methods: ({ method }) => [
    method('void', 'document', async ({ context }) => documentValue(await getFavorites(context.session))),
  ],
})

const members = defineOperation({
  id: 'Favorite.GetDocuments',
  aliases: ['Collection.GetElementsInFavorite'],
  label: 'Get documents from favorites',
  category: CATEGORY,
  description:
    'Gives the favourites of the caller, or the members of the collection of favourites that is the input.',
  params: {},
  methods: ({ method }) => [
    method('document', 'documents', async ({ context: { session }, input }) =>
      everything(await getMembers(session, input.type === 'Favorites' ? input : await getFavorites(session))),
    ),
    method('void', 'documents', async ({ context: { session } }) =>
      everything(await getMembers(session, await getFavorites(session))),
    ),
  ],
})

export const favoriteOperations: readonly Operation[] = [add, remove, fetch, members]
