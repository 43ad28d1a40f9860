import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTools } from '../../../core/files/conversions/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { zipOf } from '../../../core/platform/archives/index.js'
import { openWorkshop, pdfText, run, type Workshop } from '../../integration/support/conversions-support.js'

const NONE = '/no/such/program'
const kinds = [
  ['bubblewrap', {}],
  ['unshare', { bwrap: NONE }],
  ['none', { bwrap: NONE, unshare: NONE }],
] as const

/** Many containers permit no sandbox; what is left of the defence must hold without. */
const permitted: (typeof kinds)[number][] = []
for (const entry of kinds) {
  const { kind } = await createTools({ path: process.env.PATH ?? '', commands: entry[1] }).sandbox()
  if (kind === entry[0]) permitted.push(entry)
}

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const SIZE = 'width="200" height="100"'

let folder: string
let picture: string
let text: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archivolt-attacked-'))
  picture = join(folder, 'picture.png')
  text = join(folder, 'text.txt')
  await sharp({ create: { width: 77, height: 33, channels: 3, background: 'red' } }).toFile(picture)
  await writeFile(text, 'TOPSECRET')
})
afterAll(() => rm(folder, { recursive: true }))

/** Drawings that name a picture, as an address and as a text that is included. */
const attacks = (pictureAt: string, textAt: string): [string, string][] => [
  ['an image', `<svg ${SVG} ${SIZE}><image ${SIZE} href="${pictureAt}"/></svg>`],
  ['an image by xlink', `<svg ${SVG} ${SIZE}><image ${SIZE} xlink:href="${pictureAt}"/></svg>`],
  [
    'an include',
    `<svg ${SVG} ${SIZE}><text y="50" font-size="30" fill="red"><xi:include parse="text" href="${textAt}"
      xmlns:xi="http://www.w3.org/2001/XInclude"/></text></svg>`,
  ],
  [
    'an entity',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "${textAt}">]><svg ${SVG} ${SIZE}><text y="50" font-size="30" fill="red">&x;</text></svg>`,
  ],
]

/** What a drawing shows, as a PDF: sizes of pictures, and words. A refusal shows nothing. */
const shownIn = async (workshop: Workshop, pdf: BlobValue): Promise<string> => {
  const { stdout } = await workshop.withFile(pdf, (path) => run('pdfimages', ['-list', path]))
  return stdout + (await pdfText(workshop, pdf))
}

const OPEN_DOCUMENT = 'urn:oasis:names:tc:opendocument:xmlns'
const ODF_NAMESPACES = `${['office', 'text']
  .map((name) => `xmlns:${name}="${OPEN_DOCUMENT}:${name}:1.0"`)
  .join(' ')} xmlns:draw="${OPEN_DOCUMENT}:drawing:1.0" xmlns:svg="${OPEN_DOCUMENT}:svg-compatible:1.0"
  xmlns:xlink="http://www.w3.org/1999/xlink"`

/** A text document as one XML file, with a picture that it links to. */
const flatOdtWith = (drawing: string): string => {
  const frame = (content: string) =>
    `<draw:frame svg:width="5cm" svg:height="3cm"><draw:image${content}</draw:image></draw:frame>`
  const embedded = Buffer.from(drawing).toString('base64')
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${ODF_NAMESPACES} office:version="1.2"
    office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>words${frame(
      `><office:binary-data>${embedded}</office:binary-data>`,
    )}${frame(` xlink:href="file://${picture}">`)}</text:p></office:text></office:body></office:document>`
}

