import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { withZip, zipOf } from '../../../platform/archives/index.js'
import { sanitise } from './sanitise.js'
import { MAX_ENTRIES, requireBounded } from './unpacked-size.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-packages-'))
afterAll(() => rm(folder, { recursive: true }))

const MEBIBYTE = 1024 * 1024

/** As much of one byte, without holding it. */
async function* zeros(mebibytes: number): AsyncGenerator<Buffer> {
  const part = Buffer.alloc(MEBIBYTE)
  for (let count = 0; count < mebibytes; count++) yield part
}

const zipped = (files: { [name: string]: number | Buffer }): Promise<Buffer> =>
  buffer(
    zipOf(
      Object.entries(files).map(([name, content]) => ({
        name,
        length: typeof content === 'number' ? content * MEBIBYTE : content.length,
        open: () => (typeof content === 'number' ? zeros(content) : Readable.from([content])),
      })),
    ),
  )

const look = async (archive: Buffer) => {
  const path = join(folder, 'document')
  await writeFile(path, archive)
  return withZip(path, MAX_ENTRIES, async (entries) => requireBounded(entries, (await stat(path)).size))
}

const isRefused = (message: string) => ({ code: 'invalid', message: expect.stringContaining(message) })

test('a package is refused that is small as a file and huge when it is opened', async () => {
  await expect(look(await zipped({ 'word/document.xml': 80 }))).rejects.toMatchObject(isRefused('200 times'))
  await expect(look(await zipped({ 'content.xml': 600, 'styles.xml': 600 }))).rejects.toMatchObject(
    isRefused('more than 1073741824 bytes'),
  )
})

test('a package within a package counts with what it holds', async () => {
  const inner = await zipped({ 'xl/worksheets/sheet1.xml': 80 })
  await expect(look(await zipped({ 'word/embeddings/sheet.xlsx': inner }))).rejects.toMatchObject(
    isRefused('200 times'),
  )
  let nested = await zipped({ 'a.xml': Buffer.from('<a/>') })
  for (let depth = 0; depth < 3; depth++) nested = await zipped({ 'a.zip': nested })
  await expect(look(nested)).rejects.toMatchObject(isRefused('3 deep at most'))
})

test('packages within a package have so many parts together', async () => {
  const parts = Array.from({ length: 500 }, (_, at): [string, Buffer] => [`${at}`, Buffer.alloc(0)])
  const inner = await zipped(Object.fromEntries(parts))
  const holding = (count: number) =>
    zipped(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.xlsx`, inner])))
  await look(await holding(39))
  await expect(look(await holding(40))).rejects.toThrow('The archive has 500 entries, of 460 at most')
})

test('a package that says less of a part than it holds is refused', async () => {
  const archive = await zipped({ 'word/document.xml': 2 })
  const directory = archive.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  archive.writeUInt32LE(100, directory + 24)
  await expect(look(archive)).rejects.toThrow(/too many bytes/)
})

test('what a document usually holds is let through, a sheet within it, too', async () => {
  const sheet = await zipped({ 'xl/worksheets/sheet1.xml': 20 })
  const heads = await look(await zipped({ 'word/document.xml': 30, 'word/embeddings/sheet.xlsx': sheet }))
  expect([...heads].map(([{ name }]) => name)).toEqual(['word/document.xml', 'word/embeddings/sheet.xlsx'])
})

test.each(['docx', 'odt', 'xlsx'])('a bomb of %s is refused before a program opens it', async (extension) => {
  const input = join(folder, `bomb.${extension}`)
  await writeFile(input, await zipped({ mimetype: Buffer.from('x'), 'content.xml': 100 }))
  await expect(sanitise({ input, mimeType: 'application/zip', encoding: null })).rejects.toMatchObject({
    code: 'invalid',
  })
})
