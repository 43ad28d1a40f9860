import type { Identities } from '../../../access/identity/index.js'
import type { Principal } from '../../../access/security/index.js'
import type { Directories, Directory, DirectoryEntry, EntryQuery, FoundEntries } from '../types.js'
import { createIdentityBackend } from './identity-backend.js'
import { createMultiBackend } from './multi-backend.js'

export type DirectorySession = { principal: Principal; directories: Directories; identities: Identities }

/** The store of one directory's entries, without a check of rights. */
export type Backend = {
  get(id: string): Promise<DirectoryEntry | undefined>
  /** In the order of the ids; unknown ids are left out. */
  getMany(ids: readonly string[]): Promise<DirectoryEntry[]>
  find(query: EntryQuery): Promise<FoundEntries>
  /** False when the id is taken. */
  insert(entry: DirectoryEntry): Promise<boolean>
  /** False when there is no such entry. */
  update(entry: DirectoryEntry): Promise<boolean>
  /** False when there is no such entry. */
  remove(id: string): Promise<boolean>
}

export const backendOf = (session: DirectorySession, directory: Directory): Backend => {
  if (directory.backend === 'multi') return createMultiBackend(session, directory)
  if (directory.backend !== 'entries') return createIdentityBackend(session, directory)
  const { store } = session.directories
  return {
    get: (id) => store.get(directory, id),
    getMany: (ids) => store.getMany(directory, ids),
    find: (query) => store.find(directory, query),
    insert: async (entry) => (await store.insert(directory, [entry])).length === 1,
    update: async ({ id, properties }) => (await store.update(directory, id, properties)) !== undefined,
    remove: (id) => store.remove(directory, id),
  }
}
