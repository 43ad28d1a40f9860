import { CommanderError } from 'commander'
import { CliError, EXIT, type ExitCode, explain } from './failures/index.js'
import { type CliContext, createProgram } from './program.js'

/** Every error after Ctrl-C is a consequence of it. */
const endOf = (error: unknown, interrupted: AbortSignal): unknown => {
  const isExplained = error instanceof CliError && error.exitCode === EXIT.interrupted
  return interrupted.aborted && !isExplained
    ? new CliError(EXIT.interrupted, 'Interrupted', { cause: error })
    : error
}

/** Runs one command line. @returns its exit code; errors have been reported. */
export const runCli = async ({
  arguments: given,
  ...context
}: CliContext & { arguments: readonly string[] }): Promise<ExitCode> => {
  const { terminal } = context
  let exitCode: ExitCode = EXIT.ok
  const program = createProgram(context, (code) => {
    exitCode = code
  })
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'archivolt: ')),
    })
  try {
    await program.parseAsync(given, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const failure = explain(endOf(error, context.interrupted), Boolean(program.opts().verbose))
    terminal.error(failure.text)
    return failure.exitCode
  }
}
