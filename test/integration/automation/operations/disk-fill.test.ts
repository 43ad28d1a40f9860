import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { type Principal, principalOf } from '../../../../core/access/security/index.js'
import { runOperation } from '../../../../core/automation/execution/index.js'
import type { ChainStep, Value } from '../../../../core/automation/language/index.js'
import { createDocument } from '../../../../core/content/documents/index.js'
import { createBlobValue } from '../../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../../../core/model/properties/index.js'
import { createAutomationRuntime } from '../../../../runtime/index.js'
import { createTestPlatform } from '../../../support/platform.js'

const lines: { msg: string; principal?: string; count?: number; category?: string }[] = []
const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
const { platform } = await createTestPlatform({ ARCHIVOLT_MAX_UPLOAD_BYTES: '1000' }, logger)
const runtime = await createAutomationRuntime(platform)
afterAll(() => runtime.close())

const ANN = principalOf('ann', [], false)
const ADMINISTRATOR = principalOf('Administrator', ['administrators'], true)

const run = (
  operation: string,
  { as = ADMINISTRATOR, input, params = {} }: { as?: Principal; input: Value; params?: ChainStep['params'] },
) =>
  runOperation(runtime.segments(), {
    principal: as,
    call: { operation, input, params, variables: {} },
    signal: new AbortController().signal,
  })

const stored = async (name: string, length: number): Promise<BlobValue> =>
  createBlobValue({ stored: await platform.blobs.write(Buffer.alloc(length, name)), name })

test('a file that is zipped many times under one name is in the archive once', async () => {
  const [file, other] = [await stored('a.txt', 300), await stored('b.txt', 300)]
  const zipped = await run('Blob.CreateZip', {
    input: { type: 'blobs', blobs: [...Array(50).fill(file), other, { ...file, name: 'c.txt' }] },
  })
  if (zipped.type !== 'blob') throw new Error('no archive')
  const archive = (await buffer(await platform.blobs.open(zipped.blob))).toString('latin1')
  // Each entry has its name twice: before its bytes, and in the directory at the end.
  for (const name of ['a.txt', 'b.txt', 'c.txt']) expect(archive.split(name)).toHaveLength(3)
  expect(archive).not.toContain('a (1).txt')
})

test('files that are larger together than an upload may be are not zipped', async () => {
  const file = await stored('a.txt', 300)
  const blobs = Array.from({ length: 4 }, (_, n) => ({ ...file, name: `${n}.txt` }))
  await expect(run('Blob.CreateZip', { input: { type: 'blobs', blobs } })).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('1200 bytes, more than ARCHIVOLT_MAX_UPLOAD_BYTES (1000)'),
  })
})

const documentWith = (file: BlobValue): Promise<DocumentRecord> =>
  platform.withSession(ADMINISTRATOR, (session) =>
    createDocument(session, {
      parent: '/',
      type: 'File',
      name: String(file.name),
      properties: { 'file:content': file },
    }),
  )

test('a document that is downloaded many times is in the archive once', async () => {
  const [document, other] = [
    await documentWith(await stored('d.txt', 300)),
    await documentWith(await stored('e.txt', 300)),
  ]
  const zipped = await run('Blob.BulkDownload', {
    input: { type: 'documents', ids: [...Array(50).fill(document.id), other.id] },
  })
  if (zipped.type !== 'blob') throw new Error('no archive')
  const archive = (await buffer(await platform.blobs.open(zipped.blob))).toString('latin1')
  for (const name of ['d.txt', 'e.txt']) expect(archive.split(name)).toHaveLength(3)
  expect(archive).not.toContain('d (1).txt')
})

test('documents whose files are larger together than an upload may be are not downloaded', async () => {
  const documents = []
  for (let n = 0; n < 4; n++) documents.push(await documentWith(await stored(`${n}.txt`, 300)))
  const input: Value = { type: 'documents', ids: documents.map(({ id }) => id) }
  await expect(run('Blob.BulkDownload', { input })).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('1200 bytes, more than ARCHIVOLT_MAX_UPLOAD_BYTES (1000)'),
  })
})

const log = (message: string, as: Principal) =>
  run('Log', { as, input: { type: 'void' }, params: { message, category: 'c'.repeat(1_000) } })

test('a message of the operation Log is cut, and a user has so many in a minute', async () => {
  await log('m'.repeat(5_000), ANN)
  const long = lines.find(({ principal }) => principal === 'ann')
  expect(long?.msg).toBe(`${'m'.repeat(4_000)} … (1000 more characters)`)
  expect(long?.category).toHaveLength(200)
  for (let n = 0; n < 310; n++) await log(`message ${n}`, ANN)
  expect(lines.filter(({ principal }) => principal === 'ann')).toHaveLength(300)
  for (let n = 0; n < 310; n++) await log(`message ${n}`, ADMINISTRATOR)
  expect(lines.filter(({ principal }) => principal === 'Administrator')).toHaveLength(310)
})
