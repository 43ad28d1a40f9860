import {
  collectOutputs,
  continuesOnError,
  methodFor,
  openCall,
  type SegmentDependencies,
  timeoutOf,
} from '../../execution/index.js'
import { isMapped, type Method, mapOf, typeOf, type Value } from '../../language/index.js'
import type { UnitOfWork } from '../../run-store/index.js'
import { countOf, readList } from '../items.js'
import type { LoopPlace } from '../place.js'
import type { Source } from './source.js'
/** The method by which a step takes its input when it is called for each element of it. */
export const mappedMethod = (
  { registry }: Pick<SegmentDependencies, 'registry'>,
  { step }: LoopPlace['call'],
  input: Value,
): Method | undefined => {
  const callable = registry.find(step.operation)
  if (callable?.kind !== 'operation') return undefined
  const method = methodFor(callable.operation, input)
  return isMapped(method, typeOf(input)) ? method : undefined
}

/** The elements of the input; one that is no list is the only item. */
export const overInput = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  place: LoopPlace,
): Promise<Source> => {
  const { state, params } = await openCall(dependencies, unit, place)
  const { input } = state
  const method = mappedMethod(dependencies, place.call, input)
  const total = method ? (countOf(input) ?? 0) : 1
  return {
    state,
    total,
    read: async ({ transient }, from, to) =>
      method
        ? readList(transient, input, { from, to, total })
        : { items: from === 0 ? [{ position: 0, value: input }] : [] },
    continueOnError: continuesOnError(params),
    timeout: params.timeout,
    runTimeout: timeoutOf(place.call.step, params),
    isolate: params.isolate === true,
    collects: true,
    parameters: mapOf(params.parameters),
    begin: (value, variables) => ({ input: value, variables: { ...variables } }),
    end: (outputs, variables) => ({
      input: method ? collectOutputs(method, outputs) : (outputs[0] ?? input),
      variables,
    }),
  }
}
