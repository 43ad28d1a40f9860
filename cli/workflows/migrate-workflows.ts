import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { workflowMigrationEntity } from '../server/index.js'
import { readWorkflows } from './read-workflows.js'

export type MigrateOptions = { model?: string; dryRun?: boolean }

const idsOf = async (
  { server }: Watch,
  ids: readonly string[],
  model: string | undefined,
): Promise<string[]> => {
  if ((model === undefined) === (ids.length === 0))
    throw new CliError(EXIT.usage, 'Ids of workflows, or --model: one of them is needed')
  if (model === undefined) return [...ids]
  return (await readWorkflows({ server }, { model })).map(({ id }) => id)
}

const migrate = async ({ server }: Watch, id: string, isDryRun: boolean): Promise<string[]> => {
  const path = `/workflowRun/${encodeURIComponent(id)}/migrate${isDryRun ? '?dryRun=true' : ''}`
  return (await server.read(workflowMigrationEntity, path, { method: 'POST' })).obstacles
}

/** Lets workflows go on by the newest model, when a dry run of all has met no obstacle. */
export const migrateWorkflows = async (
  watch: Watch,
  given: readonly string[],
  { model, dryRun = false }: MigrateOptions,
): Promise<ExitCode> => {
  const { terminal } = watch
  const ids = await idsOf(watch, given, model)
  let obstacles = 0
  for (const id of ids)
    for (const obstacle of await migrate(watch, id, true)) {
      obstacles++
      terminal.out(`${id}: ${obstacle}`)
    }
  if (obstacles > 0) {
    terminal.error('None was changed')
    return EXIT.failed
  }
  if (!dryRun) for (const id of ids) await migrate(watch, id, false)
  terminal.error(`${ids.length} ${dryRun ? 'can go on' : 'go on'} by the model that is deployed`)
  return EXIT.ok
}
