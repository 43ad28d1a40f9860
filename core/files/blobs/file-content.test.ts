import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileContent, READ_BUFFER_BYTES } from './file-content.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-content-'))
afterAll(() => rm(folder, { recursive: true }))

test.each([
  [0, []],
  [1_000, [1_000]],
  [READ_BUFFER_BYTES, [READ_BUFFER_BYTES]],
  [READ_BUFFER_BYTES + 5, [READ_BUFFER_BYTES, 5]],
])('a file of %i bytes comes in buffers of its length', async (length, lengths) => {
  const path = join(folder, String(length))
  const content = randomBytes(length)
  await writeFile(path, content)
  const parts: Uint8Array[] = []
  for await (const part of fileContent(path)) parts.push(part)
  expect(Buffer.concat(parts).equals(content)).toBe(true)
  expect(parts.map(({ byteLength }) => byteLength)).toEqual(lengths)
  expect(parts.map(({ buffer }) => buffer.byteLength)).toEqual(lengths)
})

test('a file that is not there is reported', async () => {
  await expect(fileContent(join(folder, 'none')).next()).rejects.toMatchObject({ code: 'ENOENT' })
})
