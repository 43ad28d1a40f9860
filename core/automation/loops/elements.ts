import { fail } from '../../platform/errors/index.js'
import { leftVariables, once, type SegmentDependencies } from '../execution/index.js'
import {
  KEPT_MESSAGE,
  type LoopFailure,
  type TransientStore,
  type Value,
  type Variables,
} from '../language/index.js'
import {
  enteredState,
  type PackedState,
  packState,
  type RunState,
  type StepKey,
  type UnitOfWork,
  unpackState,
} from '../run-store/index.js'
import { elementsOf } from './loop-list.js'
import { type ElementCall, type ElementOf, openWalk, type Walk, walksPages } from './open-walk.js'
import { enterPage } from './pages.js'

export type EnteredElement = {
  total: number
  stopsOnError: boolean
  /** What its run has made goes on to the next, or behind the last: it is to be left by `leaveElement`. */
  isKept?: true
  /** Seconds that its run may take. Absent: as long as it takes. */
  timeout?: number
  /** The elements before this one are behind the run already, which has been here before. */
  resumesAt?: number
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

const walkKey = ({ run: { key }, node }: ElementOf): StepKey => ({ workflowId: key.workflowId, step: node })

/** A run that begins again goes on at the element that it had come to: those it has passed over stay passed over. */
const resumption = async (
  { receipts }: Pick<UnitOfWork, 'receipts'>,
  about: ElementOf,
  element: number,
): Promise<EnteredElement | undefined> => {
  if (element > 0 || !about.run.key.isRepeated) return undefined
  const walk = await receipts.walk(walkKey(about))
  if (!walk || walk.position === 0) return undefined
  return { total: walk.position, stopsOnError: true, resumesAt: walk.position }
}

/** Notes where a walk stands, in the transaction in which its element is entered. */
const keepPosition = (
  { receipts }: Pick<UnitOfWork, 'receipts'>,
  about: ElementOf,
  { element, total, value }: { element: number; total: number; value?: Value | undefined },
): Promise<void> => {
  const documentId = value?.type === 'document' ? value.id : undefined
  return receipts.walkTo(walkKey(about), { position: element, total, documentId }, about.run.state)
}

const isKept = (call: ElementCall, { isolate }: Walk): boolean => 'keepsOutput' in call || !isolate

type Opened = { entered: EnteredElement; value: Value | undefined }

/** @param keeping what is written with the state of the element. */
const entering = async (
  dependencies: SegmentDependencies,
  { element, ...about }: ElementOf & { element: number },
  keeping: (unit: UnitOfWork, opened: Opened) => Promise<void>,
): Promise<EnteredElement> => {
  const { principal, run, call } = about
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
  const variables = value && (await variablesAt(reading, about, { walk, element }))
  return dependencies.units.transaction(principal, async (unit) => {
    await keeping(unit, { entered, value })
    if (!value || !variables) return entered
    const state = enteredState(walk.begin(value, variables), run.chains[call.target], parameters)
    return { ...entered, state: await packState(unit.transient, state) }
  })
}

/**
 * The state in which one element begins a run of its own; without a state when there is no such element.
 */
export const enterElement = async (
  dependencies: SegmentDependencies,
  { element, ...about }: ElementOf & { element: number },
): Promise<EnteredElement> => {
  const resumed = await resumption(dependencies.units.reading(about.principal), about, element)
  if (resumed) return resumed
  if (walksPages(dependencies, about.call))
    return enterPage(dependencies, {
      ...about,
      element,
      keepPosition: (unit, total) => keepPosition(unit, about, { element, total }),
      walk: (unit) => openWalk(dependencies, unit, about),
      variablesAt: (unit, walk) => variablesAt(unit, about, { walk, element }),
    })
  return entering(dependencies, { ...about, element }, (unit, { entered: { total }, value }) =>
    keepPosition(unit, about, { element, total, value }),
  )
}

/**
 * The same for an element that has failed and is to be done again: where the walk stands is left alone.
 *
 * @throws notFound when the list is not kept any more.
 */
export const enterAgain = async (
  dependencies: SegmentDependencies,
  about: ElementOf & { element: number },
): Promise<EnteredElement & { state: PackedState }> => {
  const { state, ...entered } = await entering(dependencies, about, () => Promise.resolve())
  if (!state) throw fail('notFound', `The element ${about.element} of the list is not kept any more`)
  return { ...entered, state }
}

/** What the run of an element has ended with. */
export type FailedElement = Pick<LoopFailure, 'status' | 'message'>

/** A failure as the list of failed elements has it. */
export const elementFailure = (
  { status, message }: FailedElement,
  { element, value }: { element: number; value: Value | undefined },
): LoopFailure => ({
  position: element,
  status,
  message: message.slice(0, KEPT_MESSAGE),
  ...(value?.type === 'document' && { id: value.id }),
})

/**
 * Keeps what the run of an element has made, exactly once.
 *
 * @param inner the state behind it; absent: it has failed and is passed over, with what came in.
 * @param failure with which it has failed then.
 */
export const leaveElement = async (
  dependencies: SegmentDependencies,
  {
    element,
    inner,
    failure,
    ...about
  }: ElementOf & {
    element: number
    inner?: PackedState | undefined
    failure?: FailedElement | undefined
  },
): Promise<void> => {
  await once(dependencies, { principal: about.principal, key: leftKey(about, element) }, async (unit) => {
    const walk = await openWalk(dependencies, unit, about)
    const variables = await variablesAt(unit, about, { walk, element })
    const value = await elementAt(unit.transient, walk, element)
    const input = value ?? walk.state.input
    if (failure) await unit.receipts.passOver(walkKey(about), elementFailure(failure, { element, value }))
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
