import { Script } from 'node:vm'
import { refusalOfConditions, refusalOfNxql } from '../../../../model/nxql/index.js'
import type { PropertyValue } from '../../../../model/properties/index.js'
import { isArchivoltError } from '../../../../platform/errors/index.js'
import { refusalOfExpression } from '../../../../platform/sandbox/expressions/index.js'
import { statementsProgram } from '../../../../platform/sandbox/scripts/index.js'
import { isExpression, type Notation } from '../../../language/index.js'

const refusalOfStatements = (text: string): string | undefined => {
  try {
    const { code, check } = statementsProgram('The script', text)
    for (const wrapped of [code, check]) new Script(wrapped, { filename: 'script' })
    return undefined
  } catch (error) {
    // The second of what nests too deep for the parser.
    const isUnreadable = error instanceof SyntaxError || error instanceof RangeError
    if (!isArchivoltError(error) && !isUnreadable) throw error
    return isArchivoltError(error) ? error.message : `The script cannot be read: ${error.message}`
  }
}

const REFUSALS: { readonly [notation in Notation]: (text: string) => string | undefined } = {
  // As it is evaluated.
  expression: (text) => refusalOfExpression(`expr:${text}`),
  nxql: refusalOfNxql,
  conditions: refusalOfConditions,
  statements: refusalOfStatements,
}

/** Why a text that a chain writes down is not what its parameter is written in; nothing of it is run. */
export const refusalOfNotation = (
  notation: Notation | undefined,
  value: PropertyValue,
): string | undefined =>
  notation === undefined || typeof value !== 'string' || isExpression(value)
    ? undefined
    : REFUSALS[notation](value)
