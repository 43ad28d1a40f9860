import { suggestion } from '../../contributions/index.js'
import { type ArchivoltError, fail } from '../../errors/index.js'
import type { Failure, Program } from './protocol.js'

/** The error's name when a script has called an unknown member of a family. */
export const UNKNOWN_OPERATION = 'UnknownOperation'

const CALL = /(?<![.\w$])([A-Za-z_$][\w$]*)\.([A-Z][\w$]*)\s*\(/g

/** Documents are named `Document` in statements; no operation is called there. */
const DOCUMENTS = ['Document', 'currentDocument']

/** A call on a line of a script that looks like an operation's: `Repository.Query`. */
const calledOn = ({ code }: Program, line: number | undefined): readonly (readonly [string, string])[] => {
  const text = line === undefined ? '' : (code.split('\n')[line - 1] ?? '')
  return [...text.matchAll(CALL)].map(([, family = '', member = '']) => [family, member] as const)
}

const nameIn = (failure: Failure, program: Program): string | undefined => {
  const { name, message, line } = failure
  if (name === UNKNOWN_OPERATION) return message
  const missing = name === 'ReferenceError' ? /^'?([\w$]+)'? is not defined$/.exec(message)?.[1] : undefined
  const isNoFunction = name === 'TypeError' && message === 'not a function'
  const called = calledOn(program, line).find(([family]) =>
    isNoFunction
      ? DOCUMENTS.includes(family) && !Object.hasOwn(program.namespaces, family)
      : family === missing,
  )
  return called?.join('.')
}

/**
 * The error of a script that has called an unknown operation, which whoever calls or writes the script can
 * correct; undefined for any other failure.
 *
 * @param place where in the script, for the message.
 */
export const unknownOperation = (
  failure: Failure,
  program: Program,
  place: string,
): ArchivoltError | undefined => {
  const name = nameIn(failure, program)
  if (name === undefined) return undefined
  const members = program.namespaces[name.split('.')[0] ?? '']
  const known = Array.isArray(members) ? members.map(([member]) => `${name.split('.')[0]}.${member}`) : []
  return fail(
    'badRequest',
    `${program.title} calls the unknown operation "${name}"${place}${suggestion(name, known)}`,
  )
}
