import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../../../platform/contributions/index.js'
import { parseCommand } from './parse-command.js'

/** Hours that a program may run. */
const MAX_SECONDS = 6 * 3600

/** One command line as configuration has it (blobs-conversions.md §3, command lines). */
export const commandSchema = z.strictObject({
  commandLine: z
    .string()
    .regex(/^[\w.+-]+$/, 'expected the name of a program, without its folder')
    .optional()
    .describe('Name of the program, which is looked for in the PATH.'),
  parameterString: z
    .string()
    .max(4000)
    .optional()
    .describe('Its arguments. #{name} is a parameter; | passes the output to a further program.'),
  installationDirective: z.string().max(400).optional().describe('What to install where it is missing.'),
  timeout: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_SECONDS)
    .optional()
    .describe('Seconds; default that of the converter.'),
})

export type CommandEntry = z.output<typeof commandSchema>

const problemsOf = ({ commandLine, parameterString = '' }: CommandEntry): Finding[] => {
  if (commandLine === undefined) return [{ path: [], message: 'expected commandLine' }]
  const { problem } = parseCommand(commandLine, parameterString)
  return problem === undefined ? [] : [{ path: ['parameterString'], message: problem }]
}

/** `commands:` in the configuration, which converters name by their parameter `CommandLineName`. */
export const commandsPoint = defineExtensionPoint({
  point: 'commands',
  elements: {
    command: { ignored: ['winParameterString', 'testParameterString', 'tester', 'readOutput'] },
  },
  schema: commandSchema,
  check: problemsOf,
})
