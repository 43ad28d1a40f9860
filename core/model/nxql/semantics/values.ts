import type { FunctionCall, Literal, Reference, StringLiteral, Value } from '../ast.js'
import { isoInstant } from '../parser/literals.js'
import type { Kind } from './kinds.js'
import { addPeriod } from './period.js'
import { literalBeside } from './quoted.js'
import { refuse } from './refuse.js'

/** Computes `NOW()` and `NOW('-P1D')`, the only function of a condition (reference: nxql-search.md §2). */
export const evaluateFunction = ({ name, args, offset }: FunctionCall, now: Date): Literal => {
  if (name !== 'NOW') throw refuse(`function ${name} is not supported in the WHERE clause`, offset)
  const [period] = args
  if (args.length > 1 || (period && period.kind !== 'string')) throw refuse('NOW takes one period', offset)
  const time = period ? addPeriod(now, period.value) : now.getTime()
  const value = time === undefined ? undefined : isoInstant(time)
  if (value === undefined) throw refuse(`${period?.value} is not a period that NOW can add`, offset)
  return { kind: 'timestamp', value, offset }
}

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  text: 'a string',
  id: 'an id',
  number: 'a number',
  boolean: 'a boolean: only 0 and 1 are its values',
  date: 'a date',
  day: 'a day: only DATE literals are its values',
  opaque: 'a complex value: only IS NULL can ask for it',
}

const textOf = (kind: Kind, literal: Literal): string | undefined => {
  switch (kind) {
    case 'text':
    case 'id':
      return literal.kind === 'string' ? literal.value : undefined
    case 'number':
      return literal.kind === 'integer' || literal.kind === 'double' ? literal.text : undefined
    case 'boolean':
      if (literal.kind !== 'integer' || !['0', '1'].includes(literal.text)) return undefined
      return literal.text === '1' ? 'true' : 'false'
    case 'date':
      if (literal.kind === 'date') return `${literal.value}T00:00:00.000Z`
      return literal.kind === 'timestamp' ? literal.value : undefined
    case 'day':
      return literal.kind === 'date' ? literal.value : undefined
    case 'opaque':
      return undefined
  }
}

type Wanted = { kind: Kind; reference: Reference }

const mismatch = ({ kind, reference }: Wanted, { kind: given, offset }: Literal) =>
  refuse(`${reference.name} is ${KIND_NAMES[kind]}, not comparable with the ${given}`, offset)

/**
 * A pattern of LIKE, or a beginning: a text, and of a text.
 *
 * @throws badRequest for a property that is none.
 */
export const textFor = (literal: StringLiteral, wanted: Wanted): string => {
  const text = textOf(wanted.kind, literal)
  if (text === undefined) throw mismatch(wanted, literal)
  return text
}

/**
 * The value of a literal or function as text: `true` and `false`, decimal numbers, ISO 8601 in UTC for dates,
 * `yyyy-MM-dd` for days. A text in quotes may write each of them.
 *
 * @throws badRequest when the kinds do not fit.
 */
export const valueFor = (value: Value, { kind, reference, now }: Wanted & { now: Date }): string => {
  const literal = value.kind === 'function' ? evaluateFunction(value, now) : value
  const text = textOf(kind, literalBeside(kind, literal))
  if (text === undefined) throw mismatch({ kind, reference }, literal)
  return text
}
