import type { ResizeOptions } from 'sharp'
import { fail } from '../../../../platform/errors/index.js'
import { positiveInteger, wholeNumber } from '../parameters.js'
import { type Watermark, watermarkOf } from './watermark-plan.js'

/** The formats that pictures are written in, by the mime type of each. */
const formats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
} as const

export type ImageFormat = (typeof formats)[keyof typeof formats]

export type ImagePlan = {
  mimeType: string
  format: ImageFormat
  resize: ResizeOptions | null
  /** Bits of a colour channel, for the formats that know 16. */
  depth: 8 | 16
  /** Degrees clockwise, after the orientation that the picture says. */
  angle: number
  /** A part of the picture, in place of a size to fit in. */
  crop: Crop | null
  /** A text that is written on it. */
  watermark: Watermark | null
}

export type Crop = { left: number; top: number; width: number; height: number }

const aliases = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
])

/** Pixels of one side; the most that JPEG and WebP can hold is 65,535 and 16,383. */
const MAX_SIDE = 16_383

/**
 * The plan for a picture: with `x` or `y` a part of it, `angle` turns it, `width` and `height` bound it (ratio kept, never enlarged), `depth` is 8 or 16,
 * `watermark` is written on it, `conversionFormat` (or `format`) counts when the converter has no format of its own; then the source's format is
 * kept, or JPEG where it cannot be written.
 */
export const planImage = ({
  sourceMimeType,
  destinationMimeType,
  parameters,
}: {
  sourceMimeType: string
  destinationMimeType?: string
  parameters: Readonly<Record<string, string>>
}): ImagePlan => {
  const width = positiveInteger(parameters, 'width', MAX_SIDE)
  const height = positiveInteger(parameters, 'height', MAX_SIDE)
  const crop = cropOf(parameters, { width, height })
  const mimeType =
    destinationMimeType ??
    askedMimeType(parameters) ??
    (isWritable(sourceMimeType) ? sourceMimeType : 'image/jpeg')
  if (!isWritable(mimeType)) throw fail('badRequest', `Pictures cannot be written as ${mimeType}`)
  return {
    mimeType,
    format: formats[mimeType],
    crop,
    angle: wholeNumber(parameters, 'angle', 360) ?? 0,
    resize: !crop && (width || height) ? { width, height, fit: 'inside', withoutEnlargement: true } : null,
    depth: depthOf(parameters),
    watermark: watermarkOf(parameters),
  }
}

/** The part whose corner `x` or `y` names; both sides are needed then. */
const cropOf = (
  parameters: Readonly<Record<string, string>>,
  { width, height }: { width: number | undefined; height: number | undefined },
): Crop | null => {
  const [left, top] = [wholeNumber(parameters, 'x', MAX_SIDE), wholeNumber(parameters, 'y', MAX_SIDE)]
  if (left === undefined && top === undefined) return null
  if (width === undefined || height === undefined)
    throw fail('badRequest', 'width and height: a part of a picture needs both')
  return { left: left ?? 0, top: top ?? 0, width, height }
}

const isWritable = (mimeType: string): mimeType is keyof typeof formats => Object.hasOwn(formats, mimeType)

const askedMimeType = (parameters: Readonly<Record<string, string>>): string | undefined => {
  const name = ['conversionFormat', 'format'].find((key) => parameters[key]?.trim())
  if (!name) return undefined
  const asked = parameters[name]!.trim().toLowerCase()
  const mimeType = `image/${aliases.get(asked) ?? asked}`
  if (!isWritable(mimeType))
    throw fail(
      'badRequest',
      `${name}: expected one of ${Object.values(formats).join(', ')}, got ${JSON.stringify(asked)}`,
    )
  return mimeType
}

const depthOf = (parameters: Readonly<Record<string, string>>): 8 | 16 => {
  const depth = positiveInteger(parameters, 'depth', 16) ?? 8
  if (depth !== 8 && depth !== 16) throw fail('badRequest', `depth: expected 8 or 16, got ${depth}`)
  return depth
}
