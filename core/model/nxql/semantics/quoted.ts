import type { Literal } from '../ast.js'
import { dateOf, numberOf, timestampOf } from '../parser/literals.js'
import type { Kind } from './kinds.js'

const FLAGS: Readonly<Record<string, string>> = { true: '1', false: '0', 1: '1', 0: '0' }

const flagOf = (text: string, offset: number): Literal | undefined => {
  const flag = Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined
  return flag === undefined ? undefined : { kind: 'integer', text: flag, offset }
}

const readers: Readonly<Partial<Record<Kind, (text: string, offset: number) => Literal | undefined>>> = {
  number: numberOf,
  boolean: flagOf,
  date: (text, offset) => dateOf(text, offset) ?? timestampOf(text, offset),
  day: dateOf,
}

/**
 * What a literal is beside values of a kind. Parameters of a query over HTTP are texts, so that a text in quotes is the
 * number, date or boolean that it writes. Any other literal, and a text that writes none, stays what it is.
 */
export const literalBeside = (kind: Kind, literal: Literal): Literal =>
  (literal.kind === 'string' && readers[kind]?.(literal.value, literal.offset)) || literal
