export { createCollection, findCollections } from './collections.js'
export { favoriteTest, getFavorites } from './favorites.js'
export { withHiddenIds, withoutHiddenIds } from './hidden-ids.js'
export {
  addToCollection,
  getCollectionsOf,
  getMembers,
  moveMember,
  removeFromCollection,
} from './membership.js'
