import { join } from 'node:path'
import { type BlobStore, createDispatchedStore, type DispatchedStore } from '../core/files/blobs/index.js'
import type { TransientFileStore, TransientStoreConfig } from '../core/files/transient/index.js'
import type { ContentModel } from '../core/model/content-model/index.js'
import type { Settings } from '../core/platform/settings/index.js'
import { createFileBlobStore } from '../storage/blobs/filesystem/index.js'
import { elasticsearch } from '../storage/elasticsearch/index.js'
import {
  applyFulltextRules,
  checkNxql,
  createBlobLedger,
  createContentStores,
  createDirectoryStore,
  createIdentityStore,
  createIndexFeed,
  createLoginTries,
  createOpenRunStore,
  createPostgresTransientStore,
  createWriteLedger,
  createWritesTogether,
  type Database,
  type Sql,
} from '../storage/postgres/index.js'
import { createLocalTransientStore } from '../storage/transient/local/index.js'

type TransientPlace = {
  /** Of the store's entries. */
  folder: string
  database: Database
  config: TransientStoreConfig
  blobs: BlobStore
}

/**
 * Which backend serves which contract. Another backend is a folder in `storage/`, which the suites in
 * `storage/contract/` run, and a line here.
 */
export const backends = {
  /** @param home the folder of all state. */
  blobs: async ({
    home,
    s3,
  }: Pick<Settings, 'home' | 's3'>): Promise<BlobStore & Partial<DispatchedStore>> => {
    const files = createFileBlobStore({ folder: join(home, 'blobs') })
    if (!s3) return files
    // The client of S3 is loaded where there is a bucket alone.
    const { createS3BlobStore } = await import('../storage/blobs/s3/index.js')
    const bucket = createS3BlobStore({ ...s3, folder: join(home, 's3-spool') })
    return createDispatchedStore([
      ['s3', bucket],
      ['files', files],
    ])
  },
  blobLedger: createBlobLedger,
  /** By their kinds; `aside`, as callers may hold a connection of the pool. */
  transientFiles: {
    local: createLocalTransientStore,
    cluster: ({ database, ...place }: TransientPlace) =>
      createPostgresTransientStore({ sql: database.aside, ...place }),
  } satisfies { [kind in TransientStoreConfig['kind']]: (place: TransientPlace) => TransientFileStore },
  content: {
    /** The stores of a repository, bound to one transaction. */
    createStores: createContentStores,
    /** What is written outside transactions, with what others write at the same moment. */
    writesTogether: ({ together }: Database) => together && createWritesTogether(together),
    /** Refuses what its queries could not answer, where a query is given before it is asked. */
    checkQuery: checkNxql,
    /** Fits what is indexed to the content model. */
    followModel: (sql: Sql, { fulltext }: ContentModel) => applyFulltextRules(sql, fulltext),
  },
  /** What a repository reports of its documents to indexes. */
  indexFeed: createIndexFeed,
  /** What answers the searches of users. */
  search: elasticsearch,
  openRuns: createOpenRunStore,
  identities: createIdentityStore,
  loginTries: createLoginTries,
  writeLedger: createWriteLedger,
  directories: createDirectoryStore,
}
