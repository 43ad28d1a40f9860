import type { DocumentRecord } from '../../model/properties/index.js'

/** The ids that a property holds, hidden ones included. */
export const idsAt = ({ properties }: DocumentRecord, property: string): string[] => {
  const stored = properties[property]
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}
