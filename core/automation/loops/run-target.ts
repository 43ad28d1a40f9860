import type { Principal } from '../../access/security/index.js'
import {
  collectOutputs,
  executeTarget,
  isFinal,
  methodFor,
  once,
  openCall,
  passesOver,
  type RunContext,
  type SegmentDependencies,
  type TargetCall,
  throwIfStopped,
  withTimeout,
} from '../execution/index.js'
import { isMapped, type Method, mapOf, typeOf, type Value } from '../language/index.js'
import { type PackedState, packState, passedOver, unpackState } from '../run-store/index.js'
import { countOf, elementsOf } from './loop-list.js'

type RunTarget = { principal: Principal; run: RunContext; call: TargetCall; signal: AbortSignal }

/** One call in one transaction. When it fails and the call says so, what came in goes on. */
const runOnce = async (
  dependencies: SegmentDependencies,
  { principal, run, call, signal }: RunTarget,
): Promise<PackedState> => {
  let goesOn = false
  try {
    return await once(dependencies, { principal, key: run.key }, async (unit, log) => {
      const { tell } = log
      const { state, execution, params } = await openCall(dependencies, unit, { run, call, signal, tell })
      goesOn = passesOver(params)
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
    if (!goesOn || !isFinal(error)) throw error
    dependencies.services.log('warn', 'A run goes on after a failed call', {
      ...run.key,
      error: String(error),
    })
    return once(dependencies, { principal, key: run.key }, async ({ transient, incidents }) => {
      const { input } = await unpackState(transient, run.state)
      // Beside what the failed transaction has told under the key itself.
      const key = { ...run.key, step: `${run.key.step}/passed` }
      await incidents.record(key, [passedOver(call, { input, failure: error })])
      return run.state
    })
  }
}

/** The method by which the step takes its input when it is to be called for each element of it. */
export const mappedMethod = (
  { registry }: Pick<SegmentDependencies, 'registry'>,
  { step }: Pick<TargetCall, 'step'>,
  input: Value,
): Method | undefined => {
  const callable = registry.find(step.operation)
  if (callable?.kind !== 'operation') return undefined
  const method = methodFor(callable.operation, input)
  return isMapped(method, typeOf(input)) ? method : undefined
}

/**
 * One transaction for each element, with a receipt of its own: an attempt that finds the first one done looks
 * before each that follows, until it comes to where the earlier attempt ended.
 */
const runForEach = async (
  dependencies: SegmentDependencies,
  { list, method, ...target }: RunTarget & { list: Value; method: Method },
): Promise<PackedState> => {
  const { principal, run, signal } = target
  const { transient, receipts } = dependencies.units.reading(principal)
  let { variables } = await unpackState(transient, run.state)
  const outputs: Value[] = []
  const total = countOf(list) ?? 0
  let isRepeated = true
  for (let position = 0; position < total; position++) {
    throwIfStopped(signal)
    const key = { ...run.key, step: `${run.key.step}/${position}` }
    const recorded: unknown = isRepeated ? await receipts.find(key) : undefined
    isRepeated = recorded !== undefined
    const [input] = await elementsOf(transient, list, { from: position, to: position + 1 })
    if (!input) break
    const done =
      (recorded as PackedState | undefined) ??
      (await runOnce(dependencies, {
        ...target,
        run: { ...run, key, state: { state: { input, variables } } },
      }))
    const after = await unpackState(transient, done)
    outputs.push(after.input)
    variables = after.variables
  }
  return once(dependencies, { principal, key: run.key }, (unit) =>
    packState(unit.transient, { input: collectOutputs(method, outputs), variables }),
  )
}

/**
 * Runs another operation or chain in a transaction of its own, exactly once; for each element of a list in one
 * of its own, when the step maps over lists. When it fails and the call says so (`rollbackGlobalOnError`
 * false), the run goes on with what came in.
 *
 * @throws badRequest when the step takes no such input; what the target throws.
 */
export const runTarget = async (
  dependencies: SegmentDependencies,
  target: RunTarget,
): Promise<PackedState> => {
  const { principal, run, call } = target
  const { transient } = dependencies.units.reading(principal)
  const { input } = await unpackState(transient, run.state)
  const method = mappedMethod(dependencies, call, input)
  return method ? runForEach(dependencies, { ...target, list: input, method }) : runOnce(dependencies, target)
}
