import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lookup } from 'mime-types'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { mediaKeyOf } from '../../../core/content/media/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { startMedia } from '../../../engine/index.js'
import { followMedia } from '../../../worker/events/media.js'
import { createTestAutomation } from '../../support/automation.js'
import { ADMIN_PASSWORD } from '../../support/platform.js'
import { soon } from '../../support/soon.js'
import { openWorkshop } from '../support/conversions-support.js'
import { createClient, type Entity } from '../support/rest-client.js'
import { office } from '../support/samples.js'

/** A file of each kind, uploaded as clients do, with what appears on its document and in Temporal. */

const { platform, settings, client } = await createTestAutomation()
const engine = await createEngine(platform)
const call = createClient(platform, engine)
const app = createApp(platform, engine)
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'archivolt-dropped-'))
const workshop = await openWorkshop()
afterAll(async () => {
  await engine.close()
  await workshop.close()
  await rm(folder, { recursive: true, force: true })
})

const look = followMedia(platform, platform.database, (work) =>
  startMedia({ client, taskQueue: settings.temporal.taskQueue }, work),
)
await look()

const Authorization = `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`

const fetched = async (path: string) => {
  const response = await app.request(path, { headers: { Authorization } })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

const made = async (name: string, ...options: string[]): Promise<Buffer> => {
  const path = join(folder, name)
  await run('ffmpeg', ['-v', 'error', '-y', ...options, path])
  return readFile(path)
}

/** Uploads a file, and creates a document with it. */
const drop = async (type: string, name: string, bytes: Uint8Array): Promise<string> => {
  const { json: batch } = await call('POST', '/api/v1/upload')
  const uploaded = await app.request(`/api/v1/upload/${batch.batchId}/0`, {
    method: 'POST',
    headers: { Authorization, 'X-File-Name': name, 'X-File-Type': lookup(name) || '' },
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  expect(uploaded.status).toBe(201)
  const content = { 'upload-batch': batch.batchId, 'upload-fileId': '0' }
  const json = { 'entity-type': 'document', type, name, properties: { 'file:content': content } }
  const { json: document } = await call('POST', '/api/v1/path/default-domain/workspaces', { json })
  return document.uid
}

const ENDED = new Set(['done', 'failed'])

/** Waits until all that is made of a document has ended. @returns kinds and their states. */
const ended = async (id: string): Promise<string[]> => {
  let entries: Entity[] = []
  await soon(async () => {
    await look()
    entries = (await call('GET', `/api/v1/id/${id}/@media`)).json.entries
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.filter(({ state }) => !ENDED.has(state))).toEqual([])
  })
  return entries.map(({ kind, state }) => `${kind} ${state}`)
}

const properties = async (id: string): Promise<{ [xpath: string]: Entity }> =>
  (await call('GET', `/api/v1/id/${id}`, { headers: { properties: '*' } })).json.properties

const found = async (word: string): Promise<string[]> => {
  const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:fulltext = '${word}'`)
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`)
  return json.entries.map(({ uid }: Entity) => uid)
}

/** Kinds of the runs that Temporal lists for a document. */
const runsOf = async (id: string): Promise<string[]> => {
  const kinds: string[] = []
  const query = `WorkflowType = 'media' AND DocumentId = '${id}' AND TaskQueue = '${settings.temporal.taskQueue}'`
  for await (const { memo, status } of client.workflow.list({ query }))
    kinds.push(`${String(memo?.kind)} ${status.name}`)
  return kinds.sort()
}

const thumbnailOf = async (id: string) => {
  const { status, bytes } = await fetched(`/api/v1/id/${id}/@rendition/thumbnail`)
  expect(status).toBe(200)
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  return Math.max(width, height)
}

type Row = {
  type: string
  name: string
  bytes(): Promise<Uint8Array>
  kinds: readonly string[]
  expected(id: string): Promise<void>
}

const words = (word: string) => async (id: string) => {
  expect(await found(word)).toEqual([id])
  expect(await thumbnailOf(id)).toBeGreaterThan(90)
}

const FILM = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=160x120:rate=10']

const rows: readonly Row[] = [
  {
    ...{ type: 'Picture', name: 'dropped.png', kinds: ['picture'] },
    bytes: () =>
      sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    expected: async (id) => {
      expect((await properties(id))['picture:views']).toHaveLength(5)
      expect(await thumbnailOf(id)).toBe(100)
    },
  },
  {
    ...{ type: 'Video', name: 'dropped.mp4' },
    kinds: ['transcoding:MP4 480p', 'transcoding:WebM 480p', 'video'],
    bytes: () => made('dropped.mp4', ...FILM, '-pix_fmt', 'yuv420p'),
    expected: async (id) => {
      const film = await properties(id)
      const names = film['vid:transcodedVideos'].map((each: Entity) => each.name)
      expect(names.sort()).toEqual(['MP4 480p', 'WebM 480p'])
      expect(film['picture:views']).toHaveLength(2)
      const { bytes } = await fetched(`/api/v1/id/${id}/@rendition/StaticPlayerView`)
      expect((await sharp(bytes).metadata()).width).toBe(160)
      expect(await thumbnailOf(id)).toBe(100)
    },
  },
  {
    ...{ type: 'Audio', name: 'dropped.mp3', kinds: ['audio'] },
    bytes: () => made('dropped.mp3', '-f', 'lavfi', '-i', 'sine=duration=2'),
    expected: async (id) => {
      expect((await properties(id))['aud:duration']).toBe(2)
      expect(await thumbnailOf(id)).toBe(400)
    },
  },
  {
    ...{ type: 'File', name: 'dropped.docx', kinds: ['text', 'thumbnail'] },
    bytes: async () =>
      Buffer.from(await office('a.txt', 'pneumatic', { converter: 'any2docx' })(folder, workshop)),
    expected: words('pneumatic'),
  },
  {
    // Its language is detected with the words, which are stemmed by it.
    ...{ type: 'File', name: 'dropped.txt', kinds: ['text'] },
    bytes: async () =>
      Buffer.from('The nightingales were singing in the gardens while all of the others slept quietly.'),
    expected: async (id) => {
      expect((await properties(id))['dc:language']).toBe('en')
      for (const word of ['nightingales', 'nightingale', 'garden']) expect(await found(word)).toEqual([id])
    },
  },
  {
    ...{ type: 'File', name: 'dropped.html', kinds: ['text', 'thumbnail'] },
    bytes: async () => Buffer.from('<html><body><p>quixotic</p></body></html>'),
    expected: words('quixotic'),
  },
  {
    ...{ type: 'File', name: 'dropped.pdf', kinds: ['text', 'thumbnail'] },
    bytes: async () =>
      Buffer.from(await office('a.txt', 'rhapsody', { type: 'application/pdf' })(folder, workshop)),
    expected: words('rhapsody'),
  },
]

test.each(rows)('$name: what is made of it, and a run of Temporal for each', async (row) => {
  const id = await drop(row.type, row.name, await row.bytes())
  expect(await ended(id)).toEqual(row.kinds.map((kind) => `${kind} done`))
  await row.expected(id)
  const source = (await platform.readSession(SYSTEM).stores.documents.get(id))?.properties[
    'file:content'
  ] as BlobValue
  for (const kind of row.kinds)
    await client.workflow.getHandle(`media-${kind}-${mediaKeyOf({ source })}`).result()
  await soon(async () => expect(await runsOf(id)).toEqual(row.kinds.map((kind) => `${kind} COMPLETED`)))
})
