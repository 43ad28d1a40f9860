import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { commandLineOf, createTools, createWorkbench } from '../../../core/files/conversions/index.js'
import { createMedia } from '../../../core/files/media/index.js'
import { openWorkshop, type Workshop } from '../../integration/support/conversions-support.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-hostile-'))
const secret = join(folder, 'secret.png')
const written = join(folder, 'written.png')

let hits = 0
const server = createServer((_request, response) => {
  hits += 1
  response.end('x')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const far = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/far.ts`

let workshop: Workshop
beforeAll(async () => {
  await sharp({ create: { width: 77, height: 33, channels: 3, background: 'red' } }).toFile(secret)
  workshop = await openWorkshop({ timeoutMs: 30_000 })
})
afterAll(async () => {
  await workshop.close()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'blue' } })
  .png()
  .toBuffer()

/** An AVIF of some pixels that says it has four thousand million. */
const avifBomb = async (): Promise<Buffer> => {
  const bytes = await sharp(picture).avif().toBuffer()
  const size = bytes.indexOf('ispe') + 8
  bytes.writeUInt32BE(65_000, size)
  bytes.writeUInt32BE(65_000, size + 4)
  return bytes
}

/** A PDF whose page is 256 MB of spaces, compressed twice. */
const pdfBomb = (): Buffer => {
  const page = deflateSync(deflateSync(Buffer.alloc(256 * 1024 ** 2, ' '), { level: 9 }), { level: 9 })
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj
4 0 obj<</Length ${page.length}/Filter[/FlateDecode/FlateDecode]>>stream\n`
  const tail = '\nendstream endobj\ntrailer<</Root 1 0 R>>\n'
  return Buffer.concat([Buffer.from(head), page, Buffer.from(tail)])
}

const hls = (at: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${at}\n#EXT-X-ENDLIST\n`
const mvg = (at: string) =>
  `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 9,9 '${at}'\npop graphic-context`
const msl = `<?xml version="1.0"?><image><read filename="${secret}"/><write filename="${written}"/></image>`
const mpd = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>${far}</BaseURL></Representation></AdaptationSet></Period></MPD>`

type Row = [what: string, name: string, content: () => string | Buffer | Promise<Buffer>, format: string]

/** Each is refused, for a reason that lies in the file, and is not tried again. */
const refused: readonly Row[] = [
  ['a play list of a file', 'a.mp4', () => hls(`file://${secret}`), 'webm'],
  ['a play list of the network', 'a.mkv', () => hls(far), 'webm'],
  ['a play list of a data address', 'a.mov', () => hls('concat:/etc/passwd|/etc/group'), 'webm'],
  ['a list to join', 'b.mp4', () => `ffconcat version 1.0\nfile '${secret}'\n`, 'webm'],
  ['a list to join, of the network', 'b.avi', () => `ffconcat version 1.0\nfile '${far}'\n`, 'webm'],
  ['a manifest of the network', 'c.mp4', () => mpd, 'webm'],
  ['a drawing of commands for ImageMagick', 'd.png', () => mvg(far), 'jpg'],
  ['a script for ImageMagick', 'e.jpg', () => msl, 'png'],
  ['a PostScript program', 'f.png', () => `%!PS\n(${secret}) (r) file 99 string readstring pop show`, 'jpg'],
  ['an AVIF of too many pixels', 'g.avif', avifBomb, 'png'],
  ['a picture without its end', 'h.png', () => picture.subarray(0, 40), 'jpg'],
  ['an archive that claims to be a picture', 'i.png', () => Buffer.from('PK\u0003\u0004 words'), 'jpg'],
]

test.each(refused)('%s is refused', async (_, name, content, format) => {
  const source = await workshop.blob(name, await content())
  await expect(workshop.conversions.convert({ source, format })).rejects.toMatchObject({
    status: 422,
    retryable: false,
    message: expect.not.stringContaining(folder),
  })
  expect([hits, existsSync(written)]).toEqual([0, false])
})

test('a page of 256 MB of spaces ends within its limits', async () => {
  const source = await workshop.blob('bomb.pdf', pdfBomb())
  expect(source.length).toBeLessThan(100_000)
  const outcome = await workshop.conversions.convert({ source, format: 'txt' }).then(
    ({ length }) => ({ length }),
    ({ status, retryable }) => ({ status, retryable }),
  )
  // Whichever the installed poppler does: it finds no words, or it is stopped for good.
  expect([
    { length: 1 },
    { status: 504, retryable: false },
    { status: 422, retryable: false },
  ]).toContainEqual(outcome)
  const readers = async () =>
    (await workshop.processes()).filter(({ commandLine }) => commandLine.includes('pdftotext'))
  await expect.poll(readers).toEqual([])
})

describe('a polyglot', () => {
  test.each([
    ['a script behind a picture', '<script>alert(1)</script>'],
    ['an archive behind a picture', 'PK\u0003\u0004evil.txt'],
  ])('of %s leaves the picture alone', async (_, payload) => {
    const source = await workshop.blob('both.png', Buffer.concat([picture, Buffer.from(payload)]))
    const png = await workshop.conversions.convert({ source, converter: 'pictureToPng' })
    const bytes = await workshop.read(png)
    expect(bytes.includes(payload)).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 8, height: 6 })
  })
})

