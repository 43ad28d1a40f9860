import { elementsOf } from './loop-list.js'
import { type ElementCall, type ElementOf, openWalk, type Walk, walksPages } from './open-walk.js'
import { enterPage } from './pages.js'
import type { StepKey } from './receipts.js'
import { enteredState, leftVariables, once, type SegmentDependencies } from './segment.js'
import { type PackedState, packState, type RunState, unpackState } from './state.js'
import type { TransientStore } from './transient.js'
import type { UnitOfWork } from './unit-of-work.js'
import type { Value, Variables } from './values.js'

export type EnteredElement = {
  total: number
  stopsOnError: boolean
  /** What its run has made goes on to the next, or behind the last: it is to be left by `leaveElement`. */
  isKept?: true
  /** Seconds that its run may take. Absent: as long as it takes. */
  timeout?: number
  /** Absent: there is no such element. */
  state?: PackedState
}

const leftKey = ({ run: { key }, node }: ElementOf, element: number): StepKey => ({
  workflowId: key.workflowId,
  step: `${node}/${element}/leave`,
})

const left = async (
  { receipts, transient }: UnitOfWork,
  about: ElementOf,
  element: number,
): Promise<RunState | undefined> => {
  const packed = await receipts.find(leftKey(about, element))
  return packed === undefined ? undefined : unpackState(transient, packed as unknown as PackedState)
}

/** The variables that an element begins with: the caller's, or as the one before has left them. */
const variablesAt = async (
  unit: UnitOfWork,
  about: ElementOf,
  { walk, element }: { walk: Walk; element: number },
): Promise<Variables> => {
  const before = element > 0 ? await left(unit, about, element - 1) : undefined
  return before?.variables ?? walk.state.variables
}

/** An input that is no list is the only element. */
const elementAt = async (
  transient: TransientStore,
  { list, total }: Walk,
  element: number,
): Promise<Value | undefined> => {
  if (element >= total) return undefined
  const [value] = await elementsOf(transient, list, { from: element, to: element + 1 })
  return value ?? (total === 1 ? list : undefined)
}

const isKept = (call: ElementCall, { isolate }: Walk): boolean => 'keepsOutput' in call || !isolate

/**
 * The state in which one element begins a run of its own; without a state when there is no such element.
 */
export const enterElement = async (
  dependencies: SegmentDependencies,
  { element, ...about }: ElementOf & { element: number },
): Promise<EnteredElement> => {
  const { principal, run, call } = about
  if (walksPages(dependencies, call))
    return enterPage(dependencies, {
      ...about,
      element,
      walk: (unit) => openWalk(dependencies, unit, about),
      variablesAt: (unit, walk) => variablesAt(unit, about, { walk, element }),
    })
  const reading = dependencies.units.reading(principal)
  const walk = await openWalk(dependencies, reading, about)
  const { total, stopsOnError, timeout, parameters } = walk
  const entered: EnteredElement = {
    total,
    stopsOnError,
    ...(timeout !== undefined && { timeout }),
    ...(isKept(call, walk) && { isKept: true }),
  }
  const value = await elementAt(reading.transient, walk, element)
  if (!value) return entered
  const variables = await variablesAt(reading, about, { walk, element })
  const state = enteredState(walk.begin(value, variables), run.chains[call.target], parameters)
  return {
    ...entered,
    state: await dependencies.units.transaction(principal, (unit) => packState(unit.transient, state)),
  }
}

/**
 * Keeps what the run of an element has made, exactly once.
 *
 * @param inner the state behind it; absent: it has failed and is passed over, with what came in.
 */
export const leaveElement = async (
  dependencies: SegmentDependencies,
  { element, inner, ...about }: ElementOf & { element: number; inner?: PackedState | undefined },
): Promise<void> => {
  await once(dependencies, { principal: about.principal, key: leftKey(about, element) }, async (unit) => {
    const walk = await openWalk(dependencies, unit, about)
    const variables = await variablesAt(unit, about, { walk, element })
    const input = (await elementAt(unit.transient, walk, element)) ?? walk.state.input
    if (!inner) return packState(unit.transient, { input, variables })
    const done = await unpackState(unit.transient, inner)
    return packState(unit.transient, {
      input: done.input,
      variables: leftVariables(variables, done.variables, { isolate: walk.isolate }),
    })
  })
}

/** The state behind the last element, exactly once. */
export const collectElements = (dependencies: SegmentDependencies, about: ElementOf): Promise<PackedState> =>
  once(dependencies, { principal: about.principal, key: about.run.key }, async (unit) => {
    const walk = await openWalk(dependencies, unit, about)
    const outputs: Value[] = []
    let { variables } = walk.state
    for (let element = 0; element < walk.total; element++) {
      const done = await left(unit, about, element)
      if (!done && walk.isOpenEnded) break
      if (!done) continue
      outputs.push(done.input)
      variables = done.variables
    }
    return packState(unit.transient, walk.end(outputs, variables))
  })
