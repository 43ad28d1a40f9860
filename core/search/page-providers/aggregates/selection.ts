import type { ContentModel } from '../../../model/content-model/index.js'
import { type Predicate, parseConditions, quoteNxql } from '../../../model/nxql/index.js'
import { createLiterals } from '../literal.js'
import type { SearchDocument } from '../search-document.js'
import type { AggregateDefinition } from './definition.js'
import { nxqlField } from './field.js'
import { definedRanges, histogramRange, type KeyedBounds } from './ranges.js'

/** The keys that a caller has chosen in an aggregate. */
export const selectedKeys = ({ selection }: AggregateDefinition, document: SearchDocument): string[] =>
  selection === undefined ? [] : document.list(selection).map(String)

const rangeText = (field: string, { from, to }: KeyedBounds): string => {
  const literal = (value: number | string) =>
    typeof value === 'number' ? String(value) : `TIMESTAMP ${quoteNxql(value)}`
  const tests = [
    ...(from === null ? [] : [`${field} >= ${literal(from)}`]),
    ...(to === null ? [] : [`${field} < ${literal(to)}`]),
  ]
  return tests.length === 0 ? `${field} IS NOT NULL` : `(${tests.join(' AND ')})`
}

const selectionText = (
  aggregate: AggregateDefinition,
  keys: readonly string[],
  { document, model, now }: { document: SearchDocument; model: ContentModel; now: Date },
): string | undefined => {
  const field = nxqlField(aggregate.field)
  switch (aggregate.type) {
    case 'terms':
    case 'significant_terms': {
      const literal = createLiterals(document, model)
      return `${field} IN (${keys.map((key) => literal(field, aggregate.id, key)).join(', ')})`
    }
    case 'range':
    case 'date_range': {
      const chosen = definedRanges(aggregate, now).filter(({ key }) => keys.includes(key))
      return chosen.length === 0 ? undefined : chosen.map((range) => rangeText(field, range)).join(' OR ')
    }
    case 'histogram':
    case 'date_histogram': {
      const chosen = keys.map((key) => histogramRange(aggregate, key)).filter((range) => range !== undefined)
      return chosen.length === 0 ? undefined : chosen.map((range) => rangeText(field, range)).join(' OR ')
    }
    default:
      return undefined
  }
}

/** The condition of an aggregate's chosen keys on a document; null when none is chosen. */
export const selectionCondition = (
  aggregate: AggregateDefinition,
  scope: { document: SearchDocument; model: ContentModel; now: Date },
): Predicate | null => {
  const keys = selectedKeys(aggregate, scope.document)
  const text = keys.length === 0 ? undefined : selectionText(aggregate, keys, scope)
  return text === undefined ? null : parseConditions(text)
}
