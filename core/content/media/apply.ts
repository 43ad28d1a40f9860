import type { DocumentRecord, Properties, PropertyValue } from '../../model/properties/index.js'
import { type Session, withFacet, writeQuietly } from '../documents/index.js'
import { mediaSource } from './listeners-point.js'
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

const changeOf = (session: Session, document: DocumentRecord, result: MediaResult) => {
  const { properties = {}, defaults = {}, transcoded, facet } = result
  const missing = Object.entries(defaults).filter(([xpath]) => isEmpty(document.properties[xpath]))
  const changed: Properties = {
    ...properties,
    ...Object.fromEntries(missing),
    ...(transcoded && { [TRANSCODED]: transcodedOf(document, transcoded) }),
  }
  // The words of a file are no part of the document.
  if (Object.keys(changed).length === 0 && !facet) return undefined
  return { properties: changed, ...(facet && { facets: withFacet(session, document, facet) }) }
}

/**
 * Puts what was made of a file on a document, quietly: nobody's change, and no version of it. Nothing happens to a
 * document that is gone, or has another file meanwhile.
 */
export const applyMedia = async (
  session: Session,
  { documentId, work, result }: { documentId: string; work: MediaWork; result: MediaResult },
): Promise<void> => {
  const document = await session.stores.documents.get(documentId)
  if (!document || mediaSource(document)?.digest !== work.source.digest) return
  await writeQuietly(session, documentId, (current) =>
    mediaSource(current)?.digest === work.source.digest ? changeOf(session, current, result) : undefined,
  )
}
