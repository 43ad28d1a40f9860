import type { DocumentRecord } from '../../model/properties/index.js'

/** Ids of the members of a collection, in their order. */
export const MEMBERS = 'collection:documentIds'

/** Ids of the collections that a document is in. */
export const COLLECTIONS = 'collectionMember:collectionIds'

/** The ids that a property holds, hidden ones included. */
export const idsAt = ({ properties }: DocumentRecord, property: string): string[] => {
  const stored = properties[property]
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}
