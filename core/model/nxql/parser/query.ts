import { fail } from '../../../platform/errors/index.js'
import type { OrderItem, Query, Select, SelectItem, TypeName } from '../ast.js'
import { type Cursor, createCursor, MAX_COLUMNS, MAX_TYPES } from './cursor.js'
import { isOperand, parseReference } from './operands.js'
import { parsePredicate, parseSelected } from './predicates.js'
import { invalidValue } from './syntax-error.js'

type List<T> = { clause: string; most: number; parse: (cursor: Cursor) => T }

const parseList = <T>(cursor: Cursor, { clause, most, parse }: List<T>): T[] => {
  const items = [parse(cursor)]
  while (cursor.accept(',')) {
    const { offset } = cursor.peek()
    if (items.length >= most)
      throw fail('badRequest', `NXQL: ${clause} lists more than ${most} names at offset ${offset}`)
    items.push(parse(cursor))
  }
  return items
}

const parseSelectItem = (cursor: Cursor): SelectItem => {
  const start = cursor.peek().offset
  const operand = parseSelected(cursor)
  if (!isOperand(operand)) throw cursor.unexpected()
  const source = cursor.text.slice(start, cursor.end())
  const alias = cursor.accept('AS') ? cursor.identifier().text : null
  return { operand, alias, source }
}

const parseSelect = (cursor: Cursor): Select => {
  const { offset } = cursor.peek()
  cursor.expect('SELECT')
  const distinct = cursor.accept('DISTINCT')
  if (!distinct) cursor.accept('ALL')
  if (cursor.accept('*')) return { kind: 'all', distinct, offset }
  const items = parseList(cursor, { clause: 'SELECT', most: MAX_COLUMNS, parse: parseSelectItem })
  return { kind: 'items', distinct, items, offset }
}

const parseTypeName = (cursor: Cursor): TypeName => {
  const { text, offset } = cursor.identifier()
  return { name: text, offset }
}

const parseFrom = (cursor: Cursor): Query['from'] => {
  cursor.expect('FROM')
  const kind = cursor.accept('LOCATION') ? 'location' : 'type'
  if (kind === 'type') cursor.accept('TYPE')
  return { kind, names: parseList(cursor, { clause: 'FROM', most: MAX_TYPES, parse: parseTypeName }) }
}

const parseOrderItem = (cursor: Cursor): OrderItem => {
  const reference = parseReference(cursor)
  const descending = cursor.accept('DESC')
  if (!descending) cursor.accept('ASC')
  return { reference, descending }
}

const parseOrderItems = (cursor: Cursor): OrderItem[] =>
  parseList(cursor, { clause: 'ORDER BY', most: MAX_COLUMNS, parse: parseOrderItem })

const parseCount = (cursor: Cursor): number => {
  const token = cursor.peek()
  if (token.kind !== 'integer') throw cursor.unexpected()
  const count = Number(cursor.take().text)
  if (!Number.isSafeInteger(count)) throw invalidValue('number', token.text, token.offset)
  return count
}

/**
 * Reads an NXQL query (reference: nxql-search.md §2). Takes time linear in the text.
 *
 * @throws badRequest with the offending token and its 0-based offset; also when the text is too long, too
 *   deeply nested or has too many conditions, operators or names.
 */
export const parseNxql = (text: string): Query => {
  const cursor = createCursor(text)
  const select = parseSelect(cursor)
  const from = parseFrom(cursor)
  const where = cursor.accept('WHERE') ? parsePredicate(cursor) : null
  const orderBy = cursor.accept('ORDER BY') ? parseOrderItems(cursor) : []
  const limit = cursor.accept('LIMIT') ? parseCount(cursor) : null
  const skip = limit !== null && cursor.accept('OFFSET') ? parseCount(cursor) : null
  if (cursor.peek().kind !== 'end') throw cursor.unexpected()
  return { select, from, where, orderBy, limit, skip }
}
