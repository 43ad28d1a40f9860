import type { Principal } from '../security/index.js'
import { elementsOf } from './loop-list.js'
import { type LoopCall, openLoop } from './open-loop.js'
import { enteredState, type RunContext, type SegmentDependencies } from './segment.js'
import { type PackedState, packState } from './state.js'

/**
 * The state in which one element of a loop begins a run of its own, for loops whose target commits on its
 * way; without a state when the list has no such element.
 */
export const enterElement = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    call,
    element,
    signal,
  }: { principal: Principal; run: RunContext; call: LoopCall; element: number; signal: AbortSignal },
): Promise<{ total: number; stopsOnError: boolean; state?: PackedState }> => {
  const reading = dependencies.units.reading(principal)
  const loop = await openLoop(dependencies, reading, { run, call, signal })
  const { total, stopsOnError } = loop
  const [value] =
    element < total ? await elementsOf(reading.transient, loop.list, { from: element, to: element + 1 }) : []
  if (!value) return { total, stopsOnError }
  const state = enteredState(
    { input: loop.state.input, variables: { ...loop.state.variables, [loop.item]: value } },
    run.chains[call.target],
    loop.parameters,
  )
  return {
    total,
    stopsOnError,
    state: await dependencies.units.transaction(principal, (unit) => packState(unit.transient, state)),
  }
}
