import { Script } from 'node:vm'
import { isArchivoltError } from '../../../errors/index.js'
import { expressionProgram, type Program, templateProgram } from '../evaluation/compile.js'
import { wrap } from '../evaluation/run-here.js'
import { defaultExpressionLimits, overLimit, shown } from '../limits.js'
import { isTemplate, PREFIX, sourceOf } from './template.js'

/** What to write instead of MVEL syntax that expressions do not have. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/identifier 'is'/, 'a type is asked for by typeof, as in typeof x == "string"'],
  [
    /identifier '(?:strsim|soundslike)'/,
    'texts are compared by ==, contains, or ~= with a regular expression',
  ],
  [/identifier 'convertable_to'/, 'take Number(x) or String(x)'],
  [/import/, 'there are no Java classes to import; lists are [], maps {}, dates CurrentDate'],
  [/Unexpected end|missing \)/, 'is a bracket not closed?'],
  [/Invalid or unexpected token/, 'is a quote not closed?'],
]

const hintOf = (message: string): string => {
  const [, hint] = INSTEAD.find(([pattern]) => pattern.test(message)) ?? []
  return hint === undefined ? '' : `; ${hint}`
}

const refusalOf = (source: string, compile: (source: string) => Program): string | undefined => {
  const limits = defaultExpressionLimits
  if (source.length > limits.sourceLength) return overLimit('sourceLength', { limits, source }).message
  try {
    const { code, check } = wrap(compile(source), [])
    for (const wrapped of [code, check]) new Script(wrapped, { filename: 'expression' })
    return undefined
  } catch (error) {
    if (isArchivoltError(error)) return error.message
    // Of what nests too deep for the parser.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    // The bracket is that in which it is compiled.
    const isCutOff = error.message === "Unexpected token ')'" && !source.includes(')')
    const message = isCutOff ? 'Unexpected end of the expression' : error.message
    return `Expression ${JSON.stringify(shown(source))} cannot be read: ${message}${isCutOff ? '' : hintOf(message)}`
  }
}

/**
 * Why an expression, or a template of expressions, cannot be evaluated, as far as its text shows: nothing of
 * it is run. Undefined for a text that is none, too.
 */
export const refusalOfExpression = (text: string): string | undefined => {
  if (!text.startsWith(PREFIX)) return undefined
  const source = sourceOf(text)
  return refusalOf(source, isTemplate(source) ? templateProgram : expressionProgram)
}

/** The same for an expression without the prefix, as conditions of event handlers are. */
export const refusalOfSource = (source: string): string | undefined => refusalOf(source, expressionProgram)
