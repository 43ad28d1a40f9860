import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'
import { describeTransientFileStore } from '../../../storage/contract/transient-files.js'
import { createPostgresTransientStore } from '../../../storage/postgres/index.js'
import { createLocalTransientStore } from '../../../storage/transient/local/index.js'
import { openDatabase } from '../storage/contract/postgres.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-transient-'))
const blobs = createFileBlobStore({ folder: join(folder, 'blobs') })
const { aside } = await openDatabase()

afterAll(() => rm(folder, { recursive: true, force: true }))

describeTransientFileStore('local', {
  open: (config) => createLocalTransientStore({ folder: join(folder, config.path), config, blobs }),
  blobs: () => blobs,
})

describeTransientFileStore('cluster', {
  open: (config) => createPostgresTransientStore({ sql: aside, config, blobs }),
  blobs: () => blobs,
})
