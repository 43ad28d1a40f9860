import { fail } from '../../../platform/errors/index.js'
import type { OrderItem, Query, Select, SelectItem, TypeName } from '../ast.js'
import { type Cursor, createCursor, MAX_ITEMS } from './cursor.js'
import { isOperand, parseReference } from './operands.js'
import { parsePredicate, parseSelected } from './predicates.js'
import { invalidValue } from './syntax-error.js'

const parseList = <T>(cursor: Cursor, parse: (cursor: Cursor) => T): T[] => {
  const items = [parse(cursor)]
  while (cursor.accept(',')) {
    if (items.length >= MAX_ITEMS)
      throw fail(
        'badRequest',
        `NXQL: more than ${MAX_ITEMS} names are listed at offset ${cursor.peek().offset}`,
      )
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
  return { kind: 'items', distinct, items: parseList(cursor, parseSelectItem), offset }
}

const parseTypeName = (cursor: Cursor): TypeName => {
  const { text, offset } = cursor.identifier()
  return { name: text, offset }
}

const parseFrom = (cursor: Cursor): Query['from'] => {
  cursor.expect('FROM')
  const kind = cursor.accept('LOCATION') ? 'location' : 'type'
  if (kind === 'type') cursor.accept('TYPE')
  return { kind, names: parseList(cursor, parseTypeName) }
}

const parseOrderItem = (cursor: Cursor): OrderItem => {
  const reference = parseReference(cursor)
  const descending = cursor.accept('DESC')
  if (!descending) cursor.accept('ASC')
  return { reference, descending }
}

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
 *   deeply nested or has too many conditions.
 */
export const parseNxql = (text: string): Query => {
  const cursor = createCursor(text)
  const select = parseSelect(cursor)
  const from = parseFrom(cursor)
  const where = cursor.accept('WHERE') ? parsePredicate(cursor) : null
  const orderBy = cursor.accept('ORDER BY') ? parseList(cursor, parseOrderItem) : []
  const limit = cursor.accept('LIMIT') ? parseCount(cursor) : null
  const skip = limit !== null && cursor.accept('OFFSET') ? parseCount(cursor) : null
  if (cursor.peek().kind !== 'end') throw cursor.unexpected()
  return { select, from, where, orderBy, limit, skip }
}
