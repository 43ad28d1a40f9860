import type { Schema } from '../../model/content-model/index.js'
import type { Properties, PropertyValue } from '../../model/properties/index.js'

export type PasswordHashAlgorithm = 'SSHA' | 'SMD5'

/** Who may do something in a directory, by name. */
export type Allowed = { groups: readonly string[]; users: readonly string[] }

/**
 * Where the entries of a directory are: in its own rows, among the users or groups, or in other directories
 * whose entries it joins.
 */
export type DirectoryBackend = 'entries' | 'users' | 'groups' | 'multi'

/** How the ids that a field holds are found (reference: security.md §8, references). */
export type Reference = {
  /** The directory that the ids belong to. */
  directory: string
  /** The field over there that holds the ids of this side; absent when they are stored in this field. */
  inverseOf?: string
}

/** A source of a directory that joins others: entries of its sub-directories with the same id are one. */
export type MultiSource = {
  name: string
  /** Receives new entries. */
  isCreation: boolean
  subDirectories: readonly {
    name: string
    /** An entry may be missing here. */
    isOptional: boolean
    /** This directory's names of the fields, by their names over there. */
    fields: { [over: string]: string }
  }[]
}

/** A directory as contributions define it (reference: security.md §8). */
export type Directory = {
  name: string
  schema: Schema
  idField: string
  autoincrementIdField: boolean
  /** The directory that the field `parent` of the entries points into; may be the directory itself. */
  parentDirectory: string | null
  /** `system` hides a directory from lists. */
  types: readonly string[]
  passwordField: string | null
  /** null: passwords are hashed with this product's algorithm. */
  passwordHashAlgorithm: PasswordHashAlgorithm | null
  isReadOnly: boolean
  /** Entries that a search may return at most; 0 for no limit. */
  querySizeLimit: number
  /** Seconds that an entry may be cached, and how many entries; 0 for no cache. */
  cache: { seconds: number; entries: number }
  /** Values that every entry has: what is read must have them, what is written gets them. */
  filters: { [field: string]: PropertyValue }
  references: ReadonlyMap<string, Reference>
  /** An entry is not removed while entries of these point at it. */
  deleteConstraints: readonly { directory: string; field: string }[]
  sources: readonly MultiSource[]
  /** null: none were declared, so that everybody reads, and administrators and powerusers write. */
  permissions: { Read?: Allowed; Write?: Allowed } | null
  backend: DirectoryBackend
  /** How the product itself labels entries, by their ids; absent for directories that it does not bring. */
  labels?: ReadonlyMap<string, string>
}

/** An entry: its id, and its values by the bare names of the directory's schema. Absent means null. */
export type DirectoryEntry = { id: string; properties: Properties }

/** What to look for in a directory: every condition must hold. */
export type EntryQuery = {
  /** Values to be equal to, by field; null means that there is none. */
  filter?: { [field: string]: PropertyValue }
  /** Fields of `filter` that hold every word of the text, anywhere and in any case, instead of being equal to it. */
  fulltext?: readonly string[]
  /** By default in the directory's own order: `ordering`, then id. */
  orderBy?: readonly { field: string; isDescending: boolean }[]
  /** No limit when absent. */
  limit?: number
  offset?: number
}

export type FoundEntries = { entries: DirectoryEntry[]; total: number }

/** How a data file is brought in: what happens to entries that are there. */
export type Loading = { onDuplicate: 'skip' | 'update'; isReplacing: boolean }

/** The contract of what the first start needs of the rows of directories. */
export type DirectoryLoader = {
  /** What was loaded into each directory last. */
  loaded(): Promise<ReadonlyMap<string, string>>
  /** Writes entries in one statement, after taking away all others when it is to replace them. */
  load(directory: Directory, entries: readonly DirectoryEntry[], loading: Loading): Promise<{ added: number }>
  remember(loaded: ReadonlyMap<string, string>): Promise<void>
}

/** The contract of the store of directory rows, bound to a transaction. It knows no rights. */
export type DirectoryStore = {
  get(directory: Directory, id: string): Promise<DirectoryEntry | undefined>
  /** Entries in the order of the ids; those that are not there are left out. */
  getMany(directory: Directory, ids: readonly string[]): Promise<DirectoryEntry[]>
  find(directory: Directory, query: EntryQuery): Promise<FoundEntries>
  /** Adds entries in one statement, and returns the added ones: an id that is taken is left alone. */
  insert(directory: Directory, entries: readonly DirectoryEntry[]): Promise<string[]>
  /** Sets properties, null clears; undefined when there is no such entry. */
  update(directory: Directory, id: string, properties: Properties): Promise<DirectoryEntry | undefined>
  /** False when there is no such entry. */
  remove(directory: Directory, id: string): Promise<boolean>
  /** The entries that have one of some values in a field, or hold it in a list there, by value. */
  referencing(
    directory: Directory,
    field: string,
    values: readonly string[],
  ): Promise<{ value: string; id: string }[]>
  /** The next number for a directory that numbers its entries. */
  nextId(directory: Directory): Promise<string>
  /** Runs work in one transaction of the main database: in the one that this store is bound to, if any. */
  atomically<Result>(work: (store: DirectoryStore) => Promise<Result>): Promise<Result>
}

/** The directories of a deployment by name; built from contributions, never changed. */
export type DirectoryRegistry = ReadonlyMap<string, Directory>

/**
 * The directories of a unit of work. Reading and writing them is done by the functions of `core/content/directories`
 * (`getEntry`, `getEntries`, `findEntries`, `createEntry`, …), which check the rights of the session's caller.
 */
export type Directories = { registry: DirectoryRegistry; store: DirectoryStore }
