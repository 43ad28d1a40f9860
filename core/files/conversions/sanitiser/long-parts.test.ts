import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text as textOf } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { withZip, zipOf } from '../../../platform/archives/index.js'
import { escaped } from './cleaner.js'
import { sanitise } from './sanitise.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-long-parts-'))
afterAll(() => rm(folder, { recursive: true }))

const SVG = 'xmlns="http://www.w3.org/2000/svg"'
const ODF = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0'

const MEBI = 1024 * 1024
const of = (length: number, text = '>') => text.repeat(length / text.length)

/** Sanitises a text, which may come compressed, and returns what is left. */
const cleaned = async (text: string): Promise<string> => {
  const input = join(folder, 'file')
  await writeFile(input, gzipSync(text))
  await sanitise({ input, mimeType: 'image/svg+xml', encoding: null })
  const bytes = await readFile(input)
  return String(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)
}

const TOO_LONG = {
  code: 'conversionFailed',
  message: `The file cannot be read: one of its attributes, texts or comments has more than ${8 * MEBI} characters`,
}

test('a drawing with one attribute of 64 million characters is refused at once', async () => {
  const drawing = `<svg ${SVG} width="9" height="9"><g id="${of(64_000_000)}"/></svg>`
  const input = join(folder, 'drawing.svgz')
  await writeFile(input, gzipSync(drawing, { level: 9 }))
  let turns = 0
  const looks = setInterval(() => void turns++, 1)
  await expect(sanitise({ input, mimeType: 'image/svg+xml', encoding: null })).rejects.toMatchObject(TOO_LONG)
  clearInterval(looks)
  // Others had their turn meanwhile.
  expect(turns).toBeGreaterThan(1)
})

test.each([
  ['an attribute', `<svg ${SVG}><g id="${of(9 * MEBI, 'a')}"/></svg>`],
  ['a text', `<svg ${SVG}><text>${of(9 * MEBI, 'a')}</text></svg>`],
  ['a text that is left out', `<svg ${SVG}><x>${of(9 * MEBI, 'a')}</x></svg>`],
  ['CDATA', `<svg ${SVG}><text><![CDATA[${of(9 * MEBI, 'a')}]]></text></svg>`],
  [
    'a style sheet in parts',
    `<svg ${SVG}><style>${of(9 * MEBI, `${of(MEBI - 8, 'a')}<!-- -->`)}</style></svg>`,
  ],
  ['a comment', `<svg ${SVG}><!--${of(9 * MEBI, 'a')}--></svg>`],
  ['an instruction', `<svg ${SVG}><?a ${of(9 * MEBI, 'a')}?></svg>`],
  ['a name', `<svg ${SVG}><${of(9 * MEBI, 'a')}/></svg>`],
  ['an attribute that is written longer', `<svg ${SVG}><g id="${of(3 * MEBI)}"/></svg>`],
  ['a text that is written longer', `<svg ${SVG}><text>${of(4 * MEBI)}</text></svg>`],
  ['an attribute of HTML', `<html><p title="${of(9 * MEBI, 'a')}">`],
  ['an attribute of HTML that is written longer', `<html><p title="${of(3 * MEBI)}">`],
  ['a comment in HTML', `<html><!--${of(9 * MEBI, 'a')}-->`],
  ['a style sheet in HTML', `<html><style>${of(9 * MEBI, 'a')}</style>`],
  ['an attribute of an office document', `<o:document xmlns:o="${ODF}" a="${of(9 * MEBI, 'a')}"/>`],
])('%s that is too long is refused', async (_, text) => {
  await expect(cleaned(text)).rejects.toMatchObject(TOO_LONG)
})

test('entities count with what they stand for', async () => {
  const entity = `<!DOCTYPE svg [<!ENTITY a "${of(100, 'a')}">]>`
  const drawing = `${entity}<svg ${SVG}><g id="${of(3 * 90_000, '&a;')}"/></svg>`
  await expect(cleaned(drawing)).rejects.toMatchObject(TOO_LONG)
})

test('a file of which more is written than it may have is refused', async () => {
  const texts = `<text>${of(MEBI)}</text>`.repeat(20)
  await expect(cleaned(`<svg ${SVG}>${texts}</svg>`)).rejects.toMatchObject({ code: 'invalid' })
})

test('embedded pictures, long texts of pages and many comments are read', async () => {
  const picture = `data:image/png;base64,iVBORw0KGgoA${of(7 * MEBI, 'A')}`
  expect(await cleaned(`<svg ${SVG}><image href="${picture}"/></svg>`)).toContain(picture)
  const words = of(9 * MEBI, 'some words, ')
  expect(await cleaned(`<html><p>${words}</p></html>`)).toContain(words)
  const comments = `<!--${of(MEBI, 'a')}-->`.repeat(9)
  expect(await cleaned(`<svg ${SVG}>${comments}<g/></svg>`)).toContain('<g></g>')
  expect(await cleaned(`<html>${comments}<p>a</p></html>`)).toContain('<p>a</p>')
  const binary = `<o:binary-data>iVBORw0KGgoA${of(12 * MEBI, 'A')}</o:binary-data>`
  expect(await cleaned(`<o:document xmlns:o="${ODF}">${binary}</o:document>`)).toContain(of(12 * MEBI, 'A'))
})

test('an embedded drawing that is too long is left out', async () => {
  const embedded = (length: number) =>
    `data:image/svg+xml;base64,${btoa(`<svg ${SVG}>${of(length, '<g/>')}</svg>`)}`
  const drawing = (length: number) => `<svg ${SVG}><image href="${embedded(length)}"/></svg>`
  expect(await cleaned(drawing(MEBI / 16))).toContain('href="data:image/svg+xml')
  expect(await cleaned(drawing(MEBI / 4))).toContain('<image></image>')
})

test('a text in which nothing is replaced is as long as it may be', () => {
  expect(escaped(of(8 * MEBI, 'a'))).toHaveLength(8 * MEBI)
  expect(() => escaped(of(2 * MEBI, '>"a&'))).not.toThrow()
  expect(() => escaped(of(2 * MEBI, '"'))).toThrow('more than 8388608 characters')
})

test('a drawing inside an office document is sanitised, and left out where a part is too long', async () => {
  const drawings = {
    'a.svg': `<svg ${SVG}><g id="a"/><image href="file:///secret"/></svg>`,
    'b.svg': `<svg ${SVG}><g id="${of(9 * MEBI, 'ab')}"/></svg>`,
  }
  const entries = Object.entries(drawings).map(([name, drawing]) => ({
    ...{ name, length: drawing.length },
    open: () => Readable.from([Buffer.from(drawing)]),
  }))
  const input = join(folder, 'document.odt')
  await writeFile(input, await buffer(zipOf(entries)))
  await sanitise({ input, mimeType: 'application/zip', encoding: null })
  const left = await withZip(input, 10, (read) =>
    Promise.all(read.map(async (entry) => textOf(await entry.open()))),
  )
  expect(left[0]).toContain('<g id="a"></g><image></image></svg>')
  expect(left[1]).toBe('<svg xmlns="http://www.w3.org/2000/svg"/>')
})
