import { showProblems } from '../chains/index.js'
import { CliError, EXIT, type ExitCode, RefusedError } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { type WorkflowTrialEntity, workflowTrialEntity } from '../server/index.js'
import { printableLine } from '../terminal/index.js'
import { type ModelFile, readMapping, readModelFile } from './model-file.js'
import { trialLines } from './trial-lines.js'

export type TryOptions = { model?: string; case?: string; json?: boolean }

const HTTP_UNPROCESSABLE = 422

/** Reports what is wrong with the model and its chains where it stands in the file. @throws CliError. */
const refuse = ({ server, terminal }: Watch, file: ModelFile | undefined, error: unknown): never => {
  const isRefusal = error instanceof RefusedError && error.status === HTTP_UNPROCESSABLE
  if (!file || !isRefusal || error.problems.length === 0) throw error
  showProblems({ server, terminal }, file, { problems: error.problems.map(file.placed) })
  const { length } = error.problems.filter(({ severity }) => severity !== 'warning')
  throw new CliError(EXIT.invalid, `${length} problem${length === 1 ? '' : 's'}; nothing was tried`)
}

/** Whether the workflow came to its end, and nothing of it failed. */
const hasPassed = ({ isComplete, state, entries }: WorkflowTrialEntity): boolean =>
  isComplete && state !== 'running' && entries.every(({ error }) => error === undefined)

/**
 * Runs a model with the clock turned forward, and prints what happens. Chains that the model's file has are in force
 * for the trial.
 *
 * @returns `failed` for a workflow that has not ended, and one of which something has failed.
 */
export const tryWorkflow = async (
  watch: Watch,
  name: string,
  { model, case: asked, json = false }: TryOptions,
): Promise<ExitCode> => {
  const { server, terminal } = watch
  const file = model === undefined ? undefined : await readModelFile(model, name)
  const body = {
    ...(asked !== undefined && (await readMapping(asked))),
    'entity-type': 'workflowTrial',
    ...(file && { model: file.model, chains: file.chains }),
  }
  const path = `/workflowModel/${encodeURIComponent(name)}/trial`
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: undefined,
  } as const
  const trial = await server
    .read(workflowTrialEntity, path, request)
    .catch((error: unknown) => refuse(watch, file, error))
  if (json) terminal.out(JSON.stringify(trial))
  else for (const line of trialLines(trial)) terminal.out(line)
  for (const warning of trial.warnings) terminal.error(`warning: ${printableLine(warning)}`)
  return hasPassed(trial) ? EXIT.ok : EXIT.failed
}
