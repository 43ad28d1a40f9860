import { fail } from '../../platform/errors/index.js'
import type { FulltextContent } from './fulltext-point.js'
import type { ContentModel, Field, FulltextFields, FulltextIndex, FulltextModel, Schema } from './types.js'

/** Marks types and documents that are excluded from full-text search. */
const NOT_INDEXED = 'NotFulltextIndexable'

type Model = Pick<ContentModel, 'schemas' | 'facets' | 'types' | 'resolve'>

/** A string in a document: a property, or a place below one. */
type TextField = { xpath: string; key: string; path: string | null }

const step = (name: string): string => `.${JSON.stringify(name)}`

/** The strings of a field; of a blob, its name alone: nobody searches digests and media types. */
const textsOf = (field: Field, at: { xpath: string; path: string }): { xpath: string; path: string }[] => {
  const here = field.isList ? { xpath: `${at.xpath}/*`, path: `${at.path}[*]` } : at
  if (field.type === 'string') return [at]
  if (field.type === 'blob') return [{ xpath: `${here.xpath}/name`, path: `${here.path}."name"` }]
  return field.fields.flatMap((nested) =>
    textsOf(nested, { xpath: `${here.xpath}/${nested.name}`, path: `${here.path}${step(nested.name)}` }),
  )
}

const textsOfSchema = ({ prefix, fields }: Schema): TextField[] =>
  [...fields.values()].flatMap((field) => {
    const key = `${prefix}:${field.name}`
    return textsOf(field, { xpath: key, path: `$${step(key)}` }).map(({ xpath, path }) => ({
      xpath,
      key,
      path: xpath === key ? null : path,
    }))
  })

const textsOfFields = (xpaths: readonly string[], index: string, model: Model): TextField[] =>
  xpaths.flatMap((xpath) => {
    const resolved = model.resolve(xpath)
    if (!resolved) throw fail('invalid', `fulltext.${index}: no such property: ${xpath}`)
    const texts = textsOfSchema(resolved.schema).filter((text) => isWithin(text.xpath, resolved.xpath))
    if (texts.length === 0) throw fail('invalid', `fulltext.${index}: ${xpath} has no text`)
    return texts
  })

const isWithin = (xpath: string, above: string): boolean => xpath === above || xpath.startsWith(`${above}/`)

/**
 * Builds what is indexed of each type and facet from the contributions of the point `fulltext`.
 *
 * @throws invalid for a property that does not exist, has no text, or cannot have a weight.
 */
export const buildFulltext = (
  contents: ReadonlyMap<string, FulltextContent>,
  model: Model,
): Omit<FulltextModel, 'synonyms'> => {
  const everything: FulltextContent = { excludedFields: [], excludedTypes: [], types: {} }
  const main = contents.get('default') ?? everything
  const indexes = new Map<string, FulltextIndex>([['default', { weight: null, fields: [] }]])
  const weighted = new Map<string, 'A' | 'B'>()
  for (const [name, { fields = [], weight }] of contents) {
    if (weight !== 'A' && weight !== 'B') continue
    for (const { xpath, key, path } of textsOfFields(fields, name, model)) {
      if (path !== null) throw fail('invalid', `fulltext.${name}: ${xpath} is no property of its own`)
      weighted.set(key, weight)
    }
    indexes.set(name, { weight, fields: [...weighted.keys()].filter((key) => weighted.get(key) === weight) })
  }
  const isExcluded = ({ xpath }: TextField) => main.excludedFields.some((above) => isWithin(xpath, above))
  const chosen = (xpaths: readonly string[]) =>
    new Set(textsOfFields(xpaths, 'default', model).map(({ xpath }) => xpath))
  const common = main.fields && chosen(main.fields)

  const fieldsOf = (schemas: readonly string[], only = common): Omit<FulltextFields, 'owner'> => {
    const texts = schemas
      .flatMap((name) => textsOfSchema(model.schemas.get(name)!))
      .filter((text) => !isExcluded(text) && (!only || only.has(text.xpath) || weighted.has(text.key)))
    const ofWeight = (weight: 'A' | 'B' | undefined) =>
      texts.filter(({ key, path }) => path === null && weighted.get(key) === weight).map(({ key }) => key)
    return {
      a: ofWeight('A'),
      b: ofWeight('B'),
      c: ofWeight(undefined),
      nested: texts.flatMap(({ key, path }) => (path === null ? [] : [{ key, path }])),
    }
  }
  const isSearched = (name: string, facets: readonly string[]) =>
    !main.excludedTypes.includes(name) && !facets.includes(NOT_INDEXED)
  const types = [...model.types.values()].filter(({ name, facets }) => isSearched(name, facets))
  const facets = [...model.facets.values()].filter(({ schemas }) => schemas.length > 0)
  return {
    indexes,
    fields: [
      ...types.map(({ name, schemas }) => {
        const own = Object.hasOwn(main.types, name) ? main.types[name] : undefined
        return { owner: `type:${name}`, ...fieldsOf(schemas, own ? chosen(own) : common) }
      }),
      ...facets.map(({ name, schemas }) => ({ owner: `facet:${name}`, ...fieldsOf(schemas) })),
    ],
  }
}
