import { createHash } from 'node:crypto'
import { fail } from '../../errors/index.js'
import { HELPERS, positionIn, sourceOffset, translate } from '../expressions/index.js'
import { defaultScriptLimits } from './limits.js'
import type { Program, ScriptTranslation } from './protocol.js'

/** An operation's name in a script: `Document.Create`, or `RunOperation`. */
export type ScriptNames = {
  /** Families by their first name, with the pairs of member and operation's id. */
  families: ReadonlyMap<string, readonly (readonly [string, string])[]>
  /** Operations without a family: name and id. */
  flat: ReadonlyMap<string, string>
}

const GLOBALS = [
  ...['ctx', 'Session', 'CurrentUser', 'currentUser', 'CurrentDate', 'Env', 'Fn', 'HTTP', 'Console'],
  ...['WorkflowVariables', 'NodeVariables', 'BusinessDaysService'],
]
/** Names of the language that stay its own, whatever a script assigns or an operation is called. */
const LANGUAGE = new Set([
  ...['Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math', 'JSON', 'Date', 'RegExp'],
  ...[
    'Map',
    'Set',
    'Error',
    'TypeError',
    'RangeError',
    'SyntaxError',
    'ReferenceError',
    'EvalError',
    'URIError',
  ],
  ...['undefined', 'NaN', 'Infinity', 'globalThis', 'this', 'arguments', 'eval', 'run', 'isNaN', 'isFinite'],
  ...['parseInt', 'parseFloat', 'encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'decodeURI'],
])
const RESERVED = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch throw true try typeof var void while with yield'
  ).split(' '),
)
const WORD = /[A-Za-z_$][\w$]*/g
const ASSIGNED = /(?<![.\w$])([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|<<|>>>?)=|\+\+|--)/g
const ITERATED = /\bfor\s*\(\s*([A-Za-z_$][\w$]*)\s+(?:in|of)\b/g
const STEPPED = /(?:\+\+|--)\s*([A-Za-z_$][\w$]*)/g

const isBindable = (name: string): boolean => !RESERVED.has(name) && !LANGUAGE.has(name)

/** Whether a name means the same in every script, so that no operation is called by it. */
export const isNameOfScripts = (name: string): boolean => GLOBALS.includes(name) || !isBindable(name)

const wordsOf = (source: string): Set<string> => new Set(source.match(WORD) ?? [])

/**
 * Names that a script may assign without declaring them, as it may in a script of the reference. They are
 * declared around it, where a declaration of its own hides them; naming too many does no harm.
 */
const assignedNames = (source: string, taken: readonly string[]): string[] => {
  const found = [ASSIGNED, ITERATED, STEPPED].flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, name]) => name!),
  )
  return [...new Set(found)].filter((name) => isBindable(name) && !taken.includes(name))
}

const requireShort = (title: string, source: string): void => {
  const { sourceLength } = defaultScriptLimits
  if (source.length > sourceLength)
    throw fail('badRequest', `${title} is longer than the limit of ${sourceLength} characters`)
}

type Body = {
  names: readonly string[]
  implicit: readonly string[]
  body: string
  end: string
  /** With offsets in the body. */
  translation?: ScriptTranslation
}

/** The body begins on the second line: `scriptPlace` undoes that. */
const programOf = (
  title: string,
  { names, implicit, body, end, translation }: Body,
  namespaces: Program['namespaces'] = {},
): Program => {
  const declared = implicit.length > 0 ? `var ${implicit.join(',')};` : ''
  const open = `(function(${names.join(',')}){${declared}return`
  const head = `${open}(function(){\n`
  const code = `${head}${body}\n${end}})()})`
  const check = `${open}[function(){\n${body}\n${end}}][0]()})`
  const key = createHash('sha256')
    .update(JSON.stringify([code, namespaces]))
    .digest('base64')
  const places = translation?.places.map(({ from, at }) => ({ from: from + head.length, at }))
  return {
    ...{ key, title, code, check, names, namespaces },
    ...(translation && places && { translation: { ...translation, places } }),
  }
}

/** A 1-based place in a script. */
export type ScriptPosition = { line: number; column: number }

