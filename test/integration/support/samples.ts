import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { zipOf } from '../../../core/platform/archives/index.js'
import type { Workshop } from './conversions-support.js'
import { rawPhoto } from './raw-photo.js'

const run = promisify(execFile)

type Make = (path: string) => Promise<Uint8Array | string>

const red = () => sharp({ create: { width: 80, height: 60, channels: 3, background: '#e01020' } })

const bySharp = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif') => () =>
  red().toFormat(format).toBuffer()

/** What ImageMagick writes by the extension of its name. */
const byMagick: Make = async (path) => {
  await run('convert', ['-size', '80x60', 'xc:#e01020', path])
  return readFile(path)
}

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#e01020"/></svg>'

/** As views are: standing up, and in colours that browsers show. */
export const pictures: readonly (readonly [string, number, number, Make])[] = [
  ['a.jpg', 80, 60, bySharp('jpeg')],
  ['turned.jpg', 60, 80, () => red().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ['cmyk.jpg', 80, 60, () => red().withIccProfile('cmyk').toColourspace('cmyk').jpeg().toBuffer()],
  ['wide-gamut.jpg', 80, 60, () => red().withIccProfile('p3').jpeg().toBuffer()],
  ['a.png', 80, 60, bySharp('png')],
  ['sixteen-bits.png', 80, 60, () => red().toColourspace('rgb16').png().toBuffer()],
  ['a.webp', 80, 60, bySharp('webp')],
  ['a.gif', 80, 60, bySharp('gif')],
  ['a.tif', 80, 60, bySharp('tiff')],
  ['a.avif', 80, 60, bySharp('avif')],
  ['a.svg', 80, 60, async () => svg],
  ['a.heic', 80, 60, byMagick],
  ['a.psd', 80, 60, byMagick],
  ['a.bmp', 80, 60, byMagick],
  ['a.jp2', 80, 60, byMagick],
  ['a.ico', 80, 60, byMagick],
  ['a.dng', 60, 80, async () => rawPhoto(await red().jpeg().toBuffer())],
]

const SOURCE = [
  ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=duration=1:size=96x72:rate=25'],
  ...['-f', 'lavfi', '-i', 'sine=duration=1'],
]

const film =
  (...options: string[]): Make =>
  async (path) => {
    await run('ffmpeg', [...SOURCE, ...options, path])
    return readFile(path)
  }

export const films: readonly (readonly [string, Make])[] = [
  ['a.mp4', film()],
  ['a.mov', film()],
  ['a.mkv', film()],
  ['a.webm', film('-c:v', 'libvpx', '-deadline', 'realtime')],
  ['a.avi', film()],
  ['a.mpg', film()],
  ['a.ogv', film('-c:v', 'libtheora', '-c:a', 'libvorbis')],
  ['a.flv', film('-ar', '44100')],
  ['a.wmv', film()],
  ['a.ts', film('-f', 'mpegts')],
  ['a.3gp', film('-c:v', 'h263', '-s', '128x96', '-c:a', 'aac')],
]

const sound: Make = async (path) => {
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=duration=1', path])
  return readFile(path)
}

export const sounds: readonly (readonly [string, Make])[] = [
  'a.mp3',
  'a.wav',
  'a.flac',
  'a.ogg',
  'a.m4a',
  'a.aiff',
  'a.opus',
].map((name) => [name, sound] as const)

const PAGES = '<html><body><p>perspicacity</p><p style="page-break-before: always">second</p></body></html>'
const LETTER = '{\\rtf1\\ansi perspicacity\\page second}'
const CELLS = 'word,number\nperspicacity,1\n'

type FromWorkshop = (path: string, workshop: Workshop) => Promise<Uint8Array | string>

/** What LibreOffice writes of a text or a sheet. */
export const office =
  (name: string, content: string, parameters: { type: string } | { converter: string }): FromWorkshop =>
  async (_path, { blob, conversions, read }) =>
    read(await conversions.convert({ source: await blob(name, content), ...parameters }))

/** What LibreOffice writes of a file in a format that no converter writes: those of older programs, and slides. */
const saved =
  (source: string, content: string): FromWorkshop =>
  async (path) => {
    const [from, profile] = [join(dirname(path), source), join(dirname(path), 'profile')]
    await writeFile(from, content)
    await run('soffice', [
      ...['--headless', `-env:UserInstallation=file://${profile}`, '--convert-to', extname(path).slice(1)],
      ...['--outdir', dirname(path), from],
    ])
    return readFile(join(dirname(path), `${basename(source, extname(source))}${extname(path)}`))
  }

const URN = 'urn:oasis:names:tc:opendocument:xmlns'
const slide = (words: string) =>
  `<draw:page><draw:frame svg:width="10cm" svg:height="3cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame></draw:page>`
const SLIDES = `<?xml version="1.0"?><office:document xmlns:office="${URN}:office:1.0" xmlns:draw="${URN}:drawing:1.0"
  xmlns:text="${URN}:text:1.0" xmlns:svg="${URN}:svg-compatible:1.0" office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>${slide('perspicacity')}${slide('second')}</office:presentation></office:body></office:document>`

const ODT = 'application/vnd.oasis.opendocument.text'

export const officeFiles: readonly (readonly [string, number, FromWorkshop])[] = [
  ['a.odt', 1, office('a.txt', 'perspicacity', { type: ODT })],
  ['a.docx', 1, office('a.txt', 'perspicacity', { converter: 'any2docx' })],
  ['a.ods', 1, office('a.csv', CELLS, { converter: 'any2ods' })],
  ['a.xlsx', 1, office('a.csv', CELLS, { converter: 'any2xlsx' })],
  ['a.doc', 2, saved('letter.rtf', LETTER)],
  ['a.xls', 1, saved('cells.csv', CELLS)],
  ['a.ppt', 2, saved('talk.fodp', SLIDES)],
  ['a.pptx', 2, saved('talk.fodp', SLIDES)],
  ['a.odp', 2, saved('talk.fodp', SLIDES)],
  ['a.html', 2, async () => PAGES],
  ['a.rtf', 2, async () => LETTER],
  ['a.pdf', 1, office('a.txt', 'perspicacity', { type: 'application/pdf' })],
  ['a.csv', 1, async () => CELLS],
]

export const texts: readonly (readonly [string, Make])[] = [
  ['a.txt', async () => 'the word perspicacity'],
  ['latin.txt', async () => Buffer.from('caf\xe9 perspicacity', 'latin1')],
  ['a.md', async () => '# perspicacity'],
  ['a.json', async () => '{"word": "perspicacity"}'],
  ['a.xml', async () => '<a>perspicacity</a>'],
  ['a.tsv', async () => 'perspicacity\t1\n'],
]

export const messages: readonly (readonly [string, Make])[] = [
  ['a.eml', async () => 'Subject: perspicacity\r\nFrom: ann@example.org\r\n\r\nHello\r\n'],
]

export const books: readonly (readonly [string, Make])[] = [
  [
    'a.epub',
    async () => {
      const bytes = Buffer.from('<html><body><p>perspicacity</p></body></html>')
      const page = { name: 'OEBPS/one.xhtml', length: bytes.length, open: () => Readable.from([bytes]) }
      return buffer(zipOf([page]))
    },
  ],
]
