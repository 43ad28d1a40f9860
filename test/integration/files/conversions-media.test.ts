import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, run, type Workshop } from '../support/conversions-support.js'

let workshop: Workshop
let folder: string

/** What a deployment contributes: the generic video converter for another container, and command lines. */
const contributed = {
  commands: {
    tomkv: {
      commandLine: 'ffmpeg',
      parameterString: '-i #{inFilePath} -s #{width}x#{height} -c:v mpeg4 #{outFilePath}',
    },
    'sort-lines': {
      commandLine: 'sort',
      parameterString: '-- #{sourceFilePath} | head -n #{count} | tee #{targetFilePath}',
    },
    'no-output': { commandLine: 'true' },
  },
  converters: {
    toMkv: {
      engine: 'video',
      sourceMimeTypes: ['video/*'],
      destinationMimeType: 'video/x-matroska',
      parameters: {
        CommandLineName: 'tomkv',
        videoMimeType: 'video/x-matroska',
        videoExtension: 'mkv',
        tmpDirectoryPrefix: 'toMkv',
      },
    },
    firstLines: {
      engine: 'command',
      sourceMimeTypes: ['text/plain'],
      parameters: { CommandLineName: 'sort-lines', count: 2 },
    },
    nothing: {
      engine: 'command',
      sourceMimeTypes: ['text/plain'],
      parameters: { CommandLineName: 'no-output' },
    },
  },
}

beforeAll(async () => {
  workshop = await openWorkshop({
    contributed: [{ file: 'contributed.yaml', text: JSON.stringify(contributed) }],
  })
  folder = await mkdtemp(join(tmpdir(), 'archivolt-media-'))
})

afterAll(async () => {
  await workshop.close()
  await rm(folder, { recursive: true, force: true })
})

const convert = (source: BlobValue, parameters: Record<string, string>) =>
  workshop.conversions.convert({ source, ...parameters, parameters })

