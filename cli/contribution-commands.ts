import type { Command } from 'commander'
import type { Deployment } from './chains/index.js'
import { diffVersions, listVersions, removeContributions, rollback } from './contributions/index.js'
import type { ExitCode } from './failures/index.js'

const NAME = 'the id of a chain, or POINT/NAME as scripts/Demo.Copy'

/** Adds the commands for what is deployed already. */
export const addContributionCommands = ({
  program,
  connected,
}: {
  program: Command
  connected(work: (deployment: Deployment) => Promise<ExitCode>): Promise<void>
}): void => {
  program
    .command('versions')
    .description('list the versions of a chain or contribution, the oldest first')
    .argument('<name>', NAME)
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: boolean }) =>
      connected((deployment) => listVersions(deployment, name, options)),
    )

  program
    .command('diff')
    .description('show what differs between two versions: the last two, or those with these numbers')
    .argument('<name>', NAME)
    .argument('[from]', 'the number of a version; default: the one before the other')
    .argument('[to]', 'the number of a version; default: the last one')
    .action((name: string, from: string | undefined, to: string | undefined) =>
      connected((deployment) => diffVersions(deployment, { name, from, to })),
    )

  program
    .command('rollback')
    .description('deploy the version before the one in force again, as a new one')
    .argument('<name>', NAME)
    .option('--to <version>', 'the version with this number instead')
    .action((name: string, options: { to?: string }) =>
      connected((deployment) => rollback(deployment, name, options)),
    )

  program
    .command('delete')
    .description('delete chains or contributions; rollback brings them back')
    .argument('<name...>', NAME)
    .action((names: string[]) => connected((deployment) => removeContributions(deployment, names)))
}
