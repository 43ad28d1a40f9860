import { fail } from '../../../platform/errors/index.js'
import type { CommandEntry } from './command-schema.js'
import { parseCommand, type Stage } from './parse-command.js'

/** A deployed command line. */
export type CommandLine = {
  name: string
  stages: readonly Stage[]
  timeoutMs?: number
  /** What to install where a program is missing. */
  directive?: string
  /** It stands in a configuration file, so it runs without a sandbox, too. */
  isTrusted: boolean
}

/** @param isTrusted whether the operator's files hold it, rather than a deployment over HTTP. */
export const commandLineOf = (name: string, entry: CommandEntry, isTrusted: boolean): CommandLine => ({
  name,
  stages: parseCommand(entry.commandLine ?? '', entry.parameterString ?? '').stages,
  ...(entry.timeout !== undefined && { timeoutMs: entry.timeout * 1000 }),
  ...(entry.installationDirective !== undefined && { directive: entry.installationDirective }),
  isTrusted,
})

const PLACEHOLDER = /#\{([^{}]*)\}/g

/** Names of the parameters that a command line reads. */
export const placeholdersOf = ({ stages }: Pick<CommandLine, 'stages'>): ReadonlySet<string> =>
  new Set(
    stages.flatMap(({ args }) =>
      args.flatMap((arg) => [...arg.matchAll(PLACEHOLDER)].map(([, name]) => name!)),
    ),
  )

/** What programs take for an option, for a file of arguments, or for the end of the text. */
const ACTIVE = /^(?:-(?![\d.]+$)|@)|\p{Cc}/u

/**
 * The arguments with the values of their parameters, each within its one argument; unknown parameters stay.
 *
 * @throws badRequest for a value of a caller that a program would not take as a mere value.
 */
export const fillArguments = (
  args: readonly string[],
  { own, given }: { own: Readonly<Record<string, string>>; given: Readonly<Record<string, string>> },
): string[] =>
  args.map((arg) =>
    arg.replace(PLACEHOLDER, (placeholder, name: string) => {
      if (Object.hasOwn(own, name)) return own[name]!
      if (!Object.hasOwn(given, name)) return placeholder
      const value = given[name]!
      if (ACTIVE.test(value))
        throw fail('badRequest', `${name}: ${JSON.stringify(value)} is not possible in a command line`)
      return value
    }),
  )
