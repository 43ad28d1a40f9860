import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'
import { filterNames, filterReferences } from '../filters/index.js'

const order = z.coerce.number().int().optional().describe('Those with a lower one come first; default 0')
const rendition = z.stringbool().or(z.boolean()).optional().describe('false: it is no rendition')

/** `pictureConversions:` in the configuration: the views of pictures (blobs-conversions.md §4). */
export const pictureConversionsPoint = defineExtensionPoint({
  point: 'pictureConversions',
  elements: { pictureConversion: { ignored: ['chainId', 'default', 'renditionVisible'] } },
  schema: z.strictObject({
    description: z.string().optional(),
    tag: z.string().optional(),
    order,
    maxSize: z.coerce
      .number()
      .int()
      .min(1)
      .max(16_383)
      .optional()
      .describe('Pixels of the longer side; nothing is enlarged. Absent: as large as the picture'),
    rendition,
    filters: filterNames,
  }),
  references: ({ filters }) => filterReferences(filters),
})

/** `videoConversions:` in the configuration: the formats that films are offered in (blobs-conversions.md §5). */
export const videoConversionsPoint = defineExtensionPoint({
  point: 'videoConversions',
  elements: { videoConversion: { ignored: ['renditionVisible'] } },
  schema: z.strictObject({
    converter: z.string().describe('Name of a converter'),
    height: z.coerce.number().int().min(2).max(4320).optional().describe('Pixels; the width follows'),
    segmentSeconds: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Films of more than twice as long are converted in parts of so many seconds; default 60'),
    rendition,
  }),
  references: ({ converter }) => [{ path: ['converter'], point: 'converters', name: converter }],
})

/** `videoPreviews:` in the configuration: pictures of films, by the one entry `default` (blobs-conversions.md §5). */
export const videoPreviewsPoint = defineExtensionPoint({
  point: 'videoPreviews',
  elements: { videoPreview: {} },
  schema: z.strictObject({
    previewScreenshotInDurationPercent: z.coerce
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe('Where the preview stands; default 10'),
    storyboardMinDuration: z.coerce
      .number()
      .optional()
      .describe(
        'Seconds; a shorter film has no storyboard, and none has one where it is negative. Default 10',
      ),
    storyboardThumbnailCount: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Pictures of a storyboard; default 9'),
  }),
})

/** How the pictures of films are made in a deployment. */
export const videoPreviewsOf = (contributions: Contributions) => {
  const said = contributions.get(videoPreviewsPoint).get('default')
  return {
    previewPart: (said?.previewScreenshotInDurationPercent ?? 10) / 100,
    storyboardSeconds: said?.storyboardMinDuration ?? 10,
    storyboardCount: said?.storyboardThumbnailCount ?? 9,
  }
}

/** `automaticVideoConversions:` in the configuration: those that every new film is converted to. */
export const automaticVideoConversionsPoint = defineExtensionPoint({
  point: 'automaticVideoConversions',
  elements: { automaticVideoConversion: {} },
  schema: z.strictObject({ order }),
})

type Ordered = { order?: number | undefined }

/** The contributions of a point in their order. */
const ordered = <Content extends Ordered>(all: ReadonlyMap<string, Content>): [string, Content][] =>
  [...all].sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0))

export const pictureConversionsOf = (contributions: Contributions) =>
  ordered(contributions.get(pictureConversionsPoint)).map(([name, conversion]) => ({ name, ...conversion }))

export type PictureConversion = ReturnType<typeof pictureConversionsOf>[number]

/** Names of the films that are made of every new one: those that `videoConversions` has, too. */
export const automaticConversionsOf = (contributions: Contributions): string[] => {
  const known = contributions.get(videoConversionsPoint)
  return ordered(contributions.get(automaticVideoConversionsPoint)).flatMap(([name]) =>
    known.has(name) ? [name] : [],
  )
}
