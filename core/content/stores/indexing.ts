import type { DocumentRecord } from '../../model/properties/index.js'

/** A document as an index is told of it. */
export type IndexedDocument = {
  record: DocumentRecord
  /** Id of the scope that decides who may browse it; null for what only administrators see. */
  scope: number | null
  /** Ids of what is above it, the root first; of versions and the root there are none. */
  ancestors: readonly string[]
  /** The words that full-text searches of the repository find, in order, each with the mark of its index. */
  words: readonly { word: string; weight: 'A' | 'B' | 'C' | 'D' }[]
}
