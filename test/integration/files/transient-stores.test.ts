import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  type TransientFileStore,
  type TransientStoreConfig,
  transientStoreConfig,
  transientStoresPoint,
} from '../../../core/files/transient/index.js'
import { mergeContributions } from '../../../core/platform/contributions/index.js'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'
import { describeTransientFileStore } from '../../../storage/contract/transient-files.js'
import { describeSharedUploads } from '../../../storage/contract/uploads.js'
import { createPostgresTransientStore } from '../../../storage/postgres/index.js'
import { createLocalTransientStore } from '../../../storage/transient/local/index.js'
import { openDatabase } from '../storage/contract/postgres.js'

const NOTHING = mergeContributions([], [transientStoresPoint])
const folder = await mkdtemp(join(tmpdir(), 'archivolt-transient-'))
const blobs = createFileBlobStore({ folder: join(folder, 'blobs') })
const { aside } = await openDatabase()

afterAll(() => rm(folder, { recursive: true, force: true }))

/** How each kind of store is opened. */
const kinds: {
  readonly [kind in TransientStoreConfig['kind']]: (config: TransientStoreConfig) => TransientFileStore
} = {
  local: (config) => createLocalTransientStore({ folder: join(folder, config.path), config, blobs }),
  cluster: (config) => createPostgresTransientStore({ sql: aside, config, blobs }),
}

for (const [kind, open] of Object.entries(kinds)) {
  describeTransientFileStore(kind, { open, blobs: () => blobs })
  describeSharedUploads(kind, {
    open: (name) => open(transientStoreConfig(NOTHING, name)),
    blobs,
  })
}

test('a store takes from the default one what it does not say itself', () => {
  const text = `transientStores:
  default: {kind: cluster, firstLevelTTL: 5, targetMaxSizeMB: 3}
  own: {path: mine, secondLevelTTL: 1, targetMaxSizeMB: -1, absoluteMaxSizeMB: 2}
`
  const contributions = mergeContributions([{ file: 'test.yaml', text }], [transientStoresPoint])
  expect(transientStoreConfig(contributions, 'own')).toEqual({
    ...{ name: 'own', kind: 'cluster', path: 'mine', firstLifeMs: 300_000, secondLifeMs: 60_000 },
    ...{ targetMaxBytes: undefined, absoluteMaxBytes: 2 * 1024 * 1024 },
  })
  expect(transientStoreConfig(contributions, 'undeclared')).toMatchObject({
    ...{ kind: 'cluster', path: 'undeclared', firstLifeMs: 300_000, secondLifeMs: 600_000 },
  })
})
