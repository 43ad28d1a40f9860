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
