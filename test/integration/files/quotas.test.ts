import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVERYTHING, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, setAcls } from '../../../core/content/documents/index.js'
import { MD5_COLLISION } from '../../../storage/contract/md5-collision.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({
  ARCHIVOLT_USER_QUOTA_BYTES: '1000',
  ARCHIVOLT_FILES_QUOTA_BYTES: '5000',
})
const call = createClient(platform)
for (const name of ['ann', 'bob']) await addUser(platform, name, ['members'])

const owned = (name: string, isAdministrator = false) =>
  platform.blobs.ownedBy(principalOf(name, [], isAdministrator))

const USER_QUOTA =
  'The files of ann would exceed the quota of 1000 bytes for one user (ARCHIVOLT_USER_QUOTA_BYTES)'

let count = 0
/** Bytes that no other test stores. */
const bytes = (length: number): Buffer => Buffer.alloc(length, `${count++} `)

const sum = async (): Promise<number> => {
  const [row] = await platform.database.sql<
    { sum: string }[]
  >`SELECT coalesce(sum(length), 0) AS sum FROM blobs`
  return Number(row?.sum)
}

test('a user may store so many bytes; others and administrators may go on', async () => {
  const file = bytes(600)
  await owned('ann').write(file)
  await expect(owned('ann').write(bytes(600))).rejects.toMatchObject({
    code: 'insufficientStorage',
    message: USER_QUOTA,
  })
  await owned('bob').write(bytes(600))
  await owned('root', true).write(bytes(1_500))
  expect(await sum()).toBe(2_700)
  expect(readdirSync(join(platform.settings.home, 'blobs', 'tmp'))).toEqual([])
})

test('bytes that are stored already cost nobody anything', async () => {
  const [same] = MD5_COLLISION
  await owned('bob').write(same)
  const before = await sum()
  await owned('ann').write(same)
  expect(await sum()).toBe(before)
})

test('files that come at once count together, before any of them is stored', async () => {
  const parts = async function* (content: Buffer) {
    for (let at = 0; at < content.length; at += 10) {
      yield content.subarray(at, at + 10)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: 4 }, () => owned('carl').write(parts(bytes(700)))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
})

test('all files together have a quota, for administrators too', async () => {
  await expect(owned('root', true).write(bytes(4_000))).rejects.toMatchObject({
    code: 'insufficientStorage',
    message: expect.stringContaining('ARCHIVOLT_FILES_QUOTA_BYTES'),
  })
})

test('a file beyond the quota is 507 with its name, and the document stays as it is', async () => {
  const { id } = await platform.withSession(SYSTEM, async (session) => {
    const made = await createDocument(session, { parent: '/', name: 'own', type: 'File' })
    const everything = { username: 'ann', permission: EVERYTHING, granted: true }
    await setAcls(session, made, [{ name: 'local', aces: [everything] }])
    return made
  })
  const body = new FormData()
  body.append('content', new Blob([new Uint8Array(bytes(600))]), 'a.bin')
  const upload = await call('PUT', `/api/v1/id/${id}/@blob/file:content`, { user: 'ann', body })
  expect([upload.status, upload.json.message]).toEqual([507, USER_QUOTA])
  expect((await call('GET', `/api/v1/id/${id}/@blob/file:content`)).status).toBe(404)
})

test('chunks of uploads count until they are joined or removed, those that come at once together', async () => {
  await addUser(platform, 'dora', ['members'])
  const user = 'dora'
  const batch = async (): Promise<string> => (await call('POST', '/api/v1/upload', { user })).json.batchId
  const send = (id: string, chunk: number, length: number) =>
    call('POST', `/api/v1/upload/${id}/0`, {
      user,
      body: bytes(length),
      headers: {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': String(chunk),
        'X-Upload-Chunk-Count': '3',
        'X-File-Size': '900',
        'X-File-Name': 'a.bin',
      },
    })
  const [first, second] = [await batch(), await batch()]
  expect((await send(first, 0, 600)).status).toBe(202)
  const refused = await send(second, 0, 600)
  expect([refused.status, refused.json.message]).toEqual([507, USER_QUOTA.replace('ann', 'dora')])
  expect((await call('GET', `/api/v1/upload/${second}/0`, { user })).json.uploadedChunkIds).toEqual([])
  const others = await Promise.all([send(second, 0, 350), send(second, 1, 350)])
  expect(others.map(({ status }) => status).sort()).toEqual([202, 507])

  expect((await call('DELETE', `/api/v1/upload/${first}`, { user })).status).toBe(204)
  expect((await send(second, 2, 500)).status).toBe(202)
})
