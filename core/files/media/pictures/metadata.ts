import { z } from 'zod'
import { fail } from '../../../platform/errors/index.js'
import type { Bench } from '../../conversions/index.js'

/** Properties by xpath; those that the file does not say are absent. */
export type PictureMetadata = {
  /** Of the picture, by fields of `imd`. */
  properties: { [xpath: string]: string | number }
  /** Of the document, where it says nothing itself. */
  defaults: { [xpath: string]: string }
}

type Form = 'text' | 'whole' | 'number' | 'date'

/** Tags of ExifTool, and the property of each (blobs-conversions.md §4). */
const EXIF: readonly [tag: string, xpath: string, form: Form][] = [
  ['EXIF:ImageDescription', 'imd:image_description', 'text'],
  ['EXIF:UserComment', 'imd:user_comment', 'text'],
  ['EXIF:Equipment', 'imd:equipment', 'text'],
  ['EXIF:DateTimeOriginal', 'imd:date_time_original', 'date'],
  ['EXIF:Copyright', 'imd:copyright', 'text'],
  ['EXIF:ExposureTime', 'imd:exposure_time', 'text'],
  ['EXIF:ColorSpace', 'imd:color_space', 'text'],
  ['EXIF:WhiteBalance', 'imd:white_balance', 'text'],
  ['ICC_Profile:ProfileDescription', 'imd:icc_profile', 'text'],
  ['EXIF:IccProfile', 'imd:icc_profile', 'text'],
  ['EXIF:Orientation', 'imd:orientation', 'text'],
  ['EXIF:XResolution', 'imd:xresolution', 'whole'],
  ['EXIF:YResolution', 'imd:yresolution', 'whole'],
  ['EXIF:ExifImageWidth', 'imd:pixel_xdimension', 'whole'],
  ['EXIF:PixelXDimension', 'imd:pixel_xdimension', 'whole'],
  ['EXIF:ExifImageHeight', 'imd:pixel_ydimension', 'whole'],
  ['EXIF:PixelYDimension', 'imd:pixel_ydimension', 'whole'],
  ['EXIF:ISO', 'imd:iso_speed_ratings', 'text'],
  ['EXIF:FocalLength', 'imd:focalLength', 'text'],
  ['EXIF:FNumber', 'imd:fnumber', 'number'],
]

/** The same of XMP, where a file has no IPTC. */
const DEFAULTS: readonly [tag: string, xpath: string][] = [
  ['XMP:Source', 'dc:source'],
  ['XMP:Rights', 'dc:rights'],
  ['XMP:Description', 'dc:description'],
  ['IPTC:Source', 'dc:source'],
  ['IPTC:CopyrightNotice', 'dc:rights'],
  ['IPTC:Caption-Abstract', 'dc:description'],
]

/** Longer ones are no description of a picture. */
const MAX_TEXT = 10_000

const scalars = z.array(z.record(z.string(), z.unknown())).length(1)

const textOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).replaceAll('\0', '').trim().slice(0, MAX_TEXT)
  return text === '' ? undefined : text
}

const propertyOf = (value: unknown, form: Form): string | number | undefined => {
  const text = textOf(value)
  if (text === undefined || form === 'text') return text
  if (form === 'date') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
  }
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  return form === 'whole' ? Math.round(number) : number
}

const parsed = (json: string): Record<string, unknown> => {
  try {
    return scalars.parse(JSON.parse(json))[0] ?? {}
  } catch (cause) {
    throw fail('conversionFailed', 'The metadata of the picture make no sense', { cause })
  }
}

/** The properties that ExifTool's JSON says. */
export const metadataOf = (json: string): PictureMetadata => {
  const tags = parsed(json)
  const properties: PictureMetadata['properties'] = {}
  for (const [tag, xpath, form] of EXIF) {
    const value = propertyOf(tags[tag], form)
    if (value !== undefined) properties[xpath] = value
  }
  const defaults: PictureMetadata['defaults'] = {}
  for (const [tag, xpath] of DEFAULTS) {
    const text = textOf(tags[tag])
    if (text !== undefined) defaults[xpath] = text
  }
  return { properties, defaults }
}

/** ExifTool takes dates without a zone as those of UTC, as the sandbox has no other. */
const ARGUMENTS = ['-json', '-G', '-d', '%Y-%m-%dT%H:%M:%SZ', '-charset', 'utf8', '-charset', 'iptc=utf8']

export const readMetadata = async (bench: Pick<Bench, 'run'>, path: string): Promise<PictureMetadata> =>
  metadataOf(await bench.run('exiftool', [...ARGUMENTS, '--', path], { exitCodes: [1] }))
