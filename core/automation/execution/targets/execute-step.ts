import type { Principal } from '../../../access/security/index.js'
import {
  type BeforeCommit,
  createIncidentLog,
  executeOnce,
  type IncidentLog,
  isKept,
  type PackedState,
  type StepKey,
  type UnitOfWork,
} from '../../run-store/index.js'
import type { SegmentDependencies } from '../execution-of.js'

/** The work of one transaction, with the log of its incidents. */
export type LoggedWork<Result> = (
  unit: UnitOfWork,
  log: IncidentLog,
  beforeCommit: BeforeCommit,
) => Promise<Result>

/** Keeps the incidents of a transaction that was rolled back for good. That failure itself is what matters more. */
const keepIncidents = async (
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

/**
 * Keeps the incidents of a transaction with its effects, or after its rollback.
 *
 * @param key of whose incidents they are; absent: nobody asks for them.
 * @param transact runs `work` in a transaction, and `keep` at its end.
 */
export const withIncidents = async <Result, Output>(
  dependencies: SegmentDependencies,
  { principal, key }: { principal: Principal; key: StepKey | undefined },
  {
    work,
    transact,
  }: {
    work: LoggedWork<Result>
    transact(
      work: (unit: UnitOfWork, beforeCommit: BeforeCommit) => Promise<Result>,
      keep: (unit: UnitOfWork) => Promise<void> | undefined,
    ): Promise<Output>
  },
): Promise<Output> => {
  const log = createIncidentLog()
  try {
    return await transact(
      (unit, beforeCommit) => {
        log.clear()
        return work(unit, log, beforeCommit)
      },
      ({ incidents }) => (key && log.all().length > 0 ? incidents.record(key, log.all()) : undefined),
    )
  } catch (error) {
    if (key) await keepIncidents(dependencies, { principal, key, log, error })
    throw error
  }
}

/** Does the work of a step once (`executeOnce`), with its incidents in the same transaction. */
export const executeStep = <Result extends object = PackedState>(
  dependencies: SegmentDependencies,
  { principal, key }: { principal: Principal; key: StepKey },
  work: LoggedWork<Result>,
): Promise<Result> =>
  withIncidents(
    dependencies,
    { principal, key },
    {
      work,
      transact: (logged, committing) =>
        executeOnce(dependencies.units, { principal, key }, { work: logged, committing }),
    },
  )
