import type { Command } from 'commander'
import type { Deployment } from './chains/index.js'
import { type ConversionsOptions, listConversions, listConverters } from './conversions/index.js'
import type { ExitCode } from './failures/index.js'

/** Adds the commands for files that are converted. */
export const addConversionCommands = ({
  program,
  connected,
}: {
  program: Command
  connected(work: (deployment: Deployment) => Promise<ExitCode>): Promise<void>
}): void => {
  program
    .command('conversions')
    .description('list your conversions, those that began or ended last first')
    .option('--limit <number>', 'how many', '20')
    .option('--json', 'print JSON')
    .action((options: ConversionsOptions) => connected((deployment) => listConversions(deployment, options)))

  program
    .command('converters')
    .description('list the converters of the server, and what is missing for them')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => connected((deployment) => listConverters(deployment, options)))
}
