import { CliError, EXIT, type ExitCode } from '../failures/index.js'
import { type RunEntity, runsEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'
import { duration } from './lines/duration.js'
import type { Watch } from './watch-run.js'

export type RunsOptions = {
  chain?: string
  state?: string
  user?: string
  document?: string
  event?: string
  from?: string
  to?: string
  limit: string
  json?: boolean
}

const MAX_LIMIT = 1000

/** `120 of 500 items, 2 failed, 1 incident, its key is missing` */
const countsOf = ({ items, incidentCount, unreadable }: RunEntity): string =>
  [
    ...(items ? [`${items.done + items.failed} of ${items.total} items`] : []),
    ...(items && items.failed > 0 ? [`${items.failed} failed`] : []),
    ...(incidentCount > 0 ? [`${incidentCount} incident${incidentCount === 1 ? '' : 's'}`] : []),
    ...(unreadable === undefined ? [] : ['its key is missing']),
  ].join(', ')

const rowOf = (run: RunEntity): string[] => {
  const { workflowId, chainId, status, principal, startedAt, closedAt } = run
  return [
    workflowId,
    chainId,
    status.toLowerCase(),
    principal,
    startedAt,
    closedAt === undefined ? 'goes on' : duration(Date.parse(closedAt) - Date.parse(startedAt)),
    countsOf(run),
  ]
}

/** @throws CliError when `--limit` is not what the server accepts. */
export const requireLimit = (text: string): void => {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new CliError(EXIT.usage, `--limit ${text}: expected a number from 1 to ${MAX_LIMIT}`)
}

/** Lists runs: running ones first, then the last to end first. */
export const listRuns = async (
  { server, terminal }: Watch,
  { limit, json, ...filter }: RunsOptions,
): Promise<ExitCode> => {
  requireLimit(limit)
  const query = new URLSearchParams({ ...filter, pageSize: limit })
  const { entries, nextCursor } = await server.read(runsEntity, `/automation/runs?${query}`)
  if (json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: 'No run is like this' })
  if (nextCursor !== undefined) terminal.error('There are more: --limit shows them')
  return EXIT.ok
}
