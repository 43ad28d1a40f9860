import type { Principal } from '../../access/security/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import {
  collectOutputs,
  openCall,
  passesOver,
  type RunContext,
  type SegmentDependencies,
  type TargetCall,
  timeoutOf,
} from '../execution/index.js'
import { type Method, mapOf, type Value, type Variables, VOID } from '../language/index.js'
import type { RunState, UnitOfWork } from '../run-store/index.js'
import { countOf } from './loop-list.js'
import { type LoopCall, openLoop } from './open-loop.js'
import { mappedMethod } from './run-target.js'

/** A call whose target, a run of its own for each, is given the elements of a variable or, as their input, of its own input. */
export type ElementCall = LoopCall | TargetCall

/** One element of a walk whose target commits on its way, so that each is a run of its own. */
export type ElementOf = {
  principal: Principal
  run: RunContext
  call: ElementCall
  /** The step that walks: the receipts of its elements are below it. */
  node: string
  signal: AbortSignal
}

export type Walk = {
  /** With which it begins. */
  state: RunState
  list: Value
  total: number
  /** How many there are is found out on the way. */
  isOpenEnded?: true
  stopsOnError: boolean
  /** Seconds that the run of each element may take. */
  timeout?: number
  /** Whether elements see nothing of each other's variables. */
  isolate: boolean
  parameters: { [name: string]: PropertyValue }
  /** What an element's run begins with. */
  begin(element: Value, variables: Variables): RunState
  /** What goes on behind the last one. */
  end(outputs: readonly Value[], variables: Variables): RunState
}

const overVariable = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  about: { run: RunContext; call: LoopCall; signal: AbortSignal },
): Promise<Walk> => {
  const { item, params, ...loop } = await openLoop(dependencies, unit, about)
  const { input } = loop.state
  return {
    ...loop,
    ...timeoutOf(about.call.step, params),
    begin: (element, variables) => ({ input, variables: { ...variables, [item]: element } }),
    end: (_outputs, { [item]: _element, ...variables }) => ({ input, variables }),
  }
}

const overInput = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  { run, call, signal }: { run: RunContext; call: TargetCall; signal: AbortSignal },
): Promise<Walk> => {
  const { state, params } = await openCall(dependencies, unit, { run, call, signal })
  const method: Method | undefined = mappedMethod(dependencies, call, state.input)
  return {
    state,
    list: state.input,
    total: method ? (countOf(state.input) ?? 0) : 1,
    stopsOnError: !passesOver(params),
    ...timeoutOf(call.step, params),
    isolate: params.isolate === true,
    parameters: mapOf(params.parameters),
    begin: (element, variables) => ({ input: element, variables }),
    end: (outputs, variables) => ({
      input: method ? collectOutputs(method, outputs) : (outputs[0] ?? state.input),
      variables,
    }),
  }
}

/** Whether what is walked through are the pages of a list, which are read one after the other. */
export const walksPages = (
  { registry }: Pick<SegmentDependencies, 'registry'>,
  { step }: Pick<ElementCall, 'step'>,
): boolean => {
  const callable = registry.find(step.operation)
  return callable?.kind === 'operation' && callable.operation.callsTarget === 'pages'
}

const overPages = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  about: { run: RunContext; call: LoopCall; signal: AbortSignal },
): Promise<Walk> => {
  const { state, params } = await openCall(dependencies, unit, about)
  return {
    state,
    list: VOID,
    total: Number.POSITIVE_INFINITY,
    isOpenEnded: true,
    stopsOnError: true,
    isolate: params.isolate !== false,
    parameters: {},
    begin: (page, variables) => ({ input: page, variables }),
    end: (_outputs, variables) => ({ input: VOID, variables }),
  }
}

/**
 * Evaluates what a walk asks for on the state that it begins with.
 *
 * @throws badRequest for a variable that is no list, or an input that the step does not take.
 */
export const openWalk = (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  { call, ...about }: { run: RunContext; call: ElementCall; signal: AbortSignal },
): Promise<Walk> => {
  if ('keepsOutput' in call) return overInput(dependencies, unit, { ...about, call })
  const over = walksPages(dependencies, call) ? overPages : overVariable
  return over(dependencies, unit, { ...about, call })
}
