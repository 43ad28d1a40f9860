import type { PropertyValue } from '../documents/index.js'
import { fail } from '../errors/index.js'
import type { Principal } from '../security/index.js'
import type { ChainStep } from './chain.js'
import { executeTarget, resolveStep } from './executor.js'
import type { LoopFailure, StepKey } from './receipts.js'
import {
  enteredState,
  executionOf,
  isFinal,
  mapOf,
  type RunContext,
  type SegmentDependencies,
} from './segment.js'
import { type PackedState, packState, type RunState, unpackState } from './state.js'
import { throwIfStopped } from './time-limit.js'
import { CHUNK_SIZE, type TransientStore } from './transient.js'
import type { UnitOfWork, UnitsOfWork } from './unit-of-work.js'
import { typeOf, type Value, type Variables, valueOfJson } from './values.js'

/** Elements that one activity walks before the workflow hears of it again. */
export const LOOP_PAGE_SIZE = CHUNK_SIZE

export type LoopCall = { step: ChainStep; target: string }

export type LoopReport = {
  /** Elements behind the loop, failed ones included. */
  position: number
  total: number
  failed: number
  failures: readonly LoopFailure[]
}

export type LoopPage = LoopReport & { isDone: boolean; state: PackedState }

type Loop = {
  key: StepKey
  state: RunState
  list: Value
  total: number
  item: string
  isolate: boolean
  stopsOnError: boolean
  parameters: { [name: string]: PropertyValue }
}

/** How many elements a list holds; undefined for anything else. */
export const countOf = (list: Value | undefined): number | undefined => {
  if (list?.type === 'documents') return list.ids.length
  if (list?.type === 'documentList') return list.count
  if (list?.type === 'blobs') return list.blobs.length
  return list?.type === 'json' && Array.isArray(list.value) ? list.value.length : undefined
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

/** Elements of a list from one position to another (exclusive). */
export const elementsOf = async (
  transient: TransientStore,
  list: Value,
  { from, to }: { from: number; to: number },
): Promise<Value[]> => {
  if (list.type === 'documents') return list.ids.slice(from, to).map((id) => ({ type: 'document', id }))
  if (list.type === 'documentList') {
    return (await transient.getList(list.key, from, to)).map((id) => ({ type: 'document', id }))
  }
  if (list.type === 'blobs') return list.blobs.slice(from, to).map((blob) => ({ type: 'blob', blob }))
  if (list.type === 'json' && Array.isArray(list.value)) return list.value.slice(from, to).map(valueOfJson)
  return []
}

/** Evaluates a loop's own parameters on the state it begins with. */
export const openLoop = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  { run, call, signal }: { run: RunContext; call: LoopCall; signal: AbortSignal },
): Promise<Loop> => {
  const state = await unpackState(unit.transient, run.state)
  const execution = executionOf(dependencies, unit, { chains: run.chains, signal })
  const params = await resolveStep(execution, { step: call.step, ...state })
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
    stopsOnError: params.rollbackGlobalOnError !== false,
    parameters: mapOf(params.parameters),
  }
}

export const failureOf = (error: unknown, position: number): LoopFailure | undefined =>
  isFinal(error) ? { position, status: error.status, message: error.message } : undefined

/** Thrown to give up an element that another attempt has done meanwhile. */
export const taken = new Error('This element was done by another attempt')

export type LoopElement = {
  principal: Principal
  run: RunContext
  call: LoopCall
  loop: Loop
  element: Value
  position: number
  signal: AbortSignal
  transaction: UnitsOfWork['transaction']
}

/**
 * Does one element in a transaction of its own.
 *
 * @param claiming takes the element for that transaction; false when another one has it.
 * @returns the variables behind it.
 * @throws `taken`; what the element throws.
 */
