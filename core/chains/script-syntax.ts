import { Script } from 'node:vm'
import { defaultScriptLimits } from '../scripting/index.js'

/** What keeps a text from being a script, with the line when it is known. Nothing of it is run. */
export const refusalOfScript = (
  id: string,
  script: string,
): { message: string; line?: number } | undefined => {
  const { sourceLength } = defaultScriptLimits
  if (script.length > sourceLength) return { message: `the script is longer than ${sourceLength} characters` }
  if (!/\brun\b/.test(script)) return { message: 'the script declares no function run(input, params)' }
  try {
    new Script(`(function(){\n${script}\n})`, { filename: 'script' })
    return undefined
  } catch (error) {
    const { message, stack = '' } = error as Error
    const line = Number(/^script:(\d+)/.exec(stack)?.[1] ?? 2) - 1
    return { message: `the script of ${id} cannot be read: ${message} (line ${line} of the script)`, line }
  }
}
