import type { ContentModel, Field } from '../../../model/content-model/index.js'
import {
  type BlobValue,
  getProperty,
  type Properties,
  type PropertyValue,
  setProperty,
} from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requireField, type Shape } from '../shared/property-input.js'

/** A file as an entry of a list: itself, or the map that has it in its first field for files. */
const listEntry = (field: Field, blob: BlobValue, xpath: string): PropertyValue => {
  if (field.type === 'blob') return blob
  const part = field.fields.find((sub) => sub.type === 'blob' && !sub.isList)
  if (!part) throw fail('badRequest', `xpath: '${xpath}' holds no files`)
  return { [part.name]: blob }
}

/** @throws badRequest naming an xpath that is unknown or can hold no files. */
export const requireFileField = (
  model: ContentModel,
  document: Shape,
  xpath: string,
): ReturnType<typeof requireField> => {
  const resolved = requireField(model, document, xpath)
  const { field } = resolved
  const holdsFiles = field.type === 'blob' || field.fields.some(({ type }) => type === 'blob')
  if (!holdsFiles) throw fail('badRequest', `xpath: '${xpath}' holds no file`)
  return resolved
}

/**
 * The change that puts files at an xpath; at the end, where there is a list.
 *
 * @throws badRequest naming an xpath that is unknown or holds no files.
 */
export const blobChange = (
  model: ContentModel,
  document: Shape,
  { xpath, blobs }: { xpath: string; blobs: readonly BlobValue[] },
): Properties => {
  const { key, field, xpath: canonical } = requireFileField(model, document, xpath)
  if (!field.isList && field.type !== 'blob') throw fail('badRequest', `xpath: '${xpath}' holds no file`)
  const current = field.isList ? getProperty(document.properties, { model, xpath: canonical }) : null
  const value = field.isList
    ? [...(Array.isArray(current) ? current : []), ...blobs.map((blob) => listEntry(field, blob, xpath))]
    : (blobs[0] ?? null)
  return { [key]: setProperty(document.properties, { model, xpath: canonical, value })[key] ?? null }
}
