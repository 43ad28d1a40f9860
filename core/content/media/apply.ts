import type { DocumentRecord, Properties, PropertyValue } from '../../model/properties/index.js'
import { emit, type Session, withFacet, writeQuietly } from '../documents/index.js'
import { viewsFor } from './conversions-for.js'
import { eventsOf } from './events.js'
import { mediaSource } from './listeners-point.js'
import { mediaKeyOf } from './media-key.js'
import { withNames } from './names.js'
import type { MediaResult, MediaWork } from './tasks.js'

const TRANSCODED = 'vid:transcodedVideos'

const isEmpty = (value: PropertyValue | undefined): boolean =>
  value === undefined || value === null || value === ''

const isNamed = (item: PropertyValue, name: PropertyValue | undefined): boolean =>
  typeof item === 'object' && item !== null && 'name' in item && item.name === name

const transcodedOf = (
  { properties }: DocumentRecord,
  item: { [field: string]: PropertyValue },
): PropertyValue[] => {
  const known = properties[TRANSCODED]
  const others = Array.isArray(known) ? known.filter((other) => !isNamed(other, item.name)) : []
  return [...others, item]
}

const changeOf = (session: Session, document: DocumentRecord, made: MediaResult) => {
  const {
    properties = {},
    defaults = {},
    transcoded,
    facet,
  } = withNames(made, mediaSource(document) ?? { name: null })
  const missing = Object.entries(defaults).filter(([xpath]) => isEmpty(document.properties[xpath]))
  const changed: Properties = {
    ...properties,
    ...Object.fromEntries(missing),
    ...(transcoded && { [TRANSCODED]: transcodedOf(document, transcoded) }),
  }
  if (Object.keys(changed).length === 0 && !facet) return undefined
  return { properties: changed, ...(facet && { facets: withFacet(session, document, facet) }) }
}

const VIEWS = 'picture:views'

/** What was made, without views that filters keep from the document. */
const filtered = async (
  session: Session,
  document: DocumentRecord,
  result: MediaResult,
): Promise<MediaResult> => {
  const views = result.properties?.[VIEWS]
  if (!Array.isArray(views)) return result
  return {
    ...result,
    properties: { ...result.properties, [VIEWS]: await viewsFor(session, document, views) },
  }
}

const hasFile = (document: DocumentRecord | undefined, work: MediaWork): document is DocumentRecord => {
  const source = document && mediaSource(document)
  return source !== undefined && mediaKeyOf({ source }) === mediaKeyOf(work)
}

/** Whether a document is there, and has the file of which something was made. */
export const isOfFile = async (session: Session, documentId: string, work: MediaWork): Promise<boolean> =>
  hasFile(await session.stores.documents.get(documentId), work)

/**
 * Puts what was made of a file on a document, quietly: nobody's change, and no version of it. Nothing happens to a
 * document that is gone, or has another file meanwhile.
 *
 * @param automatic names of the conversions that every film gets.
 */
export const applyMedia = async (
  session: Session,
  {
    documentId,
    work,
    result: made,
    automatic,
  }: { documentId: string; work: MediaWork; result: MediaResult; automatic: readonly string[] },
): Promise<void> => {
  const document = await session.stores.documents.get(documentId)
  if (!hasFile(document, work)) return
  const result = work.kind === 'picture' ? await filtered(session, document, made) : made
  const events = (current: DocumentRecord) =>
    eventsOf(current, work, {
      transcoded: result.transcoded && transcodedOf(current, result.transcoded),
      automatic,
    })
  // The words of a file are no part of the document.
  if (!changeOf(session, document, result)) await emit(session, document, events(document))
  else
    await writeQuietly(
      session,
      documentId,
      (current) => (hasFile(current, work) ? changeOf(session, current, result) : undefined),
      events,
    )
}
