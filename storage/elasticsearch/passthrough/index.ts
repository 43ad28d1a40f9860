/** Searches that clients write in the language of the search engine. */
export { createEngineSearches } from './search.js'
