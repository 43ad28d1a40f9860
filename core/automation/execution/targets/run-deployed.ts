import type { Principal } from '../../../access/security/index.js'
import type { OperationContext } from '../../language/index.js'
import type { StepKey } from '../../run-store/index.js'
import { executionOf, type SegmentDependencies } from '../execution-of.js'
import { openContext } from '../executor.js'
import { throwIfLate } from '../time-limit.js'
import { executeStep, withIncidents } from './execute-step.js'

/** Work of the product that needs what operations need. */
type DeployedWork<Result> = (context: OperationContext) => Promise<Result>

type Called = { principal: Principal; key?: StepKey | undefined; signal: AbortSignal }

/**
 * Does work of the product in one transaction, with what operations have there: once where there is a key, under which
 * its result is kept.
 *
 * @throws what the work throws.
 */
export const runDeployed = <Result extends object>(
  dependencies: SegmentDependencies,
  { principal, key, signal }: Called,
  work: DeployedWork<Result>,
): Promise<Result> => {
  const begin = async (
    unit: Parameters<typeof executionOf>[1],
    { report }: Parameters<Parameters<typeof executeStep<Result>>[2]>[1],
  ): Promise<Result> => {
    const result = await work(openContext(executionOf(dependencies, unit, { chains: {}, signal, report })))
    throwIfLate(signal)
    return result
  }
  if (key) return executeStep(dependencies, { principal, key }, begin)
  return withIncidents(
    dependencies,
    { principal, key },
    {
      work: begin,
      transact: (logged) =>
        dependencies.units.transaction(principal, (unit) => logged(unit, () => undefined)),
    },
  )
}
