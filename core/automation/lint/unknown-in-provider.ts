import { namesInNxql } from '../../model/nxql/index.js'
import type { Finding } from '../../platform/contributions/index.js'
import { nxqlField, type PageProviderDefinition } from '../../search/page-providers/index.js'
import type { NameKind } from '../language/index.js'
import type { KnownNames } from './types.js'
import { unknownName } from './unknown-name.js'

type Named = { path: Finding['path']; kind: NameKind; name: string }

const inNxql = (path: Finding['path'], text: string): Named[] =>
  namesInNxql(text.replaceAll('SORTED_COLUMN', 'ecm:uuid')).map(({ kind, name }) => ({ path, kind, name }))

const WHERE = 'SELECT * FROM Document WHERE'

const sorted = (path: Finding['path'], sort: PageProviderDefinition['sort']): Named[] =>
  sort.map(({ field }, index) => ({ path: [...path, index, 'column'], kind: 'queryField', name: field }))

/** Values of a text that is not quoted are parts of a query, whose names are not known. */
const inQueries = ({ pattern, quoteParameters, whereClause }: PageProviderDefinition): Named[] => {
  if (pattern !== undefined) return quoteParameters ? inNxql(['pattern'], pattern) : []
  const { statement, fixedPart, quoteParameters: isQuoted = false, predicates = [] } = whereClause ?? {}
  return [
    ...(isQuoted && statement !== undefined ? inNxql(['whereClause', 'statement'], statement) : []),
    ...(isQuoted && fixedPart !== undefined
      ? inNxql(['whereClause', 'fixedPart'], `${WHERE} (${fixedPart})`)
      : []),
    ...predicates.map(({ parameter }, index): Named => {
      const path = ['whereClause', 'predicates', index, 'parameter']
      return { path, kind: 'queryField', name: parameter }
    }),
  ]
}

/**
 * Types and properties of a page provider that nothing configured has: its queries are refused when they are asked.
 * Findings, not refusals: all of it may still be deployed.
 */
export const unknownInProvider = (provider: PageProviderDefinition, names: KnownNames): Finding[] => {
  // Entries of the audit have properties of their own.
  if (provider.source === 'audit') return []
  const all: Named[] = [
    ...inQueries(provider),
    ...sorted(['sort'], provider.sort),
    ...provider.quickFilters.flatMap(({ clause, sort }, index) => [
      ...(clause === undefined ? [] : inNxql(['quickFilters', index, 'clause'], `${WHERE} ${clause}`)),
      ...sorted(['quickFilters', index, 'sort'], sort),
    ]),
    ...provider.aggregates.map(({ field }, index): Named => {
      const path = ['aggregates', index, 'field']
      return { path, kind: 'queryField', name: nxqlField(field) }
    }),
  ]
  return all.flatMap(({ path, kind, name }) => {
    const message = unknownName(kind, name, names)
    return message === undefined ? [] : [{ path, message }]
  })
}
