import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import { documentEvent } from '../documents/index.js'
import type { MediaWork } from './tasks.js'

/** Asks for the views of a picture once more, whatever was made of its file before. */
export const VIEWS_REQUESTED = 'pictureViewsRequested'

/** Events that report that something was put on a document (blobs-conversions.md §4 and §5), so that searches find it. */
const EVENTS: { readonly [kind: string]: string } = {
  picture: 'pictureViewsGenerationDone',
  text: 'binaryTextUpdated',
}
const OTHERS = 'mediaUpdated'
const ALL_CONVERSIONS = 'videoConversionsDone'

const nameOf = (item: PropertyValue): PropertyValue | undefined =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? item.name : undefined

/**
 * The events of what is put on a document: one for the kind, and one when the last of the automatic conversions of
 * a film is there.
 *
 * @param transcoded the value of `vid:transcodedVideos` that it is about to have; absent: it stays.
 */
export const eventsOf = (
  document: DocumentRecord,
  { kind }: Pick<MediaWork, 'kind'>,
  {
    transcoded,
    automatic,
  }: { transcoded?: readonly PropertyValue[] | undefined; automatic: readonly string[] },
): CoreEvent[] => {
  const names = transcoded?.map(nameOf) ?? []
  const isComplete = transcoded !== undefined && automatic.every((name) => names.includes(name))
  return [
    documentEvent(EVENTS[kind] ?? OTHERS, document, { kind }),
    ...(isComplete ? [documentEvent(ALL_CONVERSIONS, document)] : []),
  ]
}
