export { buildDirectories, dataFilesOf } from './build-directories.js'
export { directoriesPoint } from './directories-point.js'
export type { DataFile } from './load.js'
export { mayRead, mayWrite } from './rights.js'
export type {
  Directories,
  Directory,
  DirectoryEntry,
  DirectoryRegistry,
  DirectoryStore,
  EntryQuery,
  FoundEntries,
  Reference,
} from './types.js'
