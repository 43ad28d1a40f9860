import type { Deployment } from '../chains/index.js'
import { EXIT, type ExitCode } from '../failures/index.js'
import { duration, requireLimit } from '../runs/index.js'
import { type ConversionEntity, conversionsEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'

export type ConversionsOptions = { limit: string; json?: boolean }

const rowOf = ({ conversionId, target, state, startedAt, closedAt, file }: ConversionEntity): string[] => [
  conversionId,
  target ?? '-',
  state.toLowerCase(),
  startedAt,
  closedAt === undefined ? 'goes on' : duration(Date.parse(closedAt) - Date.parse(startedAt)),
  file ?? '-',
]

/** Lists the conversions of the user, those that began or ended last first. */
export const listConversions = async (
  { server, terminal }: Deployment,
  { limit, json }: ConversionsOptions,
): Promise<ExitCode> => {
  requireLimit(limit)
  const { entries } = await server.read(conversionsEntity, `/conversions?pageSize=${Number(limit)}`)
  if (json) terminal.out(JSON.stringify(entries))
  else
    showTable(terminal, {
      rows: entries.map(rowOf),
      none: 'You have no conversions: archivolt converters lists what a file can be converted with',
    })
  return EXIT.ok
}
