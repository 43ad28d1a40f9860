import { suggestion } from '../../../contributions/index.js'
import { type ArchivoltError, fail, isArchivoltError } from '../../../errors/index.js'
import { type Program, positionIn, sourceOffset } from '../evaluation/compile.js'
import { PLATFORM_NAMES } from '../evaluation/names.js'
import type { GuestError } from '../evaluation/sandbox.js'
import { shown } from '../limits.js'
import type { ExpressionScope } from '../types.js'
import { failedOperand } from './failed-operand.js'

type Explained = {
  program: Program
  scope: ExpressionScope
  /** The text of the value of a part of the expression, undefined when it has none of its own. */
  shownValue: (operand: string) => Promise<string | undefined>
}

const UNDEFINED_NAME = /^'?([^']+?)'? is not defined$/

/** A suggestion for an unknown name. */
const hintFor = ({ guestName, message }: GuestError, { variables }: ExpressionScope): string => {
  const name = guestName === 'ReferenceError' ? UNDEFINED_NAME.exec(message)?.[1] : undefined
  if (name === undefined) return ''
  if (name === 'Documents') return ', which is there where the input is a list of documents'
  if (name === 'Document' || name === 'currentDocument')
    return ', which is there where the input has a document'
  const { ChainParameters: parameters } = variables
  const isParameter = typeof parameters === 'object' && parameters !== null && Object.hasOwn(parameters, name)
  return isParameter
    ? `, did you mean ChainParameters["${name}"]?`
    : suggestion(name, [...PLATFORM_NAMES, ...Object.keys(variables)])
}

/** The position at which an expression failed, as a sentence that the reason follows. */
const failurePlace = ({ place }: GuestError, program: Program) => {
  const offset = place === undefined ? 0 : sourceOffset(program, place)
  const position = positionIn(program.source, offset)
  const near = JSON.stringify(program.source.slice(offset, offset + 30))
  const said = `Expression ${JSON.stringify(shown(program.source))} fails at line ${position.line}, column ${position.column} (${near})`
  return { offset, position, said }
}

/**
 * An error of the host, under the expression and the position that asked for it. Code and status stay; an
 * error that callers may not see stays as it is.
 */
export const explainHost = (hostError: unknown, error: GuestError, program: Program): unknown => {
  if (!isArchivoltError(hostError)) return hostError
  const { position, said } = failurePlace(error, program)
  const { code, message, retryable } = hostError
  return fail(code, `${said}: ${message}`, {
    details: [{ ...position, message }],
    cause: hostError,
    retryable,
  })
}

/**
 * The chain designer's view of a failure: expression, position, source there, reason, and the value that it
 * could not use.
 */
export const explain = async (
  error: GuestError,
  { program, scope, shownValue }: Explained,
): Promise<ArchivoltError> => {
  const { offset, position, said } = failurePlace(error, program)
  const operand = error.guestName === 'TypeError' ? failedOperand(program.source, offset) : undefined
  const value = operand === undefined ? undefined : await shownValue(operand)
  const because = value === undefined ? '' : `; ${shown(operand!)} is ${value}`
  const message = `${error.guestName}: ${error.message}${because}${hintFor(error, scope)}`
  return fail('badRequest', `${said}: ${message}`, { details: [{ ...position, message }], cause: error })
}
