import { SYSTEM } from '../../access/security/index.js'
import { isRaw } from '../../files/blobs/index.js'
import type { PictureInfo } from '../../files/media/index.js'
import type { BlobValue, PropertyValue } from '../../model/properties/index.js'
import { type PictureConversion, pictureConversionsOf } from './conversion-points.js'
import type { MediaTools } from './make.js'
import { BASE_NAME, namedAsSource } from './names.js'
import { type MediaResult, type MediaWork, madeFor } from './tasks.js'

type View = Pick<PictureConversion, 'name' | 'description' | 'tag'>

/** An item of `picture:views` (blobs-conversions.md §4). */
export const itemOf = (
  { name, description, tag }: View,
  { blob, info }: { blob: BlobValue; info: PictureInfo },
) => ({
  title: name,
  description: description ?? name,
  tag: tag ?? null,
  width: info.width,
  height: info.height,
  filename: blob.name,
  content: blob,
  info: { ...info },
})

/** The same of a picture that is looked at for its size. */
export const viewOf = async (
  view: View,
  blob: BlobValue,
  { media, signal }: Pick<MediaTools, 'media' | 'signal'>,
): Promise<{ [field: string]: PropertyValue }> =>
  itemOf(view, { blob, info: await media.describePicture({ source: blob, owner: SYSTEM, signal }) })

/** Views as JPEG: the picture within a square, never enlarged. */
const viewsOf = async (work: MediaWork, { contributions, pictureViews, signal }: MediaTools) => {
  const conversions = pictureConversionsOf(contributions)
  const maxSizes = conversions.map(({ maxSize }) => maxSize)
  const views = await pictureViews({
    ...{ source: work.source, maxSizes, ...madeFor(work) },
    ...(signal && { signal }),
  })
  return conversions.flatMap((conversion, index) => {
    const view = views[index]
    if (!view) return []
    const { blob, ...size } = view
    const named = { ...blob, name: `${conversion.name}_${BASE_NAME}.jpg` }
    return [itemOf(conversion, { blob: named, info: { ...size, depth: 8, format: 'JPEG' } })]
  })
}

/** Size, views and metadata of a picture. */
export const makePicture = async (work: MediaWork, tools: MediaTools): Promise<MediaResult> => {
  const { media, signal, onProgress } = tools
  const call = { source: work.source, owner: SYSTEM, signal }
  const views: PropertyValue[] = await viewsOf(work, tools)
  onProgress?.(2 / 3)
  const { properties, defaults } = await media.readMetadata(call)
  const info = await describe(work, tools)
  return { properties: { ...properties, 'picture:info': info, 'picture:views': views }, defaults }
}

/** How what is described by its picture is called: what has no pixels, and raw photos, whose pixels nothing here reads. */
const drawnFormat = (mimeType: string): string | undefined => {
  if (mimeType === 'image/svg+xml') return 'SVG'
  return isRaw(mimeType) ? mimeType.split('-').at(-1)?.toUpperCase() : undefined
}

/** Size, depth and format of a picture. */
const describe = async (work: MediaWork, { media, convert, signal }: MediaTools) => {
  const { source } = work
  const format = drawnFormat(source['mime-type'] ?? '')
  if (format === undefined) return { ...(await media.describePicture({ source, owner: SYSTEM, signal })) }
  const drawn = await convert({
    ...{ source, converter: 'pictureToPng', ...madeFor(work) },
    ...(signal && { signal }),
  })
  return { ...(await media.describePicture({ source: drawn, owner: SYSTEM, signal })), format }
}

const THUMBNAIL_SIDE = '300'

/** A small picture of the first page of a document, or of a picture. */
export const makeThumbnail = async (
  work: MediaWork,
  { convert, signal }: MediaTools,
): Promise<MediaResult> => {
  const thumbnail = await convert({
    ...{ source: work.source, converter: 'anyToThumbnail', ...madeFor(work) },
    parameters: { width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE },
    ...(signal && { signal }),
  })
  return { properties: { 'thumb:thumbnail': namedAsSource(thumbnail) }, facet: 'Thumbnail' }
}
