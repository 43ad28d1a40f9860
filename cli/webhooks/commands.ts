import type { Command } from 'commander'
import type { ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { type DeliveriesOptions, listDeliveries, listWebhooks, redeliver } from './webhooks.js'

/** Adds the commands for webhooks and their deliveries. */
export const addWebhookCommands = ({
  program,
  connected,
}: {
  program: Command
  connected(work: (watch: Watch) => Promise<ExitCode>): Promise<void>
}): void => {
  program
    .command('webhooks')
    .description('list the webhooks that are deployed; for administrators')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => connected((watch) => listWebhooks(watch, options)))

  program
    .command('deliveries')
    .description('list deliveries of webhooks, those that began last first; for administrators')
    .option('--webhook <name>', 'of this webhook')
    .option('--state <state>', 'running, completed, or failed: given up')
    .option('--event <name>', 'of this event')
    .option('--limit <number>', 'how many', '20')
    .option('--json', 'print JSON')
    .action((options: DeliveriesOptions) => connected((watch) => listDeliveries(watch, options)))

  program
    .command('redeliver')
    .description('deliver again; for administrators')
    .argument('<delivery>', 'the id of a delivery; with --all the name of a webhook')
    .option('--all', 'all that was given up for a webhook')
    .action((id: string, options: { all?: boolean }) => connected((watch) => redeliver(watch, id, options)))
}
