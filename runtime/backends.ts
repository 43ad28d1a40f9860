import { join } from 'node:path'
import type { SearchBackend } from '../core/content/stores/index.js'
import type { BlobStore } from '../core/files/blobs/index.js'
import { createFileBlobStore } from '../storage/blobs/filesystem/index.js'
import {
  checkNxql,
  createContentStores,
  createDirectoryStore,
  createIdentityStore,
} from '../storage/postgres/index.js'

/** The repository answers searches as it answers all queries, which it has checked. */
const repositorySearch: SearchBackend = {
  check: () => undefined,
  open: async () => ({ on: ({ queries }) => queries }),
}

/**
 * Which backend serves which contract. Another backend is a folder in `storage/`, which the suites in
 * `storage/contract/` run, and a line here.
 */
export const backends = {
  /** @param home the folder of all state. */
  blobs: ({ home }: { home: string }): BlobStore => createFileBlobStore({ folder: join(home, 'blobs') }),
  /** The stores of a repository, bound to one transaction, and the check of queries that are asked later. */
  content: { createStores: createContentStores, checkQuery: checkNxql },
  /** What answers the searches of users. */
  search: repositorySearch,
  identities: createIdentityStore,
  directories: createDirectoryStore,
}
