import type { ContentModel } from '../../../model/content-model/index.js'
import {
  type BlobValue,
  type DocumentRecord,
  getProperty,
  isBlobValue,
  type PropertyValue,
} from '../../../model/properties/index.js'

const MAIN_BLOB = /^blobholder:(0|[1-9]\d{0,5})$/

/** Where the blobs of a document without a main blob of its own stand. */
const ATTACHMENTS = 'files:files'
const MAIN = 'file:content'

/** Xpath of the n-th blob: the main one, then the attachments. */
const holderXpath = ({ properties }: DocumentRecord, position: number): string => {
  const hasMain = isBlobValue(properties[MAIN])
  if (position === 0 && hasMain) return MAIN
  return `${ATTACHMENTS}/${hasMain ? position - 1 : position}/file`
}

/**
 * The real xpath of what a caller wrote: `;` stands for `:`, `blobholder:0` for the main blob. Undefined
 * without a prefix, which would let a path around the rules that name one (blobs-conversions.md §2).
 */
export const blobXpath = (document: DocumentRecord, written: string): string | undefined => {
  const xpath = written.replaceAll(';', ':')
  if (!xpath.includes(':')) return undefined
  const main = MAIN_BLOB.exec(xpath)
  if (main) return holderXpath(document, Number(main[1]))
  return xpath.startsWith('blobholder:') ? undefined : xpath
}

/** The blob that a document has at an xpath, or its main blob; undefined when there is none. */
export const blobAt = (
  model: ContentModel,
  document: DocumentRecord,
  written: string,
): BlobValue | undefined => {
  const xpath = blobXpath(document, written)
  if (xpath === undefined) return undefined
  const resolved = model.resolve(xpath)
  if (resolved?.field.type !== 'blob' || resolved.steps.some((step) => String(step).startsWith('*')))
    return undefined
  const value = getProperty(document.properties, { model, xpath })
  return isBlobValue(value) ? value : undefined
}

/** The blobs in a value of a property: itself, or those of a list, each alone or in a map with other fields. */
export const blobsIn = (value: PropertyValue | undefined): readonly BlobValue[] => {
  if (isBlobValue(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(blobsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).filter(isBlobValue) : []
}

/** All blobs that a document has at the xpath of a blob, or of a list of them. */
export const blobsAt = (
  model: ContentModel,
  document: DocumentRecord,
  written: string,
): readonly BlobValue[] => {
  const blob = blobAt(model, document, written)
  if (blob) return [blob]
  const xpath = blobXpath(document, written)
  const resolved = xpath === undefined ? undefined : model.resolve(xpath)
  if (xpath === undefined || !resolved?.field.isList) return []
  return blobsIn(getProperty(document.properties, { model, xpath }))
}

/** A blob, and the xpath where its document has it. */
export type PlacedBlob = { xpath: string; blob: BlobValue }

/** All blobs in a value that stands at an xpath, however deep, with their own. */
export const placedBlobs = (xpath: string, value: PropertyValue | undefined): PlacedBlob[] => {
  if (isBlobValue(value)) return [{ xpath, blob: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([step, inner]) => placedBlobs(`${xpath}/${step}`, inner))
}

/** All blobs of a document, with their xpaths. */
export const blobsOf = ({ properties }: Pick<DocumentRecord, 'properties'>): PlacedBlob[] =>
  Object.entries(properties).flatMap(([xpath, value]) => placedBlobs(xpath, value))
