import type { FunctionCall, Literal, Reference, Value } from '../../../core/model/nxql/index.js'
import { isoInstant } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { addPeriod } from './period.js'
import type { Scalar, ScalarKind } from './scalar.js'
import { refuse } from './unsupported.js'

/** Computes `NOW()` and `NOW('-P1D')`, the only function of a condition (reference: nxql-search.md §2). */
export const evaluate = ({ name, args, offset }: FunctionCall, now: Date): Literal => {
  if (name !== 'NOW') throw refuse(`function ${name} is not supported in the WHERE clause`, offset)
  const [period] = args
  if (args.length > 1 || (period && period.kind !== 'string')) throw refuse('NOW takes one period', offset)
  const time = period ? addPeriod(now, period.value) : now.getTime()
  const value = time === undefined ? undefined : isoInstant(time)
  if (value === undefined) throw refuse(`${period?.value} is not a period that NOW can add`, offset)
  return { kind: 'timestamp', value, offset }
}

const KIND_NAMES: Readonly<Record<ScalarKind, string>> = {
  text: 'a string',
  uuid: 'an id',
  number: 'a number',
  boolean: 'a boolean: only 0 and 1 are its values',
  isoDate: 'a date',
  instant: 'a date',
  day: 'a day: only DATE literals are its values',
  opaque: 'a complex value: only IS NULL can ask for it',
}

const textOf = (kind: ScalarKind, literal: Literal): string | undefined => {
  switch (kind) {
    case 'text':
    case 'uuid':
      return literal.kind === 'string' ? literal.value : undefined
    case 'number':
      return literal.kind === 'integer' || literal.kind === 'double' ? literal.text : undefined
    case 'boolean':
      if (literal.kind !== 'integer' || !['0', '1'].includes(literal.text)) return undefined
      return literal.text === '1' ? 'TRUE' : 'FALSE'
    case 'isoDate':
    case 'instant':
      if (literal.kind === 'date') return `${literal.value}T00:00:00.000Z`
      return literal.kind === 'timestamp' ? literal.value : undefined
    case 'day':
      return literal.kind === 'date' ? literal.value : undefined
    case 'opaque':
      return undefined
  }
}

/**
 * The value of a literal or function as the text that is bound for a scalar; a boolean as its SQL keyword.
 *
 * @throws badRequest when the types do not fit.
 */
export const valueFor = (
  value: Value,
  target: { scalar: Scalar; reference: Reference; context: Context },
): string => {
  const literal = value.kind === 'function' ? evaluate(value, target.context.now) : value
  const text = textOf(target.scalar.kind, literal)
  if (text !== undefined) return text
  throw refuse(
    `${target.reference.name} is ${KIND_NAMES[target.scalar.kind]}, not comparable with the ${literal.kind}`,
    value.offset,
  )
}

/** A bound text as JSON; undefined for kinds that are not stored as JSON. */
export const jsonFor = (kind: ScalarKind, text: string): string | undefined => {
  if (kind === 'number') return text
  if (kind === 'boolean') return text.toLowerCase()
  return kind === 'text' || kind === 'isoDate' ? JSON.stringify(text) : undefined
}
