/**
 * The process in which pictures are converted, one after the other, so that it can be killed and its memory bounded.
 * Plain JavaScript, so that it starts without a loader. Argument: address of sharp's module. It answers as a warm process
 * does, one line of JSON for each `PictureJob` on standard input.
 *
 * @typedef {import('./picture-job.js').PictureJob} PictureJob
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What large pictures leave behind would count against the next ones. */
const SPENT_BYTES = 400 * 2 ** 20

const { default: sharp } = await import(process.argv[2])
sharp.cache(false)

const reply = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const refused = (reason) => ({
  error: `The picture is too large: ${reason}`,
  isBroken: false,
  isRefusal: true,
})

const sampleBytes = (depth) => (depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4)

/**
 * A reason to refuse the picture, before any of it is decoded.
 *
 * @param {PictureJob} job
 */
const tooLarge = (job, { width, height, channels, depth }) => {
  const { memoryBytes, bytesPerPixel, resize, format } = job
  const read = width * height * channels * sampleBytes(depth)
  const factor = Math.min(1, (resize?.width ?? width) / width, (resize?.height ?? height) / height)
  const pixels = Math.ceil(width * factor) * Math.ceil(height * factor)
  const needed = read + pixels * bytesPerPixel * (job.depth === 16 ? 2 : 1)
  if (needed <= memoryBytes) return undefined
  const mebibytes = (bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`
  return `${width} x ${height} pixels to ${format} need ${mebibytes(needed)}, of ${mebibytes(memoryBytes)} at most`
}

/** Beside what is read and written, for each pixel of the picture that smaller ones are made of. */
const KEPT_BYTES_PER_PIXEL = 8

/** What is kept between two views is ours, so that it may be read whatever the file was. */
const KEPT_LOADER = 'VipsForeignLoadTiff'

/** What the largest view fits into; null: one is as large as the picture. */
const squareOf = (views) => {
  const side = Math.max(...views.map((maxSize) => maxSize ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(side) ? { width: side, height: side } : null
}

/** Sides within a square, in whole pixels; nothing is enlarged. */
const sidesOf = ({ width, height }, maxSize) => {
  const factor = Math.min(1, (maxSize ?? Number.POSITIVE_INFINITY) / Math.max(width, height))
  const side = (pixels) => Math.max(1, Math.round(pixels * factor))
  return { width: side(width), height: side(height) }
}

/**
 * Views as JPEG, `0.jpg` and so on in the order of the job, with `views.json` that describes them. The file is decoded
 * once where there is memory for its pixels: a smaller view is made of the next larger one.
 *
 * @param {PictureJob} job
 */
const makeViews = async (job, bytes, metadata) => {
  await mkdir(job.output)
  const views = job.views.map((maxSize, index) => ({ index, ...sidesOf(metadata.autoOrient, maxSize) }))
  const read = metadata.width * metadata.height * metadata.channels * sampleBytes(metadata.depth)
  let from = bytes
  let isOwn = false
  for (const { index, width, height } of [...views].sort((a, b) => b.width - a.width)) {
    const drawn = () =>
      sharp(from, { limitInputPixels: false, autoOrient: !isOwn })
        .keepIccProfile()
        .resize({ width, height, fit: 'fill' })
        .flatten({ background: 'white' })
    const kept = width * height * (job.bytesPerPixel + KEPT_BYTES_PER_PIXEL)
    if (isOwn || read + kept <= job.memoryBytes) {
      from = await drawn().tiff({ compression: 'none' }).toBuffer()
      isOwn = true
      sharp.unblock({ operation: [KEPT_LOADER] })
    }
    const { channels } = await drawn()
      .jpeg()
      .toFile(join(job.output, `${index}.jpg`))
    views[index].channels = channels
  }
  await writeFile(join(job.output, 'views.json'), JSON.stringify(views))
  return { ok: true }
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const within = ({ width, height }, resize) => {
  const factor = Math.min(1, (resize?.width ?? width) / width, (resize?.height ?? height) / height)
  return { width: width * factor, height: height * factor }
}

const turned = ({ width, height }, angle) => {
  const turn = (angle * Math.PI) / 180
  const [along, across] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))]
  return { width: width * along + height * across, height: height * along + width * across }
}

/** Sides of the picture that is written: it is turned before it is scaled. */
const writtenSize = ({ crop, resize, angle }, { autoOrient }) =>
  within(turned(crop ?? autoOrient, angle), resize)

/** Why a picture has no such part; undefined where it has. */
const outside = ({ left, top, width, height }, { autoOrient: whole }) => {
  if (left + width <= whole.width && top + height <= whole.height) return undefined
  const part = `${width} x ${height} pixels at ${left}, ${top}`
  return `x, y, width and height: ${part} are not within the picture of ${whole.width} x ${whole.height}`
}

/** A text for a picture, as wide as most of it at most. */
const overlay = ({ text, gravity, opacity, colour }, { width, height }) => ({
  input: {
    text: {
      text: `<span foreground="${colour}" alpha="${opacity}%">${escaped(text)}</span>`,
      width: Math.max(1, Math.floor(width * 0.6)),
      height: Math.max(1, Math.floor(height * 0.12)),
      rgba: true,
    },
  },
  gravity,
})

/** @param {PictureJob} job */
const convert = async (job) => {
  // Whatever a file claims to be, only these formats are decoded.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: job.loaders })
  const { size } = await stat(job.input)
  if (size > job.memoryBytes) return refused(`${size} bytes, of ${job.memoryBytes} at most`)
  // Bytes, not a path: what is read has no place from which to name others.
  const bytes = await readFile(job.input)
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata()
  const reason = tooLarge({ ...job, resize: job.views ? squareOf(job.views) : job.resize }, metadata)
  if (reason !== undefined) return refused(reason)
  if (job.views) return await makeViews(job, bytes, metadata)
  const missing = job.crop && outside(job.crop, metadata)
  if (missing) return { error: missing, isBroken: false, isRefusal: true }
  // Turned as its EXIF orientation says, for that tag does not survive; the colour profile does.
  const picture = sharp(bytes, { limitInputPixels: false, autoOrient: true }).keepIccProfile()
  if (job.crop) picture.extract(job.crop)
  if (job.angle % 360 !== 0) picture.rotate(job.angle)
  if (job.resize) picture.resize(job.resize)
  if (job.watermark) picture.composite([overlay(job.watermark, writtenSize(job, metadata))])
  if (job.depth === 16) picture.toColourspace('rgb16')
  if (job.format === 'jpeg') picture.flatten({ background: 'white' })
  await picture.toFormat(job.format).toFile(job.output)
  return { ok: true }
}

const answer = (line) =>
  convert(JSON.parse(line)).catch((error) => ({
    error: error instanceof Error ? error.message : String(error),
    isBroken: false,
  }))

reply({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  reply(await answer(line))
  // The next job is done by another process.
  if (process.memoryUsage.rss() > SPENT_BYTES) break
}
// The end of standard input: our process has died.
process.exit()
