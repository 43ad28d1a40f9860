import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import type { BlobValue } from '../../../core/model/properties/index.js'
import { openWorkshop, run, type Workshop } from '../../integration/support/conversions-support.js'
import { pngBomb } from '../../integration/support/png-bomb.js'

const MEMORY_BYTES = 2 * 1024 ** 3

let workshop: Workshop
afterEach(() => workshop.close())

const open = async (options: Parameters<typeof openWorkshop>[0] = {}) => {
  workshop = await openWorkshop({ memoryBytes: MEMORY_BYTES, ...options })
}

/** Largest memory that any process of a conversion has had, bytes; it is looked at often, not always. */
const watched = async (work: Promise<unknown>): Promise<number> => {
  let most = 0
  let isOver = false
  const over = work
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  while (!isOver) {
    for (const { id } of await workshop.processes()) {
      const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024)
    }
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 50))])
  }
  return most
}

const bomb = (): Promise<BlobValue> => workshop.blob('bomb.png', pngBomb(16_000))

test.each(['png', 'avif', 'webp', 'gif'])(
  'a bomb that would be as large as %s is refused',
  async (format) => {
    await open()
    const source = await bomb()
    expect(source.length).toBeLessThan(32_000)
    const refused = workshop.conversions.convert({ source, format })
    expect(await watched(refused)).toBeLessThan(300e6)
    await expect(refused).rejects.toMatchObject({
      status: 422,
      retryable: false,
      message: expect.stringContaining('16000 x 16000 pixels'),
    })
  },
)

test('a bomb becomes a thumbnail in little memory', async () => {
  await open()
  const parameters = { width: '100', height: '100' }
  const work = bomb().then((source) =>
    workshop.conversions.convert({ source, converter: 'pictureToJpeg', parameters }),
  )
  expect(await watched(work)).toBeLessThan(600e6)
  expect(await sharp(await workshop.read(await work)).metadata()).toMatchObject({ width: 100, height: 100 })
})

test('a bomb that is too large to be read is refused, however small the result', async () => {
  // Beside what the process needs itself there are 200 MiB; the pixels of the bomb have 245.
  await open({ memoryBytes: 712 * 1024 ** 2 })
  const thumbnail = async (side: number) => {
    const source = await workshop.blob('bomb.png', pngBomb(side))
    const parameters = { width: '100', height: '100' }
    return workshop.conversions.convert({ source, converter: 'pictureToJpeg', parameters })
  }
  const refusal = {
    status: 422,
    retryable: false,
    message: expect.stringContaining('16000 x 16000 pixels'),
  }
  await expect(thumbnail(16_000)).rejects.toMatchObject(refusal)
  const views = workshop.conversions.pictureViews({ source: await bomb(), maxSizes: [100] })
  await expect(views).rejects.toMatchObject(refusal)
  expect(await sharp(await workshop.read(await thumbnail(2_000))).metadata()).toMatchObject({ width: 100 })
})

test('a bomb has views in little memory, but not one of its own size', async () => {
  await open()
  const source = await bomb()
  const views = workshop.conversions.pictureViews({ source, maxSizes: [100, 50] })
  expect(await watched(views)).toBeLessThan(600e6)
  expect((await views).map(({ width, height }) => [width, height])).toEqual([
    [100, 100],
    [50, 50],
  ])
  await expect(
    workshop.conversions.pictureViews({ source, maxSizes: [100, undefined] }),
  ).rejects.toMatchObject({ status: 422, retryable: false })
})

test('a picture that takes too long is killed for good, and the next one is converted', async () => {
  await open({ timeoutMs: 300 })
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const large = sharp({ create: { width: 3000, height: 3000, channels: 3, background: 'red', noise } })
  const source = await workshop.blob('large.png', await large.png().toBuffer())
  await expect(workshop.conversions.convert({ source, format: 'avif' })).rejects.toMatchObject({
    status: 504,
    retryable: false,
  })
  await expect.poll(() => workshop.processes()).toEqual([])
})

const slowDrawing = (): Promise<BlobValue> =>
  workshop.blob(
    'slow.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="a" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency="0.9" numOctaves="200"/></filter><rect width="5000" height="5000" filter="url(#a)"/></svg>`,
  )

test('a drawing has a quarter of the time', async () => {
  await open({ timeoutMs: 4_000 })
  const converted = workshop.conversions.convert({ source: await slowDrawing(), format: 'png' })
  await expect(converted).rejects.toMatchObject({ status: 504, message: expect.stringContaining('1 s') })
})

test('slow drawings of one user do not hold up another', async () => {
  await open()
  const [source, picture] = [await slowDrawing(), await workshop.blob('bomb.png', pngBomb(100))]
  const ending = new AbortController()
  let ended = 0
  const slow = Array.from({ length: 8 }, async () => {
    const owner = { name: 'ann', isAdministrator: false }
    await workshop.conversions
      .convert({ source, format: 'png', owner, signal: ending.signal })
      .catch(() => undefined)
    ended++
  })
  await expect.poll(() => workshop.processes()).not.toEqual([])
  const owner = { name: 'bob', isAdministrator: false }
  const converted = await workshop.conversions.convert({ source: picture, format: 'jpeg', owner })
  expect(converted.name).toBe('bomb.jpg')
  // The one whose turn was before, where there is but one process.
  expect(ended).toBeLessThanOrEqual(1)
  ending.abort()
  await Promise.all(slow)
})

test('a program that wants more memory than it may have fails', async () => {
  await open({ timeoutMs: 60_000, officeInstances: 1 })
  const source = await bomb()
  const work = workshop.conversions.convert({ source, format: 'pdf' })
  expect(await watched(work)).toBeLessThan(MEMORY_BYTES * 1.2)
})

test('a film of more pixels than 8K is refused', async () => {
  await open()
  const folder = await mkdtemp(join(tmpdir(), 'archivolt-film-'))
  const path = join(folder, 'wide.mkv')
  const frames = ['-f', 'lavfi', '-i', 'color=black:size=4096x2:rate=1:duration=1']
  await run('ffmpeg', ['-v', 'error', ...frames, '-c:v', 'mpeg4', path])
  const source = await workshop.blob('wide.mkv', await readFile(path))
  await rm(folder, { recursive: true })
  const parameters = { height: '4000' }
  await expect(
    workshop.conversions.convert({ source, converter: 'convertToMP4', parameters }),
  ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('too large') })
})
