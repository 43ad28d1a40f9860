import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { zipOf } from '../../../../platform/archives/index.js'
import { createTools } from '../../tools/tools.js'
import type { Engine } from '../engine.js'
import { createEpubEngine } from './epub.js'
import { createMailEngine } from './mail.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-texts-'))
afterAll(() => rm(folder, { recursive: true }))

const tools = createTools({ path: process.env.PATH ?? '' })
const OPTIONS = { tools, timeoutMs: 60_000 }

const read = async (engine: Engine, content: string | Uint8Array): Promise<string> => {
  const input = join(folder, 'source')
  await writeFile(input, content)
  const { path } = await engine({
    ...{ input, folder, sourceMimeType: 'any/type', sourceEncoding: null, parameters: {} },
  })
  return readFile(path, 'utf8')
}

const mailOf = (parts: string, type = 'multipart/mixed; boundary=b'): string =>
  `Subject: words\r\nContent-Type: ${type}\r\n\r\n${parts}`

/** A mail that was forwarded as the file of a mail, and so on. */
const threadOf = (mails: number): string =>
  Array.from({ length: mails }).reduce<string>(
    (inner, _, at) =>
      mailOf(
        `--b${at}\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--b${at}--\r\n`,
        `multipart/mixed; boundary=b${at}`,
      ),
    mailOf('innermost', 'text/plain'),
  )

/** Levels of parts, of which none ends. */
const nested = Array.from(
  { length: 5000 },
  (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
).join('')

test('a mail of very many parts or lines, or parts within parts, is refused before it is read', async () => {
  const engine = createMailEngine(OPTIONS)
  const many = mailOf('--b\r\n\r\nx\r\n'.repeat(200_000))
  const start = process.cpuUsage()
  await expect(read(engine, many)).rejects.toMatchObject({
    code: 'invalid',
    message: 'A mail has 10000 parts at most',
  })
  const { user } = process.cpuUsage(start)
  expect(user / 1000).toBeLessThan(3000)
  const lines = mailOf('\n'.repeat(1_000_001))
  await expect(read(engine, lines)).rejects.toMatchObject({ message: 'A mail has 1000000 lines at most' })
  await expect(read(engine, nested)).rejects.toMatchObject({ code: 'conversionFailed' })
  expect(await read(engine, mailOf('--b\r\n\r\nx\r\n'.repeat(500)))).toContain('Subject: words')
})

test('a thread of mails within mails is read as deep as is of use', async () => {
  const engine = createMailEngine(OPTIONS)
  expect(await read(engine, threadOf(4))).toContain('innermost')
  expect(await read(engine, threadOf(200))).not.toContain('innermost')
})

test('a mail that takes long to read holds up nobody, and is given up in time', async () => {
  const html = mailOf(`${'abc<a>'.repeat(150)}\r\n`.repeat(20_000), 'text/html')
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  await expect(read(createMailEngine({ tools, timeoutMs: 300 }), html)).rejects.toMatchObject({
    code: 'timeout',
  })
  clearInterval(turning)
  expect(turns).toBeGreaterThan(20)
})

test('a mail that needs more memory than there is ends its own process alone', async () => {
  const lines = Buffer.from('a\n'.repeat(18 * 1024 * 1024)).toString('base64')
  const flowed = `Subject: x\r\nContent-Type: text/plain; format=flowed\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
  await expect(read(createMailEngine(OPTIONS), flowed)).rejects.toMatchObject({
    code: 'invalid',
    message: 'It cannot be read, or needs more than 512 MiB to be',
  })
})

const bookOf = (chapters: readonly string[]): Promise<Buffer> =>
  buffer(
    zipOf(
      chapters.map((text, at) => ({
        name: `${at}.xhtml`,
        length: text.length,
        open: async function* () {
          yield Buffer.from(text)
        },
      })),
    ),
  )

test('a book is read to its bounds: of one chapter, of all, and of their number', async () => {
  const engine = createEpubEngine(OPTIONS)
  expect(await read(engine, await bookOf(['<p>one</p>', '<p>two</p>']))).toBe('one\n\ntwo\n\n')
  const tooLong = await bookOf([' '.repeat(17_000_000)])
  expect(tooLong.length).toBeLessThan(100_000)
  await expect(read(engine, tooLong)).rejects.toMatchObject({ code: 'invalid' })
  // None of them says a word, so no limit of the text would meet them.
  const silent = await bookOf(Array.from({ length: 7 }, () => ' '.repeat(10_000_000)))
  await expect(read(engine, silent)).rejects.toMatchObject({
    ...{ code: 'invalid', message: 'The book has more than 67108864 bytes' },
  })
  // The end of an archive, which says how many entries there are.
  const many = Buffer.alloc(22)
  many.write('PK\u0005\u0006', 'latin1')
  for (const place of [8, 10]) many.writeUInt16LE(10_001, place)
  await expect(read(engine, many)).rejects.toMatchObject({
    code: 'conversionFailed',
    cause: { message: 'The archive has 10001 entries, of 10000 at most' },
  })
})
