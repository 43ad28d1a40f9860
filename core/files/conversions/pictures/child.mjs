/**
 * The process in which one picture is converted, so that it can be killed and its memory bounded. Plain JavaScript, so
 * that it starts without a loader. Arguments: address of sharp's module, a `PictureJob` as JSON. It writes a `PictureReply`
 * as JSON to standard output.
 *
 * @typedef {import('./picture-job.js').PictureJob} PictureJob
 */
import { readFile, stat } from 'node:fs/promises'

const [module, text] = process.argv.slice(2)
/** @type {PictureJob} */
const job = JSON.parse(text)
const { default: sharp } = await import(module)

const reply = (message) => process.stdout.write(JSON.stringify(message))

/** A reason to refuse the picture, before any of it is decoded. */
const refusalOf = ({ width, height, channels, depth }) => {
  const { memoryBytes, bytesPerPixel, resize, format } = job
  const sampleBytes = depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 4
  const read = width * height * channels * sampleBytes
  const factor = Math.min(1, (resize?.width ?? width) / width, (resize?.height ?? height) / height)
  const pixels = Math.ceil(width * factor) * Math.ceil(height * factor)
  const needed = read + pixels * bytesPerPixel * (job.depth === 16 ? 2 : 1)
  if (needed <= memoryBytes) return undefined
  const mebibytes = (bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`
  return `${width} x ${height} pixels to ${format} need ${mebibytes(needed)}, of ${mebibytes(memoryBytes)} at most`
}

const convert = async () => {
  sharp.cache(false)
  // Whatever a file claims to be, only these formats are decoded.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: job.loaders })
  const { size } = await stat(job.input)
  if (size > job.memoryBytes) return { refused: `the file has ${size} bytes, of ${job.memoryBytes} at most` }
  // Bytes, not a path: what is read has no place from which to name others.
  const bytes = await readFile(job.input)
  const refused = refusalOf(await sharp(bytes, { limitInputPixels: false }).metadata())
  if (refused !== undefined) return { refused }
  // Turned as its EXIF orientation says, for that tag does not survive; the colour profile does.
  const picture = sharp(bytes, { limitInputPixels: false, autoOrient: true }).keepIccProfile()
  if (job.resize) picture.resize(job.resize)
  if (job.depth === 16) picture.toColourspace('rgb16')
  if (job.format === 'jpeg') picture.flatten({ background: 'white' })
  await picture.toFormat(job.format).toFile(job.output)
  return { isDone: true }
}

try {
  reply(await convert())
} catch (error) {
  reply({ error: error instanceof Error ? error.message : String(error) })
}
