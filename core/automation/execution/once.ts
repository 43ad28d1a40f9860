import type { Principal } from '../../access/security/index.js'
import {
  type BeforeCommit,
  createIncidentLog,
  executeOnce,
  type IncidentLog,
  isKept,
  type PackedState,
  type StepKey,
  type UnitOfWork,
} from '../run-store/index.js'
import type { SegmentDependencies } from './execution-of.js'

/** Keeps the incidents of a transaction that was rolled back for good. That failure itself is what matters more. */
export const keepIncidents = async (
  { units, services }: Pick<SegmentDependencies, 'units' | 'services'>,
  { principal, key, log, error }: { principal: Principal; key: StepKey; log: IncidentLog; error: unknown },
): Promise<void> => {
  if (!isKept(log, error)) return
  try {
    await units.transaction(principal, ({ incidents }) => incidents.record(key, log.all()))
  } catch (unrecorded) {
    services.log('error', 'What went wrong in a run could not be recorded', {
      ...key,
      error: String(unrecorded),
    })
  }
}

/** Does the work of a step once (`executeOnce`), with its incidents in the same transaction. */
export const once = async <Result extends object = PackedState>(
  dependencies: SegmentDependencies,
  { principal, key }: { principal: Principal; key: StepKey },
  work: (unit: UnitOfWork, log: IncidentLog, beforeCommit: BeforeCommit) => Promise<Result>,
): Promise<Result> => {
  const log = createIncidentLog()
  const committing = (unit: UnitOfWork): Promise<void> | undefined =>
    log.all().length > 0 ? unit.incidents.record(key, log.all()) : undefined
  try {
    return await executeOnce(
      dependencies.units,
      { principal, key },
      {
        work: (unit, beforeCommit) => {
          log.clear()
          return work(unit, log, beforeCommit)
        },
        committing,
      },
    )
  } catch (error) {
    await keepIncidents(dependencies, { principal, key, log, error })
    throw error
  }
}
