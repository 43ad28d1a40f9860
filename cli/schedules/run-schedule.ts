import { EXIT, type ExitCode } from '../failures/index.js'
import { type FollowOptions, followRun, type Watch } from '../runs/index.js'
import { scheduleRunEntity } from '../server/index.js'

/** Runs a schedule now, and follows the run of its chain. */
export const runSchedule = async (watch: Watch, name: string, options: FollowOptions): Promise<ExitCode> => {
  const path = `/automation/schedules/${encodeURIComponent(name)}/run`
  const { workflowId, waitsFor } = await watch.server.read(scheduleRunEntity, path, { method: 'POST' })
  if (workflowId !== undefined) return followRun(watch, workflowId, options)
  watch.terminal.error(
    waitsFor === undefined ? `Asked for ${name} to run` : `${name} runs when the run ${waitsFor} has ended`,
  )
  return EXIT.ok
}
