export { executeSavedSearch, savedSearchParameters, savedSearchQuery } from './execute.js'
export type { SavedSearch, SavedSearchContent } from './saved-search.js'
export {
  createSavedSearch,
  findSavedSearches,
  getSavedSearch,
  removeSavedSearch,
  suggestSavedSearches,
  updateSavedSearch,
} from './saved-searches.js'
