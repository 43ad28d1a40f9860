import { continuesOnError, openCall, type SegmentDependencies, timeoutOf } from '../../execution/index.js'
import { mapOf, noList, type Value } from '../../language/index.js'
import type { UnitOfWork } from '../../run-store/index.js'
import { countOf, readList } from '../items.js'
import type { LoopPlace } from '../place.js'
import type { Source } from './source.js'

/** How many items a variable holds; anything that is no list is the chain's mistake. */
const lengthOf = (list: Value | undefined, name: string): number => {
  const count = countOf(list)
  if (count !== undefined) return count
  throw noList(name, list)
}

/** The list in a variable: each item is in a variable of its own, and the input is the same each time. */
export const overList = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  place: LoopPlace,
): Promise<Source> => {
  const { state, params } = await openCall(dependencies, unit, place)
  const { input, variables } = state
  const name = String(params.list)
  const list = Object.hasOwn(variables, name) ? variables[name] : undefined
  const total = lengthOf(list, name)
  const item = String(params.itemName ?? params.item)
  return {
    state,
    total,
    read: async ({ transient }, from, to) => readList(transient, list as Value, { from, to, total }),
    continueOnError: continuesOnError(params),
    timeout: params.timeout,
    runTimeout: timeoutOf(place.call.step, params),
    isolate: params.isolate !== false,
    collects: false,
    parameters: mapOf(params.parameters),
    begin: (value, handedOn) => ({ input, variables: { ...handedOn, [item]: value } }),
    end: (_outputs, { [item]: _item, ...kept }) => ({ input, variables: kept }),
  }
}
