import type { Command } from 'commander'
import type { ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { listWorkflows } from './list-workflows.js'
import { type MigrateOptions, migrateWorkflows } from './migrate-workflows.js'
import { retryWorkflow } from './retry-workflow.js'
import { showBacklog } from './show-backlog.js'
import { type TryOptions, tryWorkflow } from './try-workflow.js'

/** Adds the commands for workflows of documents. */
export const addWorkflowCommands = ({
  program,
  connected,
}: {
  program: Command
  connected(work: (watch: Watch) => Promise<ExitCode>): Promise<void>
}): void => {
  program
    .command('workflows')
    .description(
      'list the document workflows that run, with the nodes at which they wait; for administrators',
    )
    .option('--stuck', 'those alone that nobody follows, or whose last escalation has failed')
    .option('--unfollowed', 'those alone whose newest change Temporal has not seen')
    .option('--model <name>', 'those alone of this model')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean; stuck?: boolean; unfollowed?: boolean; model?: string }) =>
      connected((watch) => listWorkflows(watch, options)),
    )

  program
    .command('workflow-backlog')
    .description('count the open and overdue tasks of document workflows; for administrators')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => connected((watch) => showBacklog(watch, options)))

  program
    .command('retry-workflow')
    .description('try again what has failed in a document workflow, and have it followed; for administrators')
    .argument('<workflow>')
    .action((id: string) => connected((watch) => retryWorkflow(watch, id)))

  program
    .command('migrate-workflow')
    .description(
      'let document workflows go on by the model that is deployed now, all or none; for administrators',
    )
    .argument('[workflow...]')
    .option('--model <name>', 'all that run of this model')
    .option('--dry-run', 'change nothing, and show what keeps them from it')
    .action((ids: string[], options: MigrateOptions) =>
      connected((watch) => migrateWorkflows(watch, ids, options)),
    )

  program
    .command('try-workflow')
    .description(
      'run a model of document workflows with the clock turned forward, and keep nothing; for administrators',
    )
    .argument('<model>', 'its name')
    .option('--model <file>', 'YAML or JSON of a model that is not deployed')
    .option('--case <file>', 'YAML or JSON: variables, answers, documents, where the clock begins and ends')
    .option('--json', 'print JSON')
    .action((name: string, options: TryOptions) => connected((watch) => tryWorkflow(watch, name, options)))
}