/** The position in a script for one in the code of its program. */
export const scriptPlace = (
  { code, translation }: Program,
  { line, column }: ScriptPosition,
): ScriptPosition => {
  if (!translation) return { line: Math.max(line - 1, 1), column }
  const { source, places } = translation
  return positionIn(source, sourceOffset({ code, places }, { line, column }))
}

/**
 * A scripted operation (reference: automation.md §10): JavaScript that declares `run(input, params)`.
 *
 * @throws badRequest for a script that is too long.
 */
export const operationProgram = (title: string, source: string, operations: ScriptNames): Program => {
  requireShort(title, source)
  const words = wordsOf(source)
  const namespaces: { [name: string]: readonly (readonly [string, string])[] | string } = {}
  for (const word of words) {
    if (!isBindable(word) || GLOBALS.includes(word)) continue
    const members = operations.families.get(word) ?? operations.flat.get(word)
    if (members !== undefined) namespaces[word] = members
  }
  const names = [...GLOBALS.filter((name) => words.has(name)), ...Object.keys(namespaces)]
  const end =
    ";if(typeof run!=='function')throw new TypeError('the script has no function run(input, params)');return run"
  return programOf(title, { names, implicit: assignedNames(source, names), body: source, end }, namespaces)
}

const MVEL_NAMES = [
  ...['Document', 'currentDocument', 'Documents', 'This', 'Context', 'ChainParameters', 'Session'],
  ...['CurrentUser', 'currentUser', 'CurrentDate', 'Env', 'Fn', 'HTTP', 'Console', 'BusinessDaysService'],
]

/**
 * A script of `RunScript`: statements of MVEL, the last of which is its value. The names that it reads are
 * those of an expression, context variables included.
 *
 * @throws badRequest for what has no token structure, or is too long.
 */
export const statementsProgram = (title: string, source: string): Program => {
  requireShort(title, source)
  const { statements, names: read } = readStatements(title, source)
  const words = [...read].filter(isBindable)
  const implicit = assignedNames(source, MVEL_NAMES)
  const names = [HELPERS, ...words.filter((name) => MVEL_NAMES.includes(name) || !implicit.includes(name))]
  const { body, places } = bodyOf(statements)
  const translation = { source, places }
  return programOf(title, { names: [...new Set(names)], implicit, body, end: '', translation })
}

/** A piece of a statement, with what stands before it and where it came from. */
type Piece = { gap: string; text: string; at: number }
type Pieces = readonly Piece[]

const textOf = (pieces: Pieces): string => pieces.map(({ gap, text }) => gap + text).join('')

/** A function that runs the statements and returns the value of the last one. */
const bodyOf = (statements: readonly Pieces[]): { body: string; places: ScriptTranslation['places'] } => {
  const places: { from: number; at: number }[] = []
  let body = 'return (function(){'
  for (const [index, pieces] of statements.entries()) {
    const isValue = index === statements.length - 1 && !isStatement(textOf(pieces))
    if (isValue) body += 'return ('
    for (const { gap, text, at } of pieces) {
      body += gap
      places.push({ from: body.length, at })
      body += text
    }
    body += isValue ? '\n)' : ';\n'
  }
  return { body: `${body}\n})`, places }
}

const isQuoted = (text: string): boolean => text.length > 1 && /^["'`/]/.test(text)

const isStatement = (text: string): boolean =>
  text.trim() === '' ||
  /^\s*(?:if|for|while|do|switch|try|var|let|const|function|return|throw|\{)\b|^\s*\{/.test(text)

const readStatements = (
  title: string,
  source: string,
): { statements: readonly Pieces[]; names: ReadonlySet<string> } => {
  try {
    const { fragments, names } = translate(source)
    const statements: Piece[][] = [[]]
    let depth = 0
    let end = 0
    for (const { text, at } of fragments) {
      if (!isQuoted(text)) depth += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0)
      const gap = at > end && source.slice(end, at).includes('\n') ? '\n' : ' '
      if (text === ';' && depth === 0) statements.push([])
      else statements.at(-1)!.push({ gap, text, at })
      end = at
    }
    return { statements: statements.filter((pieces) => pieces.length > 0), names }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fail('badRequest', `${title} cannot be read: ${reason}`, { cause: error })
  }
}