const NAMES = [
  '../../etc/passwd.png',
  'nul\u0000.png',
  'txt.\u202Egnp.png',
  'a\r\nSet-Cookie: x=1.png',
  '-write.png',
  '@/etc/passwd.png',
  'msl:script.png',
  'https://far.example/a.png',
  '|id.png',
  '%d[0].png',
]

const onBench = () => {
  const tools = createTools({ path: process.env.PATH ?? '' })
  const entry = {
    commandLine: 'compare',
    parameterString:
      '-metric AE -fuzz #{fuzz} -highlight-color #{highlightColor} -lowlight-color #{lowlightColor} #{file1} #{file2} #{targetFilePath}',
  }
  const command = commandLineOf('diff-pictures-default', entry, true)
  const { store, tempFolder } = workshop
  const limits = { timeoutMs: 60_000, allowsUnconfined: false }
  return createMedia({
    workbench: createWorkbench({ store, tools, tempFolder, ...limits, commandOf: () => command }),
  })
}

test.each(NAMES)('the name %j is a name and nothing else', async (name) => {
  const source = await workshop.blob(name, picture)
  const jpeg = await workshop.conversions.convert({ source, converter: 'pictureToJpeg' })
  expect(await sharp(await workshop.read(jpeg)).metadata()).toMatchObject({ format: 'jpeg', width: 8 })
  const given = { left: source, right: source, principal: SYSTEM }
  const { differingPixels } = await onBench().comparePictures({
    ...given,
    parameters: { targetFileName: name },
  })
  expect(differingPixels).toBe(0)
})

test.each([
  ['fuzz', '-write'],
  ['fuzz', '5% -write /tmp/x'],
  ['highlightColor', '@/etc/passwd'],
  ['highlightColor', 'msl:/tmp/x'],
  ['lowlightColor', '-set'],
  ['lowlightColor', 'Red;id'],
])('a picture is not compared with %s %j', async (name, value) => {
  const source = await workshop.blob('a.png', picture)
  const comparison = { left: source, right: source, principal: SYSTEM, parameters: { [name]: value } }
  await expect(onBench().comparePictures(comparison)).rejects.toMatchObject({ code: 'badRequest' })
})

test('metadata stay text, without what they name, and within bounds', async () => {
  await writeFile(join(folder, 'words.txt'), 'TOPSECRET')
  const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://${folder}/words.txt">]>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Source="&e;x"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
  const hostile = `<script>alert(1)</script>\r\nSet-Cookie: x=1 ${'long'.repeat(5000)}`
  const bytes = await sharp(picture)
    .withExif({ IFD0: { ImageDescription: hostile, Copyright: '$(id) `id` @/etc/passwd' } })
    .withXmp(xmp)
    .jpeg()
    .toBuffer()
  const source = await workshop.blob('photo.jpg', bytes)
  const { properties, defaults } = await onBench().readMetadata({ source, owner: SYSTEM })
  expect(properties['imd:copyright']).toBe('$(id) `id` @/etc/passwd')
  expect(String(properties['imd:image_description']).length).toBeLessThanOrEqual(10_000)
  expect(String(properties['imd:image_description'])).toMatch(/^<script>/)
  expect(JSON.stringify([properties, defaults])).not.toContain('TOPSECRET')
})
