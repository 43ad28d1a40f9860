import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeCutConnections } from '../../support/s3-cuts.js'
import { startS3Server } from '../../support/s3-server.js'

const fixture = await startS3Server()
const folder = await mkdtemp(join(tmpdir(), 'archivolt-s3-cuts-'))
afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

await describeCutConnections('the fixture', {
  ...{ endpoint: fixture.endpoint, folder },
  unfinished: () => fixture.uploads.size,
})
