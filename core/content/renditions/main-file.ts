import type { DocumentRecord } from '../../model/properties/index.js'
import { blobAt, blobXpath, type PlacedBlob, type Session } from '../documents/index.js'

const MAIN = 'blobholder:0'

/** The main file of a document, and where it is. */
export const mainFile = ({ model }: Session, document: DocumentRecord): PlacedBlob | undefined => {
  const blob = blobAt(model, document, MAIN)
  return blob && { blob, xpath: blobXpath(document, MAIN) ?? MAIN }
}
