import { Script } from 'node:vm'
import { defaultScriptLimits } from '../../../platform/sandbox/scripts/index.js'

type Fault = { message: string; at?: { line: number; column: number } }

/** As the parser draws it: the line, its text, and marks below what is wrong with it. */
const placeOfFault = (script: string, stack: string): Fault['at'] => {
  const [first = '', , marks = ''] = stack.split('\n')
  const line = Number(/^script:(\d+)/.exec(first)?.[1] ?? 2) - 1
  const lines = script.trimEnd().split(/\r\n|\r|\n/)
  const last = lines.at(-1) ?? ''
  // What is missing at the end is reported where the script is over.
  if (line > lines.length) return { line: lines.length, column: last.length + 1 }
  return { line, column: Math.max(marks.indexOf('^'), 0) + 1 }
}

/** What keeps a text from being a script, with the place in it when it is known. Nothing of it is run. */
export const refusalOfScript = (id: string, script: string): Fault | undefined => {
  const { sourceLength } = defaultScriptLimits
  if (script.length > sourceLength) return { message: `the script is longer than ${sourceLength} characters` }
  if (!/\brun\b/.test(script)) return { message: 'the script declares no function run(input, params)' }
  try {
    new Script(`(function(){\n${script}\n})`, { filename: 'script' })
    return undefined
  } catch (error) {
    const { message, stack = '' } = error as Error
    return {
      message: `the script of ${id} cannot be read: ${message}`,
      ...(error instanceof SyntaxError && { at: placeOfFault(script, stack) }),
    }
  }
}
