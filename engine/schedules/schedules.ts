import type { ScheduleRun, Schedules } from '../../core/automation/runs/index.js'
import type { ActingSchedule } from '../../core/automation/schedules/index.js'
import { suggestion } from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Temporal } from '../client/index.js'
import { reportSchedule } from './describe.js'
import { overlapping, triggerSchedule } from './trigger.js'

/** The pending call for a name, which concurrent callers share. */
const createPending = () => {
  const pending = new Map<string, Promise<ScheduleRun>>()
  return {
    get: (name: string) => pending.get(name),
    begin: (name: string, work: () => Promise<ScheduleRun>): Promise<ScheduleRun> => {
      const run = work().finally(() => pending.delete(name))
      pending.set(name, run)
      return run
    },
  }
}

/** The schedules as deployed, with the engine's state of them. */
export const createSchedules = ({
  deployed,
  ...temporal
}: Temporal & { deployed(): Promise<ReadonlyMap<string, ActingSchedule>> }): Schedules => {
  const beginning = createPending()
  const following = createPending()

  return {
    run: async (name) => {
      const known = await deployed()
      const acting = known.get(name)
      if (!acting)
        throw fail('notFound', `No schedule '${name}' is deployed${suggestion(name, known.keys())}`)
      const { overlap, chain } = acting.schedule
      const trigger = () => triggerSchedule(temporal, acting)
      // The engine does not keep track of runs that may overlap; an event is emitted at once.
      if (overlap === 'allow' || chain === undefined) return trigger()
      const first = beginning.get(name)
      if (!first) return beginning.begin(name, trigger)
      const { workflowId } = await first
      if (overlap === 'skip') throw overlapping(name, workflowId)
      // One run waits: concurrent callers share it.
      return following.get(name) ?? following.begin(name, trigger)
    },

    list: async () => {
      const all = [...(await deployed()).values()]
      const reports = await Promise.all(all.map((acting) => reportSchedule(temporal, acting)))
      return reports.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
  }
}
