export { createDirectoryCache, type DirectoryCache } from './backends/cache.js'
export { filterOf } from './backends/filter.js'
export { wordsOf } from './backends/words.js'
export { buildDirectories, dataFilesOf } from './build-directories.js'
export { changingDirectories } from './changing.js'
export { parseCsv } from './csv.js'
export { directoriesPoint } from './directories-point.js'
export { labelOf, withMessageKey } from './labels.js'
export { type DataFile, loadDirectories } from './load.js'
export { findEntries, getEntries, getEntry, requireDirectory } from './read.js'
export { requireWrite } from './rights.js'
export { type Suggestion, type SuggestOptions, suggestEntries } from './suggest.js'
export type {
  Directories,
  Directory,
  DirectoryEntry,
  DirectoryLoader,
  DirectoryRegistry,
  DirectoryStore,
  EntryQuery,
  FoundEntries,
  Reference,
} from './types.js'
export { createEntry, deleteEntry, noSuchEntry, updateEntry } from './write.js'
