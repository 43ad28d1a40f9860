import type { ContentModel } from '../../model/content-model/index.js'
import { namedParametersIn } from '../../model/nxql/index.js'
import type { PageProviderDefinition } from './page-providers-point.js'

/**
 * The named parameters that have an effect on a provider: those of its query, and the properties of its search
 * document, each with and without the schema's prefix.
 */
export const knownParameters = (
  { pattern, whereClause, quickFilters, aggregates, searchDocumentType }: PageProviderDefinition,
  model: Pick<ContentModel, 'schemasOf'>,
): ReadonlySet<string> => {
  const texts = [
    pattern,
    whereClause?.statement,
    whereClause?.fixedPart,
    ...quickFilters.map(({ clause }) => clause),
  ]
  const predicates = whereClause?.predicates ?? []
  const schemas = searchDocumentType === undefined ? [] : model.schemasOf(searchDocumentType, [])
  const properties = [
    ...predicates.flatMap(({ fields, operatorField }) => [...fields, operatorField ?? []].flat()),
    ...aggregates.flatMap(({ selection }) => selection ?? []),
    ...schemas.flatMap(({ prefix, fields }) => [...fields.keys()].map((name) => `${prefix}:${name}`)),
  ]
  return new Set([
    ...texts.flatMap((text) => (text === undefined ? [] : namedParametersIn(text))),
    ...properties.flatMap((name) => [name, name.slice(name.indexOf(':') + 1)]),
  ])
}
