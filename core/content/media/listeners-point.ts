import { z } from 'zod'
import type { ContentModel } from '../../model/content-model/index.js'
import { type BlobValue, type DocumentRecord, isBlobValue } from '../../model/properties/index.js'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'
import { automaticConversionsOf } from './conversion-points.js'
import { VIEWS_REQUESTED } from './events.js'
import { isPlaceholder } from './placeholder-picture.js'
import type { WantedMedia } from './tasks.js'

const MAIN_FILE = 'file:content'
const VIEWS = 'picture:views'

/** What may be made of a file. */
export const MEDIA_KINDS = ['picture', 'video', 'transcoding', 'audio', 'thumbnail', 'text'] as const

const names = z.array(z.string().min(1)).min(1)

/** `mediaListeners:` in the configuration: after which events something is made of the main file of which documents. */
export const mediaListenersPoint = defineExtensionPoint({
  point: 'mediaListeners',
  elements: { mediaListener: {} },
  schema: z.strictObject({
    makes: z.enum(MEDIA_KINDS).describe('What is made of the file'),
    events: names.optional().describe('Default documentCreated, documentModified and documentRestored'),
    facets: names.optional().describe('Of which a document has one; default any document'),
    mimeTypes: names.optional().describe('Of the file, type/* among them; default any'),
  }),
})

const EVENTS = ['documentCreated', 'documentModified', 'documentRestored', 'documentCreatedByCopy']

/** The prefix of the kind of a transcoding, before its name. */
export const TRANSCODING = 'transcoding:'

const covers = (pattern: string, mimeType: string): boolean =>
  pattern === mimeType || (pattern.endsWith('/*') && mimeType.startsWith(pattern.slice(0, -1)))

const bare = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase()

/** The file that something is made of. */
export const mediaSource = ({ properties }: Pick<DocumentRecord, 'properties'>): BlobValue | undefined => {
  const blob = properties[MAIN_FILE]
  return isBlobValue(blob) ? blob : undefined
}

/** Whether any listener waits for an event of the name. */
export const isMediaEvent = (contributions: Contributions, event: string): boolean =>
  event === VIEWS_REQUESTED ||
  [...contributions.get(mediaListenersPoint).values()].some(({ events = EVENTS }) => events.includes(event))

/** Whoever creates a picture with views, such as a copy, has chosen them. */
const hasViews = ({ properties }: Pick<DocumentRecord, 'properties'>, event: string): boolean => {
  const views = properties[VIEWS]
  return event.startsWith('documentCreated') && Array.isArray(views) && !views.every(isPlaceholder)
}

/** The properties that `mediaWorkOf` looks at. */
export const MEDIA_PROPERTIES: readonly string[] = [MAIN_FILE, VIEWS]

/** What an event asks to be made of a document's main file. */
export const mediaWorkOf = (
  document: Pick<DocumentRecord, 'type' | 'facets' | 'isProxy' | 'properties'>,
  { model, contributions, event }: { model: ContentModel; contributions: Contributions; event: string },
): WantedMedia[] => {
  const source = mediaSource(document)
  if (!source) return []
  const facets = model.facetsOf(document.type, document.facets)
  const mimeType = bare(source['mime-type'] ?? '')
  const kinds = [...contributions.get(mediaListenersPoint).values()].flatMap((listener) => {
    const { events = EVENTS, makes } = listener
    const isAsked = event === VIEWS_REQUESTED ? makes === 'picture' : events.includes(event)
    if (!isAsked) return []
    if (listener.facets && !listener.facets.some((facet) => facets.includes(facet))) return []
    if (listener.mimeTypes && !listener.mimeTypes.some((pattern) => covers(pattern, mimeType))) return []
    if (makes !== 'transcoding') return [makes]
    return automaticConversionsOf(contributions).map((name) => `${TRANSCODING}${name}`)
  })
  // What a proxy shows is made of its target; words are found in each.
  const made = [...new Set<string>(kinds)].filter((kind) => !document.isProxy || kind === 'text')
  return made.map((kind) => ({
    kind,
    source,
    ...(kind === 'picture' && hasViews(document, event) && { isSettled: true }),
    ...(event === VIEWS_REQUESTED && { isAnew: true }),
  }))
}
