import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { openCall, passesOver, type RunContext, type SegmentDependencies } from '../execution/index.js'
import { type ChainStep, mapOf, typeOf, type Value } from '../language/index.js'
import type { RunState, StepKey, UnitOfWork } from '../run-store/index.js'
import { countOf } from './loop-list.js'

export type LoopCall = { step: ChainStep; target: string }

export type Loop = {
  key: StepKey
  state: RunState
  list: Value
  total: number
  item: string
  isolate: boolean
  stopsOnError: boolean
  parameters: { [name: string]: PropertyValue }
  /** What its step says, evaluated. */
  params: { [name: string]: unknown }
}

/** How many elements a variable holds; anything that is no list is the chain's mistake. */
const lengthOf = (list: Value | undefined, name: string): number => {
  const count = countOf(list)
  if (count !== undefined) return count
  throw fail(
    'badRequest',
    `list: the variable '${name}' is not a list but ${list ? typeOf(list) : 'missing'}`,
  )
}

/** Evaluates a loop's own parameters on the state it begins with. */
export const openLoop = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  { run, call, signal }: { run: RunContext; call: LoopCall; signal: AbortSignal },
): Promise<Loop> => {
  const { state, params } = await openCall(dependencies, unit, { run, call, signal })
  const name = String(params.list)
  const list = Object.hasOwn(state.variables, name) ? state.variables[name] : undefined
  const total = lengthOf(list, name)
  return {
    key: run.key,
    state,
    list: list as Value,
    total,
    item: String(params.itemName ?? params.item),
    isolate: params.isolate !== false,
    stopsOnError: !passesOver(params),
    parameters: mapOf(params.parameters),
    params,
  }
}