/** A text document with a drawing in its package. */
const odtWith = async (drawing: string): Promise<Buffer> => {
  const mimeType = 'application/vnd.oasis.opendocument.text'
  const content = `<office:document-content ${ODF_NAMESPACES} office:version="1.2">
    <office:body><office:text><text:p>words<draw:frame svg:width="5cm" svg:height="3cm">
    <draw:image xlink:href="Pictures/a.svg"/></draw:frame></text:p></office:text></office:body></office:document-content>`
  const entry = ([path, type]: string[]) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`
  const manifest = `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
    ${[
      ['/', mimeType],
      ['content.xml', 'text/xml'],
      ['Pictures/a.svg', 'image/svg+xml'],
    ]
      .map(entry)
      .join('')}</manifest:manifest>`
  const files = {
    mimetype: mimeType,
    'content.xml': content,
    'Pictures/a.svg': drawing,
    'META-INF/manifest.xml': manifest,
  }
  const entries = Object.entries(files).map(([name, text]) => ({
    name,
    length: Buffer.byteLength(text),
    open: () => Readable.from([Buffer.from(text)]),
  }))
  return buffer(zipOf(entries))
}

const isRefused = (error: unknown) => {
  expect(error).toMatchObject({ code: 'conversionFailed', retryable: false })
  return null
}

test('an operator may have RTF converted without a sandbox', async () => {
  const workshop = await openWorkshop({ commands: { bwrap: NONE, unshare: NONE }, allowsUnconfined: true })
  const source = await workshop.blob('words.rtf', '{\\rtf1\\ansi words}')
  const pdf = await workshop.conversions.convert({ source, format: 'pdf' })
  expect(await pdfText(workshop, pdf)).toContain('words')
  await workshop.close()
})

describe.each(permitted)('with the sandbox %s', (kind, commands) => {
  let workshop: Workshop
  beforeAll(async () => {
    workshop = await openWorkshop({ commands, officeInstances: 1 })
  })
  afterAll(() => workshop.close())

  const toPdf = (source: BlobValue) => workshop.conversions.convert({ source, format: 'pdf' })

  const stored = async () => {
    const [sibling, words] = [
      await workshop.blob('p.png', await readFile(picture)),
      await workshop.blob('t.txt', 'TOPSECRET'),
    ]
    const paths = await Promise.all(
      [sibling, words].map((blob) => workshop.withFile(blob, async (path) => path)),
    )
    return paths as [string, string]
  }

  test('LibreOffice draws no file of the server', async () => {
    for (const [name, drawing] of [
      ...attacks(`file://${picture}`, `file://${text}`),
      ...attacks(...(await stored())),
    ]) {
      const pdf = await toPdf(await workshop.blob('drawing.svg', drawing)).catch(isRefused)
      if (pdf) expect(await shownIn(workshop, pdf), name).not.toMatch(/\s77\s+33\s|TOPSECRET/)
    }
  })

  test('a page draws none by a drawing inside of it, or under another type', async () => {
    for (const [name, drawing] of attacks(`file://${picture}`, `file://${text}`)) {
      const data = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`
      const page = `<html><body><p>words</p><img src="${data}" ${SIZE}><img src="file://${picture}">${drawing}</body></html>`
      for (const [file, content] of [
        ['page.html', page],
        ['page.doc', page],
        ['drawing.png', drawing],
        ['drawing.odg', drawing],
      ] as const) {
        const pdf = await toPdf(await workshop.blob(file, content)).catch(isRefused)
        const shown = pdf ? await shownIn(workshop, pdf) : ''
        expect(shown, `${name} in ${file}`).not.toMatch(/\s77\s+33\s|TOPSECRET/)
        if (file === 'page.html') expect(shown).toContain('words')
      }
    }
  })

  test('a document draws none by a drawing inside of it', async () => {
    for (const [name, drawing] of attacks(`file://${picture}`, `file://${text}`)) {
      for (const [file, content] of [
        ['document.odt', await odtWith(drawing)],
        ['flat.doc', flatOdtWith(drawing)],
      ] as const) {
        const shown = await shownIn(workshop, await toPdf(await workshop.blob(file, content)))
        expect(shown, `${name} in ${file}`).toContain('words')
        expect(shown, `${name} in ${file}`).not.toMatch(/\s77\s+33\s|TOPSECRET/)
      }
    }
  })

  test('a file that cannot be sanitised is converted in a sandbox alone', async () => {
    const rtf = toPdf(await workshop.blob('words.doc', '{\\rtf1\\ansi words}'))
    if (kind !== 'none') return expect(await shownIn(workshop, await rtf)).toContain('words')
    const refusal = (type: string) => ({
      code: 'unsupportedMediaType',
      message: `A file of type ${type} is converted only in a sandbox, and the converter has none (ARCHIVOLT_UNCONFINED_CONVERSIONS)`,
    })
    await expect(rtf).rejects.toMatchObject(refusal('RTF'))
    const binary = await workshop.blob('words.xls', Buffer.from('d0cf11e0a1b11ae100', 'hex'))
    await expect(toPdf(binary)).rejects.toMatchObject(refusal('binary Office'))
    const other = await workshop.blob('words.wpd', '\u00ffWPC')
    await expect(toPdf(other)).rejects.toMatchObject(refusal('application/vnd.wordperfect'))
  })

  test('a prolog that does not end is refused', async () => {
    const drawing = `<?xml version="1.0"?><!--${' '.repeat(70_000)}-->${attacks(picture, text)[0]![1]}`
    for (const file of ['a.svg', 'a.doc']) {
      const source = await workshop.blob(file, drawing)
      await expect(toPdf(source), file).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  test('sharp draws no file of the server and no sibling of the blob', async () => {
    const [sibling, words] = await stored()
    const named = (path: string) => `../../${path.split('/').slice(-3).join('/')}`
    for (const [name, drawing] of [
      ...attacks(`file://${picture}`, `file://${text}`),
      ...attacks(sibling, words),
      ...attacks(named(sibling), named(words)),
    ]) {
      for (const content of [drawing, gzipSync(drawing)]) {
        const source = await workshop.blob('drawing.svg', content)
        const png = await workshop.conversions.convert({ source, format: 'png' }).catch(isRefused)
        if (!png) continue
        const { channels } = await sharp(await workshop.read(png)).stats()
        expect(
          channels.map(({ max }) => max),
          name,
        ).toEqual([0, 0, 0, 0])
      }
    }
  })

  test('what a drawing says itself is drawn', async () => {
    const inside = `data:image/png;base64,${(await readFile(picture)).toString('base64')}`
    const drawing = `<svg ${SVG} ${SIZE}><image ${SIZE} href="${inside}"/><text y="50">words</text></svg>`
    const source = await workshop.blob('drawing.svg', drawing)
    const png = await workshop.conversions.convert({ source, format: 'png' })
    expect((await sharp(await workshop.read(png)).stats()).channels[0]?.max).toBe(255)
    expect(await shownIn(workshop, await toPdf(source))).toMatch(/words/)
  })

  test.runIf(kind !== 'none')('a program sees no file but its own, no process and no network', async () => {
    const [shown] = await readdir('/usr/share')
    const readable = [join('/usr/share', shown!)]
    const tools = createTools({
      path: process.env.PATH ?? '',
      commands,
      hidden: ['/usr/share', folder, '/none'],
    })
    const work = await mkdtemp(join(tmpdir(), 'archivolt-work-'))
    const look = `echo "hidden: $(ls -A /usr/share); opt: $(ls -A /opt 2>/dev/null | grep -v libreoffice)."; ls -A ${folder} ${process.cwd()}; ls -A .; ls -d /proc/[0-9]* | wc -l; tail -n +3 /proc/net/dev; touch /usr/x`
    const { command, args } = (await tools.sandbox()).wrap({
      command: '/bin/sh',
      args: ['-c', `{ ${look}; } 2>&1; touch written`],
      folder: work,
      readable,
    })
    const seen = execFileSync(command, args, { encoding: 'utf8' })
    expect(seen).toContain(`hidden: ${shown}; opt: .`)
    expect(seen).not.toMatch(/picture\.png|package\.json|eth0/)
    expect(seen).toMatch(/touch:.*(?:Read-only file system|Permission denied)/)
    expect(await readdir(work)).toContain('written')
    await rm(work, { recursive: true })
  })

  test('no message of a program carries a path', async () => {
    for (const [file, format] of [
      ['a.docx', 'pdf'],
      ['a.pdf', 'txt'],
      ['a.mp4', 'webm'],
      ['a.png', 'jpg'],
      ['a.svg', 'png'],
    ] as const) {
      const source = await workshop.blob(file, 'PK\u0003\u0004 nothing that any program reads')
      const error = await workshop.conversions.convert({ source, format }).catch((error: Error) => error)
      expect(error).toMatchObject({ code: 'conversionFailed' })
      expect((error as Error).message).not.toMatch(/(?:\/[\w.-]+){2}|archivolt-|file:/)
    }
  })
})
