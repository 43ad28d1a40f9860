import type { PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'
import type { Principal } from '../security/index.js'
import { execute } from './executor.js'
import type { StepKey } from './receipts.js'
import { executionOf, once, type SegmentDependencies } from './segment.js'
import { packState, unpackState } from './state.js'
import { throwIfLate } from './time-limit.js'
import type { UnitOfWork } from './unit-of-work.js'
import type { Value, Variables } from './values.js'

export type OperationCall = {
  operation: string
  input: Value
  params: { [name: string]: PropertyValue }
  variables: Variables
}

/** A receipt that also tells which call it answers, so that a key cannot be used for another one. */
export type CallKey = StepKey & { fingerprint: string }

/**
 * Runs one operation in one transaction of this process, without a workflow.
 *
 * @param key makes the call idempotent: another call with it answers what this one did.
 * @throws what the operation throws; conflict when the key was used for another call.
 * @returns its output; documents in it have been read in the transaction, unless a recorded answer is given.
 */
export const runOperation = async (
  dependencies: SegmentDependencies,
  {
    principal,
    call,
    key,
    signal,
  }: { principal: Principal; call: OperationCall; key?: CallKey | undefined; signal: AbortSignal },
): Promise<Value> => {
  const steps = [{ operation: call.operation, params: call.params, isLiteral: true }]
  const { input, variables } = call
  const work = async (unit: UnitOfWork): Promise<Value> => {
    const execution = executionOf(dependencies, unit, { chains: {}, signal })
    const output = await execute(execution, { steps, input, variables: { ...variables } })
    throwIfLate(signal)
    return output
  }
  if (!key) return dependencies.units.transaction(principal, work)
  const packed = await once(dependencies, { principal, key }, async (unit) => {
    const state = await packState(unit.transient, { input: await work(unit), variables: {} })
    return { ...state, fingerprint: key.fingerprint }
  })
  if ('fingerprint' in packed && packed.fingerprint !== key.fingerprint) {
    throw fail('conflict', 'Idempotency-Key: it was used for another request before')
  }
  return (await unpackState(dependencies.units.reading(principal).transient, packed)).input
}
