import type { Principal } from '../../../access/security/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import {
  type ChainStep,
  type ErrorChain,
  recordedValue,
  type Value,
  type Variables,
} from '../../language/index.js'
import {
  type BeforeCommit,
  type CallKey,
  createIncidentLog,
  type IncidentLog,
  type PackedState,
  packState,
  type RunState,
  requireSameCall,
  type StepKey,
  type UnitOfWork,
  unpackState,
} from '../../run-store/index.js'
import { executionOf, type SegmentDependencies } from '../execution-of.js'
import { executeCatching } from '../executor.js'
import { throwIfLate } from '../time-limit.js'
import { recordingCall } from '../trace-recording.js'
import { executeStep, type LoggedWork, withIncidents } from './execute-step.js'

export type OperationCall = {
  operation: string
  input: Value
  params: { [name: string]: PropertyValue }
  variables: Variables
}

/** Who calls, how often it may happen, and when it is to stop. */
export type CallContext = {
  principal: Principal
  key?: CallKey | undefined
  signal: AbortSignal
  /**
   * Whether the caller's rights, and all that is deployed, are those of the moment of the call; absent: they are. An
   * outdated call that may write does nothing: its transaction ends before its first step.
   */
  isCurrent?: Promise<boolean> | undefined
}

/** Thrown for a call that is outdated. */
export const outdated = new Error('Something has changed before this call')

/** One transaction without a receipt. */
const unkeyed = (
  dependencies: SegmentDependencies,
  { principal, run: key }: { principal: Principal; run: StepKey | undefined },
  work: LoggedWork<Value>,
): Promise<Value> =>
  withIncidents(
    dependencies,
    { principal, key },
    {
      work,
      transact: (logged, keep) =>
        dependencies.units.transaction(principal, async (unit, beforeCommit) => {
          const output = await logged(unit, beforeCommit)
          await keep(unit)
          return output
        }),
    },
  )

/** One transaction with a receipt. @returns with `isRecorded`: what an earlier call with the same key came to. */
const keyed = async (
  dependencies: SegmentDependencies,
  { principal, key }: { principal: Principal; key: CallKey },
  work: LoggedWork<Value>,
): Promise<{ output: Value; isRecorded: boolean }> => {
  let own: PackedState | undefined
  const packed = await executeStep(dependencies, { principal, key }, async (unit, log, beforeCommit) => {
    const state = await packState(unit.transient, {
      input: await work(unit, log, beforeCommit),
      variables: {},
    })
    const recorded = { ...state, fingerprint: key.fingerprint }
    own = recorded
    return recorded
  })
  requireSameCall(packed, key)
  const { input } = await unpackState(dependencies.units.reading(principal).transient, packed)
  return { output: input, isRecorded: packed !== own }
}

/**
 * Runs steps in one transaction of this process, without a workflow.
 *
 * @param key makes the call idempotent: another call with it answers what this one did, and reads it again where nothing
 * else is done.
 * @param onError the error chains of the chain that the steps belong to.
 * @param committing writes one statement in the same transaction, with its end.
 * @param isReadOnly the steps write nothing, so that each of their statements is a transaction of its own.
 * @param run the run that incidents are kept for. Absent: a key's, or nobody asks.
 * @throws what a step throws; conflict when the key was used for another call; `outdated`.
 * @returns the last output; documents in it have been read in the transaction, unless a recorded answer is given.
 */
export const runInProcess = async (
  dependencies: SegmentDependencies,
  { principal, key, signal, isCurrent }: CallContext,
  {
    steps,
    onError,
    state: { input, variables },
    committing,
    isReadOnly = false,
    run,
  }: {
    steps: readonly ChainStep[]
    onError?: readonly ErrorChain[] | undefined
    state: RunState
    committing?: (unit: UnitOfWork) => Promise<void>
    isReadOnly?: boolean
    run?: StepKey
  },
): Promise<Value> => {
  const work = async (unit: UnitOfWork, log: IncidentLog, beforeCommit?: BeforeCommit): Promise<Value> => {
    // The look for it has shared its time with the start of the transaction. What only reads is asked for it later.
    if (!isReadOnly && !((await isCurrent) ?? true)) throw outdated
    const execution = executionOf(dependencies, unit, { chains: {}, signal, report: log.report })
    const asked = { steps, onError, input, variables: { ...variables } }
    const { output, isCaught } = await executeCatching(execution, asked)
    if (isCaught) log.endRun()
    throwIfLate(signal)
    if (committing) beforeCommit?.(() => committing(unit))
    return output
  }
  const readAgain = (): Promise<Value> => work(dependencies.units.reading(principal), createIncidentLog())
  if (!key) return isReadOnly ? readAgain() : unkeyed(dependencies, { principal, run }, work)
  const { isRecorded, output } = await keyed(dependencies, { principal, key }, work)
  if (!isRecorded) return output
  return isReadOnly ? readAgain() : recordedValue(output)
}

/**
 * Runs one operation in this process, without a workflow: in one transaction, or, when it only reads, in none.
 *
 * @param key makes the call idempotent: another call with it answers what this one did.
 * @throws what the operation throws; conflict when the key was used for another call.
 * @returns its output; documents in it have been read in the transaction, unless a recorded answer is given.
 */
export const runOperation = (
  dependencies: SegmentDependencies,
  { call, ...context }: CallContext & { call: OperationCall },
): Promise<Value> => {
  const { operation, params, input, variables } = call
  const steps = [{ operation, params, isLiteral: true }]
  const called = dependencies.registry.find(operation)
  const isReadOnly = called?.kind === 'operation' && called.operation.isReadOnly === true
  const recorded = { operation, params, input, principal: context.principal.name }
  return recordingCall(dependencies.services.recording, recorded, () =>
    runInProcess(dependencies, context, { steps, state: { input, variables }, isReadOnly }),
  )
}
