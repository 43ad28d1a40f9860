import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { type BlobStore, createDispatchedStore } from '../../../core/files/blobs/index.js'
import { createFileBlobStore } from '../../../storage/blobs/filesystem/index.js'
import { createS3BlobStore } from '../../../storage/blobs/s3/index.js'
import { describeBlobStore } from '../../../storage/contract/blobs.js'
import { S3_BUCKET, S3_CREDENTIALS } from '../../support/real-s3.js'
import { startS3Server } from '../../support/s3-server.js'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const server = await startS3Server()
const folder = await mkdtemp(join(tmpdir(), 'archivolt-s3-'))
const spool = join(folder, 'spool')

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const storeAt = (endpoint: string, more: Partial<Parameters<typeof createS3BlobStore>[0]> = {}): BlobStore =>
  createS3BlobStore({
    ...{ folder: spool, endpoint, bucket: S3_BUCKET, region: 'us-east-1', prefix: `${randomUUID()}/` },
    credentials: S3_CREDENTIALS,
    presignedSeconds: 0,
    ...more,
  })

const shared = storeAt(server.endpoint)
describeBlobStore('s3', () => shared)

const expectAddress = async (store: BlobStore, headers: Record<string, string>): Promise<void> => {
  const blob = await store.write(Buffer.from('signed'))
  const address = await store.addressOf!(blob, {
    contentType: 'text/html',
    contentDisposition: 'attachment; filename="a b.html"',
  })
  const response = await fetch(address!)
  expect([response.status, await response.text()]).toEqual([200, 'signed'])
  expect(Object.fromEntries(response.headers)).toMatchObject(headers)
}

const files = createFileBlobStore({ folder: join(folder, 'files') })
const both = createDispatchedStore([
  ['s3', storeAt(server.endpoint)],
  ['files', files],
])
describeBlobStore('dispatched', () => both)

test('bytes are moved between stores, and found in whichever has them', async () => {
  const blob = await both.write(Buffer.from('moved'))
  expect(await files.has(blob)).toBe(false)
  for (const [name, isInFiles] of [
    ['files', true],
    ['files', true],
    ['s3', false],
  ] as const) {
    await both.place(blob, name)
    expect([await files.has(blob), await text(await both.open(blob))]).toEqual([isInFiles, 'moved'])
  }
})

test('documents keep their files where the rules of the deployment want them', async () => {
  const config = join(folder, 'config')
  await mkdir(config)
  await writeFile(
    join(config, 'stores.yaml'),
    'blobDispatcher:\n  own:\n    rules:\n      - {store: files, types: [File], mimeTypes: [text/*], maxBytes: 10}\n',
  )
  const platform = await createTestPlatform({
    ARCHIVOLT_CONFIG: config,
    S3_BUCKET,
    S3_ENDPOINT: server.endpoint,
    S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    S3_PRESIGNED_SECONDS: '60',
  })
  const call = createClient(platform)
  const local = createFileBlobStore({ folder: join(platform.settings.home, 'blobs') })
  const statusesOf = async (
    data: string,
    headers: { [name: string]: string } = {},
  ): Promise<[isLocal: boolean, status: number]> => {
    const properties = { 'file:content': { name: 'a.txt', data } }
    const { json } = await call('POST', '/api/v1/path/default-domain/workspaces', {
      json: { 'entity-type': 'document', name: 'a', type: 'File', properties },
    })
    const key = createHash('sha256').update(data).digest('hex')
    const answer = await call('GET', `/nxfile/default/${json.uid}`, { headers })
    const { status } = answer
    const address = answer.headers.get('Location')
    if (address) expect(await (await fetch(address)).text()).toBe(data)
    return [await local.has({ key, digest: key }), status]
  }
  expect(await statusesOf('short')).toEqual([true, 200])
  expect(await statusesOf('longer than that')).toEqual([false, 302])
  const noted = await platform.database.sql`
    SELECT payload::text AS payload FROM outbox WHERE event = 'download' ORDER BY id DESC LIMIT 1`
  expect(noted[0]?.payload).toMatch(/"redirect": ?"http:[^?"]*\/data\/[^?"]*"/)
  // Its address gives the whole of it, whichever part was asked for.
  const notes = async () =>
    (await platform.database.sql`SELECT id FROM outbox WHERE event = 'download'`).length
  const before = await notes()
  expect(await statusesOf('in parts, it seems', { Range: 'bytes=1-' })).toEqual([false, 302])
  expect(await notes()).toBe(before + 1)
})

test('gives out addresses where they are wanted alone', async () => {
  expect(shared.addressOf).toBeUndefined()
  await expectAddress(storeAt(server.endpoint, { presignedSeconds: 60 }), {})
})

test('a file of many parts goes through cut connections once and whole', async () => {
  const store = storeAt(server.endpoint)
  const bytes = randomBytes(20_000_000)
  const seen = new Set<string>()
  // The first try of everything fails.
  server.cut = ({ method, path }) => {
    const request = `${method} ${path.replace(/uploadId=[^&]*/, '')}`
    if (seen.has(request)) return false
    seen.add(request)
    return true
  }
  const blob = await store.write(bytes)
  expect(blob.key).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect((await buffer(await store.open(blob))).equals(bytes)).toBe(true)
  server.cut = () => false
  const listed: string[] = []
  for await (const { key } of store.list()) listed.push(key)
  expect(listed).toEqual([blob.key])
})

test('a file that a server refuses leaves nothing, and can be written again', async () => {
  const store = storeAt(server.endpoint)
  const bytes = randomBytes(20_000_000)
  server.cut = ({ path }) => path.includes('partNumber=2')
  await expect(store.write(bytes)).rejects.toThrow()
  server.cut = () => false
  expect(await readdir(spool)).toEqual([])
  await store.removeUnfinished(0)
  expect(server.uploads.size).toBe(0)
  expect(await store.has(await store.write(bytes))).toBe(true)
})
