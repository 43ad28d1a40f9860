import type { Principal } from '../../../access/security/index.js'
import type { ChainStep, ErrorChain, Value } from '../../language/index.js'
import { type InlineRun, type PackedState, packState, unpackState } from '../../run-store/index.js'
import type { ChainFailure } from '../error-chains.js'
import { executionOf, type RunContext, type SegmentDependencies } from '../execution-of.js'
import { executeCatching, executeErrorChain } from '../executor.js'
import { throwIfLate } from '../time-limit.js'
import { isRefusal } from './apart.js'
import { executeStep } from './execute-step.js'

/**
 * Runs the steps between two boundaries in one transaction, exactly once.
 *
 * @param onError the error chains of the chain that the steps belong to.
 * @param input takes the place of that of the state.
 * @param endsOnFalse whether false as the last output says that the run is over.
 * @param record the run itself, where nobody else knows of it: written in the same transaction.
 * @returns the state behind them, or, with `isCaught`, behind an error chain, with which the chain ends.
 */
export const runSegment = (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    steps,
    onError,
    input: given,
    endsOnFalse = false,
    signal,
    record,
  }: {
    principal: Principal
    run: RunContext
    steps: readonly ChainStep[]
    onError?: readonly ErrorChain[] | undefined
    input?: Value | undefined
    endsOnFalse?: boolean | undefined
    signal: AbortSignal
    record?: InlineRun | undefined
  },
): Promise<PackedState> =>
  executeStep(dependencies, { principal, key: run.key }, async (unit, log, beforeCommit) => {
    const state = await unpackState(unit.transient, run.state)
    const { variables } = state
    const input = given ?? state.input
    const execution = executionOf(dependencies, unit, { chains: run.chains, signal, report: log.report })
    const { output, isCaught } = await executeCatching(execution, { steps, input, variables, onError })
    if (isCaught) log.endRun()
    throwIfLate(signal)
    const packed = await packState(unit.transient, { input: output, variables })
    if (record) beforeCommit(() => unit.inlineRuns.complete(record))
    const isEnded = endsOnFalse && isRefusal(output)
    return { ...packed, ...(isCaught && { isCaught }), ...(isEnded && { isEnded }) }
  })

/** Thrown to commit nothing where no error chain holds. */
const noErrorChain = new Error('No error chain holds')

/**
 * Runs, exactly once, the error chain that is to run after a failure which has undone its transaction already, on
 * the state before it: that of a call, a loop or a run of its own.
 *
 * @returns undefined when none holds.
 */
export const catchFailure = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    onError,
    failure,
    signal,
  }: {
    principal: Principal
    run: RunContext
    onError: readonly ErrorChain[]
    failure: ChainFailure
    signal: AbortSignal
  },
): Promise<PackedState | undefined> => {
  try {
    return await executeStep(dependencies, { principal, key: run.key }, async (unit, log) => {
      const { input, variables } = await unpackState(unit.transient, run.state)
      const execution = executionOf(dependencies, unit, { chains: run.chains, signal, report: log.report })
      const output = await executeErrorChain(execution, { onError, input, variables, failure })
      if (output === undefined) throw noErrorChain
      log.endRun()
      throwIfLate(signal)
      return packState(unit.transient, { input: output, variables })
    })
  } catch (error) {
    if (error === noErrorChain) return undefined
    throw error
  }
}
