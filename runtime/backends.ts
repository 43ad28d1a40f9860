import { join } from 'node:path'
import type { QueryBackend } from '../core/content/stores/index.js'
import type { BlobStore } from '../core/files/blobs/index.js'
import { createFileBlobStore } from '../storage/blobs/filesystem/index.js'
import {
  checkNxql,
  createContentStores,
  createDirectoryStore,
  createIdentityStore,
  createLoginTries,
  createOpenRunStore,
} from '../storage/postgres/index.js'

/**
 * Which backend serves which contract. Another backend is a folder in `storage/`, which the suites in
 * `storage/contract/` run, and a line here.
 */
export const backends = {
  /** @param home the folder of all state. */
  blobs: ({ home }: { home: string }): BlobStore => createFileBlobStore({ folder: join(home, 'blobs') }),
  /** The stores of a repository, bound to one transaction. */
  content: createContentStores,
  /**
   * What answers the queries of a unit of work.
   *
   * @param own the backend of the repository, which sees what the transaction has written.
   */
  queries: (own: QueryBackend): QueryBackend => own,
  /** Refuses what they could not answer, where a query is given before it is asked. */
  checkQuery: checkNxql,
  openRuns: createOpenRunStore,
  identities: createIdentityStore,
  loginTries: createLoginTries,
  directories: createDirectoryStore,
}
