import type { DocumentRecord } from '../../../model/properties/index.js'

/** Service data of the product on a document, which versions do not keep. */
const NOTES = ['collectionMember:collectionIds', 'notif:notifications']
const NOTE_FACETS = ['CollectionMember', 'Notifiable']

type Content = Pick<DocumentRecord, 'properties' | 'facets'>

const only = ({ properties, facets }: Content, isNote: boolean): Content => ({
  properties: Object.fromEntries(
    Object.entries(properties).filter(([name]) => NOTES.includes(name) === isNote),
  ),
  facets: facets.filter((facet) => NOTE_FACETS.includes(facet) === isNote),
})

/** A document's content as a version stores it. */
export const withoutNotes = (content: Content): Content => only(content, false)

/** The content of a version with the service data of the live document that it is restored to. */
export const withNotesOf = (live: Content, version: Content): Content => {
  const content = only(version, false)
  const notes = only(live, true)
  return {
    properties: { ...content.properties, ...notes.properties },
    facets: [...content.facets, ...notes.facets],
  }
}
