export { createCollection, findCollections } from './collections.js'
export { getFavorites, isFavorite } from './favorites.js'
export {
  addToCollection,
  getCollectionsOf,
  getMembers,
  moveMember,
  removeFromCollection,
} from './membership.js'
