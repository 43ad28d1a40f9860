import type { Principal } from '../../../access/security/index.js'
import { mapOf } from '../../language/index.js'
import { failureIncident, type PackedState, packState, unpackState } from '../../run-store/index.js'
import type { RunContext, SegmentDependencies } from '../execution-of.js'
import { executeTarget } from '../executor.js'
import { withTimeout } from '../time-limit.js'
import { executeStep } from './execute-step.js'
import { continuesOnError, isFinal, openCall, type TargetCall } from './target.js'

type RunTarget = { principal: Principal; run: RunContext; call: TargetCall; signal: AbortSignal }

/**
 * Runs another operation or chain in a transaction of its own, exactly once. When it fails and the call says so
 * (`rollbackGlobalOnError` false), the run goes on with what came in.
 *
 * @throws what the target throws.
 */
export const runTarget = async (
  dependencies: SegmentDependencies,
  { principal, run, call, signal }: RunTarget,
): Promise<PackedState> => {
  let continueOnError = false
  try {
    return await executeStep(dependencies, { principal, key: run.key }, async (unit, { report }) => {
      const { state, execution, params } = await openCall(dependencies, unit, { run, call, signal, report })
      continueOnError = continuesOnError(params)
      const output = await withTimeout({ signal, seconds: params.timeout }, (limited) =>
        executeTarget(
          { ...execution, signal: limited },
          {
            caller: call.step,
            variables: state.variables,
            id: call.target,
            input: state.input,
            parameters: mapOf(params.parameters),
            isolate: params.isolate === true,
          },
        ),
      )
      return packState(unit.transient, { ...state, input: call.keepsOutput ? output : state.input })
    })
  } catch (error) {
    if (!continueOnError || !isFinal(error)) throw error
    dependencies.services.log('warn', 'A run goes on after a failed call', {
      ...run.key,
      error: String(error),
    })
    return executeStep(dependencies, { principal, key: run.key }, async ({ transient, incidents }) => {
      const { input } = await unpackState(transient, run.state)
      // Beside the incidents of the failed transaction, which have the key itself.
      const key = { ...run.key, step: `${run.key.step}/passed` }
      await incidents.record(key, [failureIncident(call, { input, failure: error })])
      return run.state
    })
  }
}
