import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { dryRunEntity } from '../server/index.js'
import { type FollowOptions, followRun } from './follow-run.js'
import { callBody } from './input/call-body.js'
import { parseNameValues } from './input/name-values.js'
import { parseInput } from './input/run-input.js'
import { dryRunLines } from './lines/dry-run-lines.js'
import type { Watch } from './watch-run.js'

export type RunOptions = FollowOptions & {
  input: string[]
  param: string[]
  context: string[]
  idempotencyKey?: string
  dryRun?: boolean
}

const bodyOf = ({ input, param, context }: RunOptions) =>
  callBody({
    input: parseInput(input),
    params: parseNameValues('--param', param),
    context: parseNameValues('--context', context),
  })

/** Runs the call in one transaction that is rolled back, and shows its effects. */
const showDryRun = async (
  { server, terminal }: Watch,
  chain: string,
  options: RunOptions,
): Promise<ExitCode> => {
  const path = `/automation/${encodeURIComponent(chain)}?dryRun=true`
  const call = { method: 'POST' as const, ...(await bodyOf(options)), timeoutMs: undefined }
  const result = await server.read(dryRunEntity, path, call)
  if (options.json) terminal.out(JSON.stringify(result))
  else for (const line of dryRunLines(result)) terminal.out(line)
  return EXIT.ok
}

const REPLAYED = 'idempotent-replayed'
const WARNING = 'archivolt-warning'

/** Starts a run, or finds that of an earlier call with the same key. @returns its id. */
const startRun = async (
  { server, interrupted, terminal }: Watch,
  chain: string,
  options: RunOptions,
): Promise<string> => {
  const { body, headers } = await bodyOf(options)
  const key = options.idempotencyKey
  const response = await server
    .call(`/automation/${encodeURIComponent(chain)}/@async`, {
      method: 'POST',
      headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
      body,
      timeoutMs: undefined,
    })
    .catch((error) => {
      if (!interrupted.aborted) throw error
      throw new CliError(
        EXIT.interrupted,
        `Interrupted while ${chain} was being started: the run may have begun`,
      )
    })
  await response.body?.cancel()
  const warning = response.headers.get(WARNING)
  if (warning !== null) terminal.error(`Warning: ${warning}`)
  const id = response.headers.get('archivolt-workflow-id')
  if (!id) throw new CliError(EXIT.failed, `${server.url} started ${chain}, but its response names no run`)
  if (response.headers.get(REPLAYED) === 'true')
    terminal.error(
      `An earlier call with this idempotency key started the run; if it failed: archivolt retry ${id}`,
    )
  return id
}

/** Runs a chain or an operation, follows it, and prints its result. */
export const runChain = async (watch: Watch, chain: string, options: RunOptions): Promise<ExitCode> => {
  if (options.dryRun) return showDryRun(watch, chain, options)
  return followRun(watch, await startRun(watch, chain, options), options)
}
