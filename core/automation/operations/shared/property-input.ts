import { createBlobValue } from '../../../files/blobs/index.js'
import type { ContentModel, ResolvedField } from '../../../model/content-model/index.js'
import {
  coerceGiven,
  coerceText,
  createPropertyChanges,
  type OnBlob,
  type Properties,
  type PropertyValue,
} from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { type OperationServices, uploadedFile, type Variables } from '../../language/index.js'

/** What decides which properties a document has. */
export type Shape = { type: string; facets: readonly string[]; properties: Properties }

type Target = {
  model: ContentModel
  blobs: OperationServices['blobs']
  /** Of the run: where the files are that its caller has uploaded. */
  variables: Variables
  document: Shape
}

/**
 * The field at an xpath of a document.
 *
 * @throws badRequest naming the xpath when its schemas have no such property.
 */
export const requireField = (model: ContentModel, { type, facets }: Shape, xpath: string): ResolvedField => {
  const resolved = model.resolve(xpath.trim())
  const isOwn = model.schemasOf(type, facets).some((schema) => schema.name === resolved?.schema.name)
  if (!resolved || !isOwn) throw fail('badRequest', `Documents of type ${type} have no property '${xpath}'`)
  return resolved
}

/** Files in the JSON of a property are uploads, or written out in it; any other comes as a blob of its own. */
const fileIn =
  ({ blobs, variables }: Pick<Target, 'blobs' | 'variables'>): OnBlob =>
  async (source, { xpath }) => {
    const uploaded = source.kind === 'upload' ? uploadedFile(variables, source) : undefined
    if (uploaded) return uploaded
    if (source.kind !== 'text')
      throw fail(
        'badRequest',
        `${xpath}: only the text of a file or an upload can be given here; use Document.SetBlob`,
      )
    const { text, name, mimeType, encoding } = source
    return createBlobValue({ stored: await blobs.write(Buffer.from(text)), name, mimeType, encoding })
  }

/**
 * The changes that an operation's `properties` parameter asks for, by property and in stored form.
 *
 * @throws badRequest naming the property that is unknown or whose value is of a wrong type.
 */
export const readChanges = async (
  raw: { [xpath: string]: PropertyValue },
  { model, blobs, variables, document }: Target,
): Promise<Properties> => {
  const { changes, set } = createPropertyChanges(document.properties, model)
  for (const [name, value] of Object.entries(raw)) {
    const { field, xpath } = requireField(model, document, name)
    const coercing = coerceGiven(value, { field, xpath, onBlob: fileIn({ blobs, variables }) })
    set(xpath, coercing instanceof Promise ? await coercing : coercing)
  }
  return changes
}

/**
 * The change that puts one scalar at an xpath; nothing clears it.
 *
 * @throws badRequest for a list or a complex property, and for such a value.
 */
export const readScalarChange = async (
  { xpath, value }: { xpath: string; value: PropertyValue | undefined },
  target: Target,
): Promise<Properties> => {
  const { field } = requireField(target.model, target.document, xpath)
  if (field.isList || field.type === 'complex' || field.type === 'blob')
    throw fail('badRequest', `xpath: '${xpath}' does not hold a single value`)
  if (typeof value === 'object' && value !== null)
    throw fail('badRequest', `value: '${xpath}' takes a single value, not a list or a map`)
  return readChanges({ [xpath]: value ?? null }, target)
}

/**
 * One item for a list of single values, as its field wants it.
 *
 * @throws badRequest for any other property, and for a value that is none of its kind.
 */
export const readListItem = async (
  { xpath, value }: { xpath: string; value: PropertyValue },
  { model, blobs, variables, document }: Target,
): Promise<{ key: string; xpath: string; item: PropertyValue }> => {
  const { key, field, xpath: canonical } = requireField(model, document, xpath)
  if (!field.isList || field.type === 'complex' || field.type === 'blob')
    throw fail('badRequest', `xpath: '${xpath}' does not hold a list of single values`)
  if (typeof value === 'object')
    throw fail('badRequest', `value: '${xpath}' takes single values, not a list or a map`)
  // As a list of one: the field's own rules are those of its items.
  const where = { field, xpath: canonical, onBlob: fileIn({ blobs, variables }) }
  const text = String(value).replaceAll('\\', '\\\\').replaceAll(',', '\\,')
  const items = await coerceText(text, where)
  return { key, xpath: canonical, item: (Array.isArray(items) ? items[0] : items) ?? null }
}
