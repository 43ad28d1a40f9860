import type { Principal } from '../../../access/security/index.js'
import { type ArchivoltError, isArchivoltError } from '../../../platform/errors/index.js'
import {
  CHAIN_PARAMETERS,
  type ChainStep,
  mapOf,
  rawParameter,
  type Value,
  type Variables,
} from '../../language/index.js'
import {
  enteredState,
  failureIncident,
  type PackedState,
  packState,
  type RunState,
  type UnitOfWork,
  unpackState,
} from '../../run-store/index.js'
import type { ChainFailure } from '../error-chains.js'
import type { Execution } from '../execution.js'
import { executionOf, type RunContext, type SegmentDependencies } from '../execution-of.js'
import { resolveStep } from '../executor.js'
import { executeStep } from './execute-step.js'

/** A call of a target in a transaction of its own. */
export type TargetCall = {
  /** The step that asks for it; its parameters are evaluated on the given state. */
  step: ChainStep
  target: string
  keepsOutput: boolean
}

/** A failure that another attempt would meet again, so that a run may go on after it. */
export const isFinal = (error: unknown): error is ArchivoltError =>
  isArchivoltError(error) && !error.retryable

/** Whether a run goes on after a failure in a transaction of its own, by the parameters of the step that asks for one. */
export const continuesOnError = ({ newTx, rollbackGlobalOnError }: { [name: string]: unknown }): boolean =>
  newTx !== false && rollbackGlobalOnError === false

/**
 * The seconds that all transactions of a target may take together: only when its step says so itself, since the default
 * is that of one transaction.
 */
export const timeoutOf = (
  step: ChainStep,
  { newTx, timeout }: { [name: string]: unknown },
): number | undefined =>
  newTx !== false && rawParameter(step, 'timeout') !== undefined && typeof timeout === 'number' && timeout > 0
    ? timeout
    : undefined

/** The state in which a target begins, and what its caller has to know of the step that asks for it. */
export type EnteredTarget = PackedState & {
  /** It goes on without the target when that fails. */
  continueOnError?: true
  timeout?: number
  /** Whether the caller sees nothing of its variables. */
  isolate: boolean
  /** The state behind it: the run, which has been here before, has left it already. */
  left?: PackedState
}

/** The state with which a run comes to a call, and what the step that asks for it says there. */
export const openCall = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  {
    run,
    call,
    signal,
    report,
  }: { run: RunContext; call: Pick<TargetCall, 'step'>; signal: AbortSignal; report?: Execution['report'] },
): Promise<{ state: RunState; execution: Execution; params: { [name: string]: unknown } }> => {
  const state = await unpackState(unit.transient, run.state)
  const execution = executionOf(dependencies, unit, { chains: run.chains, signal, report })
  const params = await resolveStep(execution, { step: call.step, ...state })
  return { state, execution, params }
}

/**
 * Prepares the state in which the nodes of a target with boundaries of its own begin: its parameters over
 * the caller's, its declared defaults below them.
 *
 * @param leaving the step by which it is left: what a run that begins again has left, or has gone on after, is not done
 * again.
 */
export const enterTarget = async (
  dependencies: SegmentDependencies,
  { leaving, ...entering }: EnteringTarget & { leaving: string },
): Promise<EnteredTarget> => {
  const entered = await entryOf(dependencies, entering)
  const { principal, run } = entering
  if (!run.key.isRepeated) return entered
  const left = await dependencies.units.reading(principal).receipts.find({ ...run.key, step: leaving })
  return left === undefined ? entered : { ...entered, left: left as unknown as PackedState }
}

type EnteringTarget = { principal: Principal; run: RunContext; call: TargetCall; signal: AbortSignal }

const entryOf = (
  dependencies: SegmentDependencies,
  { principal, run, call, signal }: EnteringTarget,
): Promise<EnteredTarget> =>
  executeStep<EnteredTarget>(dependencies, { principal, key: run.key }, async (unit) => {
    const { state, params } = await openCall(dependencies, unit, { run, call, signal })
    const isChainStep = call.step.operation === call.target
    const given = isChainStep ? mapOf(params) : mapOf(params.parameters)
    const entered = await packState(unit.transient, enteredState(state, run.chains[call.target], given))
    if (isChainStep) return { ...entered, isolate: false }
    const timeout = timeoutOf(call.step, params)
    return {
      ...entered,
      isolate: params.isolate === true,
      ...(timeout !== undefined && { timeout }),
      ...(continuesOnError(params) && { continueOnError: true }),
    }
  })

/** The variables behind a target: its own unless they were isolated, with the caller's own chain parameters again. */
export const leftVariables = (
  outer: Variables,
  inner: Variables,
  { isolate }: { isolate: boolean },
): Variables => {
  const { [CHAIN_PARAMETERS]: _, ...variables } = isolate ? outer : inner
  const parameters = outer[CHAIN_PARAMETERS]
  return { ...variables, ...(parameters && { [CHAIN_PARAMETERS]: parameters }) }
}

/**
 * The state after such a target: its output when the caller keeps it, its variables unless they were
 * isolated, the caller's own chain parameters again.
 *
 * @param failure with which the target has ended, when the run goes on after it; `inner` is then what came in.
 */
export const leaveTarget = (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    call,
    inner,
    isolate,
    failure,
  }: {
    principal: Principal
    run: RunContext
    call: TargetCall
    inner: PackedState
    isolate: boolean
    failure?: ChainFailure | undefined
  },
): Promise<PackedState> =>
  executeStep(dependencies, { principal, key: run.key }, async (unit, log) => {
    const outer = await unpackState(unit.transient, run.state)
    if (failure) log.report(failureIncident(call, { input: outer.input, failure }))
    const done = await unpackState(unit.transient, inner)
    const variables = leftVariables(outer.variables, done.variables, { isolate })
    const input: Value = call.keepsOutput ? done.input : outer.input
    return packState(unit.transient, { input, variables })
  })
