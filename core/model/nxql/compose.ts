import type { OrderItem, Predicate, Query, Reference } from './ast.js'
import { parseNxql } from './parser/query.js'

/** What stands before conditions when they are parsed. */
export const CONDITIONS_OF = 'SELECT * FROM Document WHERE '

/**
 * The conditions of a text that is parsed by itself, so that nothing in it reaches beyond.
 *
 * @throws badRequest with the place of a syntax error.
 */
export const parseConditions = (text: string): Predicate | null => parseNxql(`${CONDITIONS_OF}${text}`).where

/** The items of an ORDER BY clause, `dc:title DESC, ecm:uuid`. */
export const parseOrder = (text: string): readonly OrderItem[] =>
  parseNxql(`SELECT * FROM Document ORDER BY ${text}`).orderBy

/** One reference, `dc:title` or `file:content/length`. */
export const parseReference = (name: string): Reference | undefined => parseOrder(name)[0]?.reference

/** A query that further conditions narrow; null asks for nothing. */
export const narrowed = (query: Query, conditions: readonly (Predicate | null)[]): Query => {
  const operands = [query.where, ...conditions].filter((predicate) => predicate !== null)
  const where = operands.length > 1 ? ({ kind: 'and', operands, offset: 0 } as const) : (operands[0] ?? null)
  return { ...query, where }
}
