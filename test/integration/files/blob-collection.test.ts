import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, getDocument, removeDocument } from '../../../core/content/documents/index.js'
import { checkIn, saveDocument } from '../../../core/content/versioning/index.js'
import { type BlobReferences, collectBlobs, createBlobValue } from '../../../core/files/blobs/index.js'
import { readOpenRuns } from '../../../engine/index.js'
import { blobReferencesIn, createBlobLedger } from '../../../storage/postgres/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { soon } from '../../support/soon.js'

const { platform, settings } = await createTestPlatform()
const { blobs: store, database } = platform
const { sql } = database
const ledger = createBlobLedger(database)
const inDatabase = blobReferencesIn(database)
const HOUR = 3_600_000

const collect = (references: readonly BlobReferences[] = [inDatabase], graceMs = HOUR) =>
  collectBlobs({ store, ledger, references, graceMs })

const write = () => store.write(randomBytes(100))

/** Lets so much time pass for every blob. */
const age = async (ms: number): Promise<void> => {
  await sql`UPDATE blobs SET used_at = used_at - ${ms}::float8 * interval '1 millisecond',
    unreferenced_at = unreferenced_at - ${ms}::float8 * interval '1 millisecond'`
}

/** Two collections, each a grace time after what was before. */
const collectTwice = async (references?: readonly BlobReferences[]) => {
  await age(2 * HOUR)
  await collect(references)
  await age(2 * HOUR)
  return collect(references)
}

test('what documents and versions name stays; what nothing names any more goes, and is taken off the usage', async () => {
  const [first, second, third] = [await write(), await write(), await write()]
  const fileOf = (stored: typeof first) => ({ 'file:content': createBlobValue({ stored, name: 'a.bin' }) })
  const id = await platform.withSession(SYSTEM, async (session) => {
    const made = await createDocument(session, {
      parent: '/',
      name: 'a',
      type: 'File',
      properties: fileOf(first),
    })
    const { document } = await checkIn(session, made, { increment: 'MINOR' })
    await saveDocument(session, document, fileOf(second))
    return made.id
  })
  const before = await ledger.usage('')
  expect(await collectTwice()).toMatchObject({ blobs: 1, bytes: 100 })
  expect([await store.has(first), await store.has(second), await store.has(third)]).toEqual([
    true,
    true,
    false,
  ])
  expect((await ledger.usage('')).total).toBe(before.total - 100)
  await platform.withSession(SYSTEM, async (session) => {
    await removeDocument(session, await getDocument(session, id))
  })
  await sql`DELETE FROM outbox`
  expect(await collectTwice()).toMatchObject({ blobs: 2 })
})

test('a dry run counts what would go and what would stay, and changes nothing', async () => {
  const [kept, gone] = [await write(), await write()]
  const named: BlobReferences = async (found) => found(kept.key)
  const count = () => collectBlobs({ store, ledger, references: [named], graceMs: HOUR, isDryRun: true })
  await age(2 * HOUR)
  expect(await count()).toMatchObject({ blobs: 0, bytes: 0, unfinished: 0 })
  await collect([named])
  await age(2 * HOUR)
  const before = await count()
  expect(before).toMatchObject({ blobs: 1, bytes: 100, durationMs: expect.any(Number) })
  expect(before.kept.blobs).toBeGreaterThan(0)
  expect(await store.has(gone)).toBe(true)
  const { blobs, bytes, kept: after } = await collect([named])
  expect({ blobs, bytes, kept: after }).toEqual({ blobs: 1, bytes: 100, kept: before.kept })
  expect([await store.has(kept), await store.has(gone)]).toEqual([true, false])
})

test.each([
  [
    'the transient store',
    (key: string) => sql`
    INSERT INTO transient_entries (key, value, bytes, expires_at)
    VALUES (${randomUUID()}, ${sql.json({ state: { input: { key } } })}, 1, now() + interval '1 day')`,
  ],
  [
    'a receipt',
    (key: string) => sql`
    INSERT INTO receipts (workflow_id, step, result) VALUES (${randomUUID()}, '1', ${sql.json({ blob: { key } })})`,
  ],
  [
    'a contribution',
    (key: string) => sql`
    INSERT INTO directory_entries (directory, id, properties)
    VALUES ('templates', ${key}, '{}')`,
  ],
])('what %s names stays', async (_, name) => {
  const blob = await write()
  await name(blob.key)
  await collectTwice()
  expect(await store.has(blob)).toBe(true)
})

test('a blob goes only after two looks a grace time apart, and not when somebody stores its bytes in between', async () => {
  const bytes = randomBytes(50)
  const blob = await store.write(bytes)
  await collect()
  await collect()
  expect(await store.has(blob)).toBe(true)
  await age(2 * HOUR)
  await collect()
  await store.write(bytes)
  await age(HOUR / 2)
  await collect()
  expect(await store.has(blob)).toBe(true)
  await collectTwice()
  expect(await store.has(blob)).toBe(false)
})

test('one that is named again at the second look stays, and begins again', async () => {
  const blob = await write()
  await age(2 * HOUR)
  await collect()
  await age(2 * HOUR)
  await collect([inDatabase, async (found) => found(blob.key)])
  await collect()
  expect(await store.has(blob)).toBe(true)
})

test('nothing goes when a place that may name blobs cannot be read', async () => {
  const blob = await write()
  const broken = async () => {
    throw new Error('Temporal is away')
  }
  await expect(collectTwice([inDatabase, broken])).rejects.toThrow('Temporal is away')
  expect(await store.has(blob)).toBe(true)
})

test('files of release 0.1.0 are noted, kept for the grace time, and removed when nothing names them', async () => {
  const digest = randomBytes(16).toString('hex')
  const folder = join(settings.home, 'blobs', 'data', digest.slice(0, 2), digest.slice(2, 4))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, digest), 'old')
  await utimes(join(folder, digest), 1, 1)
  await collect()
  await collect()
  expect((await stat(join(folder, digest))).size).toBe(3)
  await collectTwice()
  expect(await store.has({ digest })).toBe(false)
})

test('whoever stores bytes while they are collected has them', async () => {
  for (let round = 0; round < 30; round++) {
    const bytes = randomBytes(64)
    await store.write(bytes)
    await age(2 * HOUR)
    await collect()
    await age(2 * HOUR)
    const collecting = [collect(), collect()]
    const written = await Promise.all([store.write(bytes), store.write(bytes)])
    await Promise.all(collecting)
    expect(await store.has(written[0])).toBe(true)
  }
})

test('what an open run holds is read from its history', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  onTestFinished(() => connection.close())
  const client = new Client({ connection })
  const taskQueue = `nobody-${randomUUID()}`
  const blob = await write()
  const input = { state: { input: { type: 'blob', blob: createBlobValue({ stored: blob, name: null }) } } }
  const handle = await client.workflow.start('chain', { taskQueue, workflowId: randomUUID(), args: [input] })
  onTestFinished(async () => {
    await handle.terminate()
  })
  const texts: string[] = []
  await soon(async () => {
    await readOpenRuns({ client, taskQueue }, (text) => texts.push(text))
    expect(texts.join()).toContain(blob.key)
  })
})