describe('pictures', () => {
  const photo = async (orientation?: number) => {
    const picture = sharp({ create: { width: 400, height: 300, channels: 3, background: '#2060a0' } })
    return workshop.blob('photo.jpg', await picture.withMetadata({ orientation }).jpeg().toBuffer())
  }

  test.each([
    [
      { converter: 'pictureResize', width: '100', height: '100' },
      'photo.jpg',
      { format: 'jpeg', width: 100, height: 75 },
    ],
    [{ converter: 'pictureResize', height: '150' }, 'photo.jpg', { format: 'jpeg', width: 200, height: 150 }],
    [{ converter: 'pictureResize', width: '9000' }, 'photo.jpg', { format: 'jpeg', width: 400, height: 300 }],
    [
      { converter: 'pictureResize', width: '40', conversionFormat: 'png', depth: '16' },
      'photo.png',
      { format: 'png', width: 40, depth: 'ushort' },
    ],
    [{ converter: 'pictureConvert', format: 'webp' }, 'photo.webp', { format: 'webp', width: 400 }],
    [{ format: 'png' }, 'photo.png', { format: 'png', width: 400, depth: 'uchar' }],
    [{ type: 'image/tiff', width: '20' }, 'photo.tif', { format: 'tiff', width: 20 }],
    [{ format: 'gif' }, 'photo.gif', { format: 'gif' }],
    [
      { converter: 'pictureCrop', x: '390', y: '0', width: '10', height: '20' },
      'photo.jpg',
      { format: 'jpeg', width: 10, height: 20 },
    ],
    [
      { converter: 'pictureRotation', angle: '-90' },
      'photo.jpg',
      { format: 'jpeg', width: 300, height: 400 },
    ],
  ])('%j', async (parameters, name, expected) => {
    const result = await convert(await photo(), parameters)
    expect(result.name).toBe(name)
    expect(await sharp(await workshop.read(result)).metadata()).toMatchObject(expected)
  })

  test('a part that is not within the picture is refused by the names of its parameters', async () => {
    const parameters = { converter: 'pictureCrop', x: '395', y: '0', width: '10', height: '20' }
    await expect(convert(await photo(), parameters)).rejects.toMatchObject({
      status: 422,
      message: 'x, y, width and height: 10 x 20 pixels at 395, 0 are not within the picture of 400 x 300',
    })
  })

  test('a text is written on a picture, whatever size is written', async () => {
    const parameters = {
      converter: 'pictureWatermark',
      watermark: 'A & B <i>',
      color: '#ff0000',
      opacity: '100',
    }
    const marked = async (more: Record<string, string>, orientation?: number) => {
      const result = await convert(await photo(orientation), { ...parameters, ...more })
      return sharp(await workshop.read(result))
        .raw()
        .toBuffer({ resolveWithObject: true })
    }
    const redness = ({ data, info: { width, channels } }: Awaited<ReturnType<typeof marked>>) => {
      const red = { left: 0, right: 0 }
      for (let at = 0; at < data.length; at += channels)
        if ((data[at] ?? 0) > 90) red[(at / channels) % width < width / 2 ? 'left' : 'right']++
      return red
    }
    const southEast = redness(await marked({}))
    expect(southEast.right).toBeGreaterThan(southEast.left)
    const northWest = redness(await marked({ gravity: 'northwest' }))
    expect(northWest.left).toBeGreaterThan(northWest.right)
    for (const [angle, size] of [
      ['90', { width: 60, height: 45 }],
      ['30', { width: 60, height: 65 }],
    ] as const) {
      const small = await marked({ width: '60', angle, gravity: 'centre' }, 6)
      expect(small.info).toMatchObject(size)
      expect(redness(small).right).toBeGreaterThan(0)
    }
  })

  test('a photo that lies on its side is stood up', async () => {
    const result = await convert(await photo(6), { format: 'png' })
    expect(await sharp(await workshop.read(result)).metadata()).toMatchObject({ width: 300, height: 400 })
  })

  test('a picture to pdf', async () => {
    const pdf = await convert(await photo(), { format: 'pdf' })
    const { stdout } = await workshop.withFile(pdf, (path) => run('pdfimages', ['-list', path]))
    expect(stdout).toMatch(/\s400\s+300\s/)
  })

  test('a bad parameter and a broken picture are distinguished', async () => {
    const broken = await workshop.blob('broken.jpg', 'no picture')
    await expect(convert(await photo(), { converter: 'pictureResize', width: 'x' })).rejects.toMatchObject({
      status: 400,
    })
    await expect(convert(broken, { format: 'png' })).rejects.toMatchObject({ status: 422, retryable: false })
  })

  test('pdfAndImageToThumbnail makes small pictures of both', async () => {
    const words = await workshop.blob('words.txt', 'words')
    for (const source of [await photo(), await convert(words, { format: 'pdf' })]) {
      const small = await convert(source, { converter: 'pdfAndImageToThumbnail', width: '50', height: '50' })
      const { format, width = 0, height = 0 } = await sharp(await workshop.read(small)).metadata()
      expect([format, Math.max(width, height)]).toEqual(['png', 50])
    }
  })

  test('a small file that claims a huge picture is refused', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>'
    await expect(convert(await workshop.blob('bomb.svg', svg), { format: 'png' })).rejects.toThrow(
      /too large: 30000 x 30000 pixels/,
    )
  })
})

