import type { ElementForms, Report, XmlPart } from '../../platform/contributions/index.js'

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON inside an element; empty for one that is not there. */
const jsonIn = (part: XmlPart, name: string, report: Report): Json => {
  const child = part.children.find((each) => each.name === name)
  if (!child || child.text === '') return {}
  try {
    const value: unknown = JSON.parse(child.text)
    if (isObject(value)) return value
    report(name, child.at, 'must be an object')
  } catch (error) {
    report(name, child.at, `is not JSON: ${(error as Error).message}`)
  }
  return {}
}

/** Fields that the product's own mapping has under each property, too. */
const OWN = 'fulltext'

/** System properties and what only has a type are as the product maps them. */
const fieldsIn = (properties: Json): { [property: string]: Json } =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([property, mapping]) => {
      if (property.startsWith('ecm:') || !isObject(mapping) || !isObject(mapping.fields)) return []
      const { [OWN]: _, ...fields } = mapping.fields
      return Object.keys(fields).length > 0 ? [[property, fields] as const] : []
    }),
  )

const excludedIn = (properties: Json): string[] =>
  Object.entries(properties).flatMap(([property, mapping]) =>
    !property.startsWith('ecm:') &&
    isObject(mapping) &&
    (mapping.index === false || mapping.enabled === false)
      ? [property]
      : [],
  )

const readIndex = (part: XmlPart, report: Report): object => {
  const { analysis = {} } = jsonIn(part, 'settings', report)
  const { properties } = jsonIn(part, 'mapping', report)
  const mapped = isObject(properties) ? properties : {}
  return { analysis, fields: fieldsIn(mapped), excludes: excludedIn(mapped) }
}

/**
 * `<elasticSearchIndex name="nuxeo"><settings>…</settings><mapping>…</mapping>`: of the settings the analysis, of the
 * mapping the fields under properties, and those that are not indexed.
 */
export const searchIndexElements: ElementForms = { elasticSearchIndex: { read: readIndex } }
