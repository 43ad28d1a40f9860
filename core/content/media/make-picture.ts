import { SYSTEM } from '../../access/security/index.js'
import { isRaw } from '../../files/blobs/index.js'
import type { BlobValue, PropertyValue } from '../../model/properties/index.js'
import { type PictureConversion, pictureConversionsOf } from './conversion-points.js'
import type { MediaTools } from './make.js'
import type { MediaResult, MediaWork } from './tasks.js'

const baseName = (name: string | null): string => (name ?? 'picture').replace(/\.[^.]*$/, '')

/** An item of `picture:views` (blobs-conversions.md §4). */
export const viewOf = async (
  { name, description, tag }: Pick<PictureConversion, 'name' | 'description' | 'tag'>,
  blob: BlobValue,
  { media, signal }: Pick<MediaTools, 'media' | 'signal'>,
): Promise<{ [field: string]: PropertyValue }> => {
  const info = await media.describePicture({ source: blob, owner: SYSTEM, signal })
  return {
    title: name,
    description: description ?? name,
    tag: tag ?? null,
    width: info.width,
    height: info.height,
    filename: blob.name,
    content: blob,
    info: { ...info },
  }
}

/** One view as JPEG: the picture within a square, never enlarged. */
const makeView = async (source: BlobValue, conversion: PictureConversion, tools: MediaTools) => {
  const { maxSize, name } = conversion
  const side: Record<string, string> =
    maxSize === undefined ? {} : { width: String(maxSize), height: String(maxSize) }
  const converted = await tools.convert({
    ...{ source, converter: 'pictureToJpeg', parameters: side, owner: SYSTEM },
    ...(tools.signal && { signal: tools.signal }),
  })
  return viewOf(conversion, { ...converted, name: `${name}_${baseName(source.name)}.jpg` }, tools)
}

/** Size, views and metadata of a picture. */
export const makePicture = async ({ source }: MediaWork, tools: MediaTools): Promise<MediaResult> => {
  const { media, contributions, signal, onProgress } = tools
  const call = { source, owner: SYSTEM, signal }
  const conversions = pictureConversionsOf(contributions)
  const views: PropertyValue[] = []
  for (const [index, conversion] of conversions.entries()) {
    views.push(await makeView(source, conversion, tools))
    onProgress?.((index + 1) / (conversions.length + 1))
  }
  const { properties, defaults } = await media.readMetadata(call)
  const info = await describe(tools, source)
  return { properties: { ...properties, 'picture:info': info, 'picture:views': views }, defaults }
}

/** How what is described by its picture is called: what has no pixels, and raw photos, whose pixels nothing here reads. */
const drawnFormat = (mimeType: string): string | undefined => {
  if (mimeType === 'image/svg+xml') return 'SVG'
  return isRaw(mimeType) ? mimeType.split('-').at(-1)?.toUpperCase() : undefined
}

/** Size, depth and format of a picture. */
const describe = async ({ media, convert, signal }: MediaTools, source: BlobValue) => {
  const format = drawnFormat(source['mime-type'] ?? '')
  if (format === undefined) return { ...(await media.describePicture({ source, owner: SYSTEM, signal })) }
  const drawn = await convert({ source, converter: 'pictureToPng', owner: SYSTEM, ...(signal && { signal }) })
  return { ...(await media.describePicture({ source: drawn, owner: SYSTEM, signal })), format }
}

const THUMBNAIL_SIDE = '300'

/** A small picture of the first page of a document, or of a picture. */
export const makeThumbnail = async (
  { source }: MediaWork,
  { convert, signal }: MediaTools,
): Promise<MediaResult> => {
  const thumbnail = await convert({
    ...{ source, converter: 'anyToThumbnail', owner: SYSTEM },
    parameters: { width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE },
    ...(signal && { signal }),
  })
  return { properties: { 'thumb:thumbnail': thumbnail }, facet: 'Thumbnail' }
}
