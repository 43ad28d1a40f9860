import ffmpeg from 'fluent-ffmpeg'
import { fail } from '../../../../platform/errors/index.js'
import { inputGuards } from '../input-guards.js'
import { positiveInteger } from '../parameters.js'

export type VideoProbe = {
  /** As shown: sides are swapped when the film is turned by 90 or 270 degrees. */
  width: number
  height: number
  /** 0 when the file does not say. */
  durationSeconds: number
}

/** Beyond 8K no decoder plays it, and one frame fills the memory. */
const MAX_HEIGHT = 4320
const MAX_PIXELS = 7680 * MAX_HEIGHT

/** The height that a caller asks for. @throws badRequest for one that makes no sense. */
export const requireVideoHeight = (parameters: Readonly<Record<string, string>>): number | undefined =>
  positiveInteger(parameters, 'height', MAX_HEIGHT)

/**
 * The size of the result: the height asked for (else the film's own), the width by its ratio in whole numbers; an odd
 * side grows by one pixel, as the codecs need even ones (blobs-conversions.md §5). Fails with `invalid` beyond 8K.
 */
export const planVideoSize = (
  probe: VideoProbe,
  parameters: Readonly<Record<string, string>>,
): { width: number; height: number } => {
  const height = requireVideoHeight(parameters) ?? probe.height
  const size = { width: even(Math.floor((probe.width * height) / probe.height)), height: even(height) }
  for (const { width, height } of [probe, size])
    if (width * height > MAX_PIXELS)
      throw fail('invalid', `The film is too large: ${width} x ${height} pixels, of ${MAX_PIXELS} at most`)
  return size
}

const even = (pixels: number): number => Math.max(2, pixels + (pixels % 2))

const codecs: Record<string, { video: string; audio: string; options: string[] }> = {
  'video/mp4': {
    video: 'libx264',
    audio: 'aac',
    // The index in front lets a player start before the end has arrived.
    options: ['-preset', 'veryfast', '-movflags', '+faststart', '-f', 'mp4'],
  },
  'video/webm': {
    video: 'libvpx-vp9',
    audio: 'libopus',
    options: [
      '-crf',
      '33',
      '-b:v',
      '0',
      '-deadline',
      'realtime',
      '-cpu-used',
      '5',
      '-row-mt',
      '1',
      '-f',
      'webm',
    ],
  },
}

export type VideoPlan = {
  input: string
  output: string
  width: number
  height: number
  destinationMimeType: string | undefined
}

/** The arguments of one ffmpeg run: first picture and first sound track, progress on standard output. */
export const planVideoArguments = ({
  input,
  output,
  width,
  height,
  destinationMimeType,
}: VideoPlan): string[] => {
  const codec = codecs[destinationMimeType ?? '']
  if (!codec) throw fail('unsupportedMediaType', `Videos cannot be written as ${destinationMimeType}`)
  return ffmpeg(input)
    .inputOptions(['-nostdin', '-v', 'error', '-progress', 'pipe:1', ...inputGuards])
    .videoCodec(codec.video)
    .audioCodec(codec.audio)
    .videoFilters(`scale=${width}:${height}`)
    .outputOptions(['-map', '0:v:0', '-map', '0:a:0?', '-pix_fmt', 'yuv420p', ...codec.options])
    .output(output)
    ._getArguments()
}

/** The latest position in ffmpeg's progress lines, as a part of the whole from 0 to 1. */
export const readProgress = (lines: string, durationSeconds: number): number | null => {
  const microseconds = Number([...lines.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1])
  if (!Number.isFinite(microseconds) || durationSeconds <= 0) return null
  return Math.min(1, microseconds / 1e6 / durationSeconds)
}
