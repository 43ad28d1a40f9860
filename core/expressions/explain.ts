import { type ArchivoltError, fail } from '../errors/index.js'
import { type Program, sourceOffset } from './compile.js'
import { failedOperand } from './failed-operand.js'
import { shown } from './limits.js'
import type { GuestError } from './sandbox.js'

const positionIn = (source: string, offset: number): { line: number; column: number } => {
  const lines = source.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/**
 * The chain designer's view of a failure: expression, position, what stands there, reason, and the value that it
 * could not work with.
 *
 * @param shownValue the text of the value of a part of the expression, undefined when it has none of its own.
 */
export const explain = async (
  error: GuestError,
  program: Program,
  shownValue: (operand: string) => Promise<string | undefined>,
): Promise<ArchivoltError> => {
  const offset = error.place === undefined ? 0 : sourceOffset(program, error.place)
  const position = positionIn(program.source, offset)
  const near = program.source.slice(offset, offset + 30)
  const operand = error.guestName === 'TypeError' ? failedOperand(program.source, offset) : undefined
  const value = operand === undefined ? undefined : await shownValue(operand)
  const because = value === undefined ? '' : `; ${shown(operand!)} is ${value}`
  const message = `${error.guestName}: ${error.message}${because}`
  return fail(
    'badRequest',
    `Expression ${JSON.stringify(shown(program.source))} fails at line ${position.line}, column ${position.column} (${JSON.stringify(near)}): ${message}`,
    { details: [{ ...position, message }], cause: error },
  )
}
