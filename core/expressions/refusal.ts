import { Script } from 'node:vm'
import { isArchivoltError } from '../errors/index.js'
import { expressionProgram, templateProgram } from './compile.js'
import { shown } from './limits.js'
import { wrap } from './run-here.js'
import { isTemplate, PREFIX, sourceOf } from './template.js'

/**
 * What keeps an expression, or a template of expressions, from being evaluated, as far as its text shows: nothing of
 * it is run. Undefined for what is none, too.
 */
export const refusalOfExpression = (text: string): string | undefined => {
  if (!text.startsWith(PREFIX)) return undefined
  const source = sourceOf(text)
  try {
    const program = isTemplate(source) ? templateProgram(source) : expressionProgram(source)
    const { code, check } = wrap(program, [])
    for (const wrapped of [code, check]) new Script(wrapped, { filename: 'expression' })
    return undefined
  } catch (error) {
    if (isArchivoltError(error)) return error.message
    if (!(error instanceof SyntaxError)) throw error
    return `Expression ${JSON.stringify(shown(source))} cannot be read: ${error.message}`
  }
}