describe('videos', () => {
  const film = async (name: string, ...options: string[]) => {
    const path = join(folder, name)
    const inputs = ['-f', 'lavfi', '-i', 'testsrc=duration=1:size=321x240:rate=10']
    await run('ffmpeg', ['-v', 'error', '-y', ...inputs, ...options, path])
    return workshop.blob(name, await readFile(path))
  }
  const withSound = ['-f', 'lavfi', '-i', 'sine=duration=1', '-shortest']

  const probe = async (blob: BlobValue) => {
    const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json']
    const { stdout } = await workshop.withFile(blob, (path) => run('ffprobe', [...args, path]))
    const { streams, format } = JSON.parse(stdout)
    const codecs = streams.map((stream: { codec_name: string }) => stream.codec_name)
    return { codecs, width: streams[0].width, height: streams[0].height, duration: Number(format.duration) }
  }

  test.each([
    [
      'mp4 with a height',
      { converter: 'convertToMP4', height: '120' },
      'film.mp4',
      ['h264', 'aac'],
      160,
      120,
    ],
    [
      'webm with a height',
      { converter: 'convertToWebM', height: '120' },
      'film.webm',
      ['vp9', 'opus'],
      160,
      120,
    ],
    ['mp4 in its own size, made even', { format: 'mp4' }, 'film.mp4', ['h264', 'aac'], 322, 240],
  ])('%s', async (_case, parameters, name, codecs, width, height) => {
    const progress: number[] = []
    const source = await film('film.mkv', ...withSound)
    const result = await workshop.conversions.convert({
      source,
      ...parameters,
      parameters: { ...parameters },
      onProgress: (fraction) => progress.push(fraction),
    })
    expect(result.name).toBe(name)
    const probed = await probe(result)
    expect(probed).toMatchObject({ codecs, width, height })
    expect(probed.duration).toBeCloseTo(1, 0)
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
  })

  test('videoScreenshot takes a picture at a position', async () => {
    const source = await film('shot.mp4', '-pix_fmt', 'yuv444p')
    const shot = await convert(source, { converter: 'videoScreenshot', position: '0.5' })
    expect(shot).toMatchObject({ 'mime-type': 'image/jpeg' })
    expect(await sharp(await workshop.read(shot)).metadata()).toMatchObject({ format: 'jpeg', width: 321 })
    const first = await convert(source, { converter: 'videoScreenshot' })
    expect(first.digest).not.toBe(shot.digest)
  })

  test.each([
    ['320:240', 108, 80],
    ['240:320', 80, 108],
  ])('videoStoryboard takes the first picture of a film of %s, small', async (size, width, height) => {
    const source = await film(`story-${width}.mp4`, '-vf', `scale=${size}`)
    const picture = await convert(source, { converter: 'videoStoryboard' })
    expect(picture).toMatchObject({ name: `story-${width}.jpg`, 'mime-type': 'image/jpeg' })
    expect(await sharp(await workshop.read(picture)).metadata()).toMatchObject({ width, height })
  })

  test.each([
    ['toMkv', 'film.mkv', { height: '121' }, ['mpeg4', 'vorbis'], 162, 122],
    ['toMkv', 'film.mkv', {}, ['mpeg4', 'vorbis'], 322, 240],
    ['convertToAVI', 'film.avi', { height: '60', videoExtension: 'mp4' }, ['mpeg4', 'ac3'], 80, 60],
    ['convertToOgg', 'film.ogg', { height: '60' }, ['theora', 'vorbis'], 80, 60],
  ])(
    '%s, a generic video converter, writes %s at %j',
    async (converter, name, parameters, codecs, width, height) => {
      const progress: number[] = []
      const source = await film('film.mp4', ...withSound)
      const result = await workshop.conversions.convert({
        ...{ source, converter, parameters },
        onProgress: (fraction) => progress.push(fraction),
      })
      expect(result.name).toBe(name)
      expect(await probe(result)).toMatchObject({ codecs, width, height })
      expect(progress.length).toBeGreaterThan(1)
    },
  )

  test('a film without sound', async () => {
    const result = await convert(await film('silent.avi'), { format: 'mp4', height: '50' })
    expect(await probe(result)).toMatchObject({ codecs: ['h264'], height: 50 })
  })

  test('a play list that names a file of the server is not followed', async () => {
    await film('secret.ts')
    const list = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n${join(folder, 'secret.ts')}\n#EXT-X-ENDLIST\n`
    const targets: Record<string, string>[] = [{ format: 'webm' }, { converter: 'toMkv' }]
    for (const target of targets)
      await expect(convert(await workshop.blob('list.mp4', list), target)).rejects.toMatchObject({
        status: 422,
      })
    const { stdout } = await run('ffprobe', ['-v', 'error', '-show_format', join(folder, 'secret.ts')])
    expect(stdout).toContain('format_name=mpegts')
  })

  test('a sound file is no film, and a height that is none is refused', async () => {
    await run('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1',
      join(folder, 'tone.ogg'),
    ])
    const tone = await workshop.blob('tone.ogv', await readFile(join(folder, 'tone.ogg')))
    await expect(convert(tone, { format: 'mp4' })).rejects.toThrow('The file holds no video')
    await expect(
      convert(await film('a.mp4'), { converter: 'convertToMP4', height: '-1' }),
    ).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('command lines', () => {
  const lines = () => workshop.blob('lines.txt', 'c\na\nb\n')

  test('programs read one another, parameters stay arguments, and the caller names the file', async () => {
    const result = await convert(await lines(), {
      converter: 'firstLines',
      targetFileName: '../sorted.txt',
      sourceFilePath: '/etc/passwd',
    })
    expect(result).toMatchObject({ name: 'lines.txt', 'mime-type': 'text/plain' })
    expect((await workshop.read(result)).toString()).toBe('a\nb\n')
  })

  test.each([
    [{ converter: 'firstLines', count: '-c1' }, 400, 'count: "-c1" is not possible'],
    [{ converter: 'firstLines', count: 'x' }, 422, 'head failed'],
    [{ converter: 'nothing' }, 422, 'wrote 0 files'],
  ])('%j is %d', async (parameters, status, message) => {
    await expect(convert(await lines(), parameters as Record<string, string>)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    })
  })
})
