import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { isFullRun } from '../../../test/support/size.js'
import { createEntryNames, type ZipEntry, zipOf } from './index.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-zip-'))
afterAll(() => rm(folder, { recursive: true }))

const entry = (name: string, content: Uint8Array, claimed = content.length): ZipEntry => ({
  name,
  length: claimed,
  open: async function* () {
    for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000)
  },
})

/** As another program reads it, which checks every checksum. */
const READ = `
import sys, zipfile, hashlib, json
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[i.filename, i.file_size, hashlib.md5(archive.read(i)).hexdigest()] for i in archive.infolist()]))`

const read = async (entries: readonly ZipEntry[]): Promise<[string, number, string][]> => {
  const path = join(folder, `${randomBytes(4).toString('hex')}.zip`)
  const chunks: Uint8Array[] = []
  for await (const chunk of zipOf(entries)) chunks.push(chunk)
  await writeFile(path, Buffer.concat(chunks))
  const { stdout } = await promisify(execFile)('python3', ['-c', READ, path], { maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

test('another program finds every entry as it was', async () => {
  const large = randomBytes(300_000)
  const names = ['empty', 'läßt.txt', 'folder/', 'folder/large.bin']
  const contents = [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(0), large]
  const found = await read(names.map((name, index) => entry(name, contents[index]!)))
  expect(found.map(([name, size]) => [name, size])).toEqual(
    names.map((name, index) => [name, contents[index]!.length]),
  )
})

test('the form for files beyond 4 GiB can be read too', async () => {
  expect(await read([entry('a', Buffer.from('hello'), 2 ** 33)])).toEqual([
    ['a', 5, '5d41402abc4b2a76b9719d911017c592'],
  ])
})

// Writing them takes half a minute: the archive's library looks at every entry for each of them.
test.runIf(isFullRun)('more entries than 16 bits count can be read too', async () => {
  const many = Array.from({ length: 65_600 }, (_, index) => entry(String(index), Buffer.alloc(0)))
  expect(await read(many)).toHaveLength(65_600)
})

test('an entry that cannot be read ends the archive', async () => {
  const broken: ZipEntry = {
    name: 'broken',
    length: 1,
    open: async function* () {
      yield Buffer.from('x')
      throw new Error('gone')
    },
  }
  const consume = async () => {
    for await (const chunk of zipOf([broken])) expect(chunk).toBeDefined()
  }
  await expect(consume()).rejects.toThrow('gone')
})

test('a reader that goes away closes what was opened', async () => {
  let isClosed = false
  const endless: ZipEntry = {
    name: 'endless',
    length: 1,
    open: async function* () {
      try {
        for (;;) yield randomBytes(100_000)
      } finally {
        isClosed = true
      }
    },
  }
  let seen = 0
  for await (const chunk of zipOf([endless])) {
    seen += chunk.length
    if (seen > 1_000_000) break
  }
  await expect.poll(() => isClosed).toBe(true)
})

test('names are safe and there once', () => {
  const name = createEntryNames()
  const given = ['a.txt', 'A.txt', '../../etc/passwd', '..', null, 'c:\\x', '.profile', '.profile', 'a.txt']
  expect(given.map(name)).toEqual([
    'a.txt',
    'A (1).txt',
    '.._.._etc_passwd',
    'file',
    'file (1)',
    'c__x',
    '.profile',
    '.profile (1)',
    'a (2).txt',
  ])
})
