import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { scanZip, withZip, zipOf } from './index.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-unzip-'))
afterAll(() => rm(folder, { recursive: true }))

const MOST = 10_000

const zipped = (files: { [name: string]: Buffer }): Promise<Buffer> =>
  buffer(
    zipOf(
      Object.entries(files).map(([name, content]) => ({
        ...{ name, length: content.length },
        open: () => Readable.from([content]),
      })),
    ),
  )

/** What `readSmall` gives of each entry, by its name. */
const smallOf = (archive: string | Buffer): Promise<{ [name: string]: Buffer | undefined }> =>
  withZip(archive, 10, async (entries) =>
    Object.fromEntries(
      await Promise.all(entries.map(async (entry) => [entry.name, await entry.readSmall(MOST)] as const)),
    ),
  )

const files = {
  text: Buffer.from('a text that is packed '.repeat(100)),
  noise: randomBytes(1_000),
  large: randomBytes(MOST + 1),
  zeros: Buffer.alloc(MOST + 1),
}

test('small entries are read at once, of an archive in memory and of one in a file', async () => {
  const archive = await zipped(files)
  const path = join(folder, 'files.zip')
  await writeFile(path, archive)
  for (const given of [archive, path])
    expect(await smallOf(given)).toEqual({
      ...{ text: files.text, noise: files.noise },
      ...{ large: undefined, zeros: undefined },
    })
})

test('an archive of more than some MiB is read in its parts', async () => {
  const noise = randomBytes(5 * 1024 * 1024)
  const path = join(folder, 'large.zip')
  await writeFile(path, await zipped({ ...files, more: noise }))
  expect((await smallOf(path)).text).toEqual(files.text)
  await withZip(path, 10, async (entries) => {
    const more = entries.find(({ name }) => name === 'more')
    expect((await buffer((await more?.open()) as Readable)).equals(noise)).toBe(true)
  })
})

test('an entry that holds more than it says is not read at once', async () => {
  const archive = await zipped({ text: files.text })
  const directory = archive.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  archive.writeUInt32LE(100, directory + 24)
  expect(await smallOf(archive)).toEqual({ text: undefined })
})

test('entries are shown one after the other, as far as somebody looks', async () => {
  const archive = await zipped(files)
  const seen: string[] = []
  await scanZip(archive, 10, ({ name }) => seen.push(name) < 2)
  expect(seen).toEqual(['text', 'noise'])
  await expect(scanZip(archive, 3, () => true)).rejects.toThrow('has 4 entries, of 3 at most')
})

/** Entries of a central directory without files: each with so many extra fields, and a comment of so many bytes. */
const listing = (count: number, { fields = 0, comment = 0 }): Buffer => {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(1, 28)
  header.writeUInt16LE(4 * fields, 30)
  header.writeUInt16LE(comment, 32)
  // An id that means nothing, and no bytes.
  const extra = Buffer.from([0xcd, 0xab, 0, 0])
  const extras = Array.from({ length: fields }, () => extra)
  const entry = Buffer.concat([header, Buffer.from('a'), ...extras, Buffer.alloc(comment, 'c')])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(entry.length * count, 12)
  return Buffer.concat([...Array.from({ length: count }, () => entry), end])
}

test('what an archive lists of its entries is read up to a size', async () => {
  const counted = (archive: Buffer) => withZip(archive, 10_000, async ({ length }) => length)
  expect(await counted(listing(100, { comment: 60_000 }))).toBe(100)
  expect(await counted(listing(300, { fields: 1_000 }))).toBe(300)
  for (const most of [listing(600, { comment: 60_000 }), listing(30, { fields: 16_000 })])
    await expect(counted(most)).rejects.toThrow('lists more than 33554432 bytes')
})
