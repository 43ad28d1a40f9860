import { join } from 'node:path'
import { fail } from '../../../platform/errors/index.js'
import { runTool } from '../tools/run-tool.js'
import type { Tools } from '../tools/tools.js'
import { type CommandLine, fillArguments } from './command-line.js'
import { guardedArguments, guardedEnvironment } from './guards.js'

export type CommandRun = {
  command: CommandLine
  /** Parameters of ours, which callers cannot change: paths in `folder` above all. */
  own: Readonly<Record<string, string>>
  /** Those of configuration and caller. */
  given: Readonly<Record<string, string>>
  /** Private to the run. */
  folder: string
  tools: Tools
  timeoutMs: number
  /** Whether a command line that is not trusted runs without a sandbox, too. */
  allowsUnconfined: boolean
  signal?: AbortSignal | undefined
  onOutput?: (text: string) => void
  onErrorOutput?: (text: string) => void
  /** Exit codes beside 0 that are no failure. */
  exitCodes?: readonly number[]
}

const requireConfined = async ({ command, tools, allowsUnconfined }: CommandRun): Promise<void> => {
  if (command.isTrusted || allowsUnconfined || (await tools.sandbox()).kind !== 'none') return
  throw fail(
    'unsupportedMediaType',
    `The command line ${command.name} was deployed at run time, so it runs only in a sandbox, and there is none`,
  )
}

const pathOf = ({ command, tools }: CommandRun, program: string): string => {
  const path = tools.findProgram(program)
  if (path) return path
  const { name, directive } = command
  throw fail(
    'unavailable',
    `The command line ${name} is not available: ${directive ?? `install ${program}`}`,
    {
      retryable: false,
    },
  )
}

/**
 * Runs the programs of a command line one after the other, each reading what the one before has written; no shell
 * reads their arguments.
 *
 * @returns what the last one has written to its standard output.
 * @throws badRequest for a parameter that is none, unavailable, and as `runTool` does.
 */
export const runCommand = async (run: CommandRun): Promise<string> => {
  await requireConfined(run)
  const { command, folder, tools, signal, timeoutMs, exitCodes } = run
  const last = command.stages.length - 1
  let output = ''
  for (const [index, { program, args }] of command.stages.entries()) {
    output = await runTool({
      command: pathOf(run, program),
      args: guardedArguments(program, fillArguments(args, run)),
      env: await guardedEnvironment(program, folder),
      ...{ folder, tools, signal, exitCodes },
      timeoutMs: Math.min(timeoutMs, command.timeoutMs ?? timeoutMs),
      ...(index > 0 && { stdinFile: join(folder, `pipe-${index - 1}`) }),
      ...(index < last && { stdoutFile: join(folder, `pipe-${index}`) }),
      ...(index === last && run.onOutput && { onOutput: run.onOutput }),
      ...(index === last && run.onErrorOutput && { onErrorOutput: run.onErrorOutput }),
    })
  }
  return output
}