export const runElement = async (
  dependencies: SegmentDependencies,
  { principal, run, call, loop, element, signal, transaction }: Omit<LoopElement, 'position'>,
  claiming: (unit: UnitOfWork) => Promise<boolean>,
): Promise<Variables> =>
  transaction(principal, async (unit) => {
    const execution = executionOf(dependencies, unit, { chains: run.chains, signal })
    const variables: Variables = { ...loop.state.variables, [loop.item]: element }
    // The claim is sent first: the database makes every other attempt wait at it until this one has committed
    // or failed. The work follows on the same connection without waiting for the answer, which saves a round
    // trip; what it did for nothing is rolled back.
    const [claim, work] = await Promise.allSettled([
      claiming(unit),
      executeTarget(execution, {
        caller: call.step,
        variables,
        id: call.target,
        input: loop.state.input,
        parameters: loop.parameters,
        isolate: loop.isolate,
      }),
    ])
    if (claim.status === 'rejected') throw claim.reason
    if (!claim.value) throw taken
    if (work.status === 'rejected') throw work.reason
    if (!loop.isolate) {
      const packed = await packState(unit.transient, { input: loop.state.input, variables })
      await unit.receipts.keepLoopVariables(loop.key, packed as unknown as PropertyValue)
    }
    return loop.isolate ? loop.state.variables : variables
  })

/** One element in its own transaction. A failure is recorded and passed over when the loop says so. */
const doElement = async (
  dependencies: SegmentDependencies,
  element: LoopElement,
): Promise<'done' | 'taken'> => {
  const { principal, loop, position, transaction } = element
  try {
    loop.state.variables = await runElement(dependencies, element, ({ receipts }) =>
      receipts.advanceLoop(loop.key, position),
    )
    return 'done'
  } catch (error) {
    if (error === taken) return 'taken'
    const failure = failureOf(error, position)
    if (!failure || loop.stopsOnError) throw error
    dependencies.services.log('warn', 'A loop passed over a failed element', { ...failure, ...loop.key })
    const isMine = await transaction(principal, (unit) =>
      unit.receipts.advanceLoop(loop.key, position, { failure }),
    )
    return isMine ? 'done' : 'taken'
  }
}

/**
 * Walks one page of a loop, a transaction for each element. Whatever attempt, worker or machine walks it,
 * each element is done once: its position is moved in its own transaction, and whoever comes late starts
 * behind what is done.
 *
 * @param report called after every element.
 * @throws badRequest when the variable is no list; what an element throws when the loop stops at errors.
 */
export const runLoopPage = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    call,
    signal,
    report,
  }: {
    principal: Principal
    run: RunContext
    call: LoopCall
    signal: AbortSignal
    report: (progress: { position: number; total: number }) => void
  },
): Promise<LoopPage> => {
  const reading = dependencies.units.reading(principal)
  const loop = await openLoop(dependencies, reading, { run, call, signal })
  const begun = await reading.receipts.loopPosition(loop.key)
  if (begun.variables) {
    loop.state = await unpackState(reading.transient, begun.variables as unknown as PackedState)
  }
  const to = Math.min(loop.total, begun.position + LOOP_PAGE_SIZE)
  const elements = await elementsOf(reading.transient, loop.list, { from: begun.position, to })
  await dependencies.units.series(async (transaction) => {
    for (const [index, element] of elements.entries()) {
      throwIfStopped(signal)
      const position = begun.position + index
      const about = { principal, run, call, loop, element, position, signal, transaction }
      const outcome = await doElement(dependencies, about)
      report({ position: position + 1, total: loop.total })
      if (outcome === 'taken') break
    }
  })
  const { position, failed, failures } = await reading.receipts.loopPosition(loop.key)
  const isDone = position >= loop.total
  const state =
    isDone && !loop.isolate ? await packed(dependencies, principal, loop.state, loop.item) : run.state
  return { position, total: loop.total, failed, failures, isDone, state }
}

/** The state behind a loop that shares its variables: all of them but the element. */
const packed = (
  { units }: SegmentDependencies,
  principal: Principal,
  { input, variables }: RunState,
  item: string,
): Promise<PackedState> =>
  units.transaction(principal, (unit) => {
    const { [item]: _element, ...kept } = variables
    return packState(unit.transient, { input, variables: kept })
  })

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
