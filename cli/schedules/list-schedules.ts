import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { type ScheduleEntity, schedulesEntity } from '../server/index.js'
import { showTable } from '../terminal/index.js'

const rowOf = ({ id, chain, event, cron, timezone, username, state, next }: ScheduleEntity): string[] => [
  id,
  chain ?? `event ${event}`,
  `${cron} ${timezone}`,
  username,
  state,
  next[0] ?? '-',
]

/** Lists the schedules that are deployed, with their next times. */
export const listSchedules = async (
  { server, terminal }: Watch,
  options: { json?: boolean },
): Promise<ExitCode> => {
  const { entries } = await server.read(schedulesEntity, '/automation/schedules')
  if (options.json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: 'No schedule is deployed' })
  return EXIT.ok
}
