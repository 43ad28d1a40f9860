import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTools, createWorkbench } from '../../../core/files/conversions/index.js'
import { createMedia, type Media } from '../../../core/files/media/index.js'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, run, type Workshop } from '../support/conversions-support.js'
import { books, films, messages, officeFiles, pictures, sounds, texts } from '../support/samples.js'

/** Every format comes from a program, or from bytes that are written here: no file of a sample is kept. */
let workshop: Workshop
let folder: string
let media: Media

beforeAll(async () => {
  workshop = await openWorkshop()
  folder = join(workshop.tempFolder, '..', 'samples')
  await mkdir(folder)
  const { store, tempFolder } = workshop
  const tools = createTools({ path: process.env.PATH ?? '' })
  const limits = { timeoutMs: 60_000, allowsUnconfined: false, commandOf: () => undefined }
  media = createMedia({ workbench: createWorkbench({ store, tools, tempFolder, ...limits }) })
})

afterAll(() => workshop.close())

const convert = (source: BlobValue, parameters: Record<string, string>) =>
  workshop.conversions.convert({ source, ...parameters, parameters })

const sample = async (name: string, make: (path: string) => Promise<Uint8Array | string>) =>
  workshop.blob(name, await make(join(folder, name)))

const textOf = async (source: BlobValue) =>
  `${await workshop.read(await convert(source, { type: 'text/plain' }))}`

const pdfPages = async (pdf: BlobValue) => {
  const { stdout } = await workshop.withFile(pdf, (path) => run('pdfinfo', [path]))
  return Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1])
}

describe('pictures', () => {
  test.each(pictures)('%s is %i x %i', async (name, width, height, make) => {
    const source = await sample(name, make)
    const view = await convert(source, { converter: 'pictureToJpeg' })
    const bytes = await workshop.read(view)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb', width, height })
    const small = await convert(source, { converter: 'pictureToPng', width: '20', height: '20' })
    const { width: wide = 0, height: high = 0 } = await sharp(await workshop.read(small)).metadata()
    expect(Math.max(wide, high)).toBe(20)
    const [red = 0, , blue = 255] = (await sharp(bytes).stats()).channels.map(({ mean }) => mean)
    expect(red - blue).toBeGreaterThan(100)
  })
})

describe('films', () => {
  test.each(films)('%s', async (name, make) => {
    const mp4 = await convert(await sample(name, make), { converter: 'convertToMP4', height: '48' })
    const { stdout } = await workshop.withFile(mp4, (path) =>
      run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]),
    )
    const { format, streams } = JSON.parse(stdout)
    expect(Math.abs(Number(format.duration) - 1)).toBeLessThan(0.3)
    expect(streams[0]).toMatchObject({ codec_name: 'h264', width: 64, height: 48 })
  })
})

describe('sounds', () => {
  test.each(sounds)('%s', async (name, make) => {
    const source = await sample(name, make)
    const { duration, streams } = await media.probe({ source })
    expect(Math.abs(duration - 1)).toBeLessThan(0.3)
    expect(streams).toMatchObject([{ type: 'Audio' }])
    const loudness = await workshop.read(await media.waveform({ source }, 'waveform.png'))
    expect(await sharp(loudness).metadata()).toMatchObject({ format: 'png', width: 400, height: 100 })
  })
})

describe('office files', () => {
  test.each(officeFiles)('%s: its words, and %i pages', async (name, pages, make) => {
    const source = await sample(name, (path) => make(path, workshop))
    expect(await textOf(source)).toContain('perspicacity')
    const pdf = await convert(source, { type: 'application/pdf' })
    expect(await pdfPages(pdf)).toBe(pages)
    const thumbnail = await convert(source, { converter: 'anyToThumbnail', width: '60', height: '60' })
    const { width = 0, height = 0 } = await sharp(await workshop.read(thumbnail)).metadata()
    expect(Math.max(width, height)).toBe(60)
  })
})

describe('texts', () => {
  test.each([...texts, ...messages, ...books])('%s: its words', async (name, make) => {
    expect(await textOf(await sample(name, make))).toContain('perspicacity')
  })
})
