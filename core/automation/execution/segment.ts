import type { Principal } from '../../access/security/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { type ArchivoltError, fail, isArchivoltError } from '../../platform/errors/index.js'
import type { BulkStore } from './bulk/index.js'
import type { ChainDefinition, ChainStep, ErrorChain } from './chain.js'
import { chainParameters, mapOf, parametersValue } from './chain-parameters.js'
import { doneOnce } from './done-once.js'
import type { ChainFailure } from './error-chains.js'
import type { Execution, ExecutorDependencies } from './execution.js'
import { executeCatching, executeErrorChain, resolveStep } from './executor.js'
import { createIncidentLog, type IncidentLog, isKept, passedOver } from './incidents.js'
import { rawParameter } from './plan.js'
import type { StepKey } from './receipts.js'
import type { Callable, Registry } from './registry.js'
import { CHAIN_PARAMETERS } from './scope.js'
import { scriptedOperation, scriptNamesOf } from './scripts/index.js'
import { type PackedState, packState, type RunState, unpackState } from './state.js'
import { throwIfLate } from './time-limit.js'
import type { Lastly, TransactionReach, UnitOfWork, UnitsOfWork } from './unit-of-work.js'
import type { Value, Variables } from './values.js'

export type SegmentDependencies = ExecutorDependencies & { units: UnitsOfWork; registry: Registry }

/** What every piece of a run needs to know of the run. */
export type RunContext = {
  key: StepKey
  state: PackedState
  /** Chains that the run carries. */
  chains: { [id: string]: ChainDefinition }
}

/** A call of a target in a transaction of its own. */
export type TargetCall = {
  /** The step that asks for it; its parameters are evaluated on the given state. */
  step: ChainStep
  target: string
  keepsOutput: boolean
}

/** The chains that a run carries hide those deployed since. */
const finder = (registry: Registry, chains: RunContext['chains']): Registry['find'] => {
  const carried = Object.values(chains)
  if (carried.length === 0) return registry.find
  const found = new Map<string, Callable | undefined>()
  const look = (id: string): Callable | undefined => {
    const bare = id.replace(/^Chain\./, '')
    const chain = Object.hasOwn(chains, bare)
      ? chains[bare]
      : carried.find(({ aliases }) => aliases.includes(id))
    if (chain?.script) return { kind: 'operation', operation: scriptedOperation(chain.script) }
    return chain ? { kind: 'chain', chain } : registry.find(id)
  }
  return (id) => {
    if (!found.has(id)) found.set(id, look(id))
    return found.get(id)
  }
}

const finders = new WeakMap<RunContext['chains'], { registry: Registry; find: Registry['find'] }>()

/** One for all transactions of a piece of a run: what it finds is the same for each element of a loop. */
const finderOf = (registry: Registry, chains: RunContext['chains']): Registry['find'] => {
  const known = finders.get(chains)
  if (known?.registry === registry) return known.find
  const find = finder(registry, chains)
  finders.set(chains, { registry, find })
  return find
}

/** What runs in bulk gives no bulk commands: their number would grow with each of them. */
const withoutCommands = (bulk: BulkStore): BulkStore => ({
  ...bulk,
  submit: async () => {
    throw fail('badRequest', 'A bulk command gives no others')
  },
})

const untold = (): void => undefined

/**
 * @param isBulk for a document of a bulk command.
 * @param tell where incidents are told; absent: nowhere.
 */
export const executionOf = (
  dependencies: Omit<SegmentDependencies, 'units'>,
  unit: TransactionReach,
  {
    chains,
    signal,
    isBulk = false,
    tell = untold,
  }: {
    chains: RunContext['chains']
    signal: AbortSignal
    isBulk?: boolean
    tell?: Execution['tell'] | undefined
  },
): Execution => ({
  expressions: dependencies.expressions,
  scripts: dependencies.scripts,
  services: dependencies.services,
  session: unit.session,
  sessionAs: unit.sessionAs,
  transient: unit.transient,
  sequences: unit.sequences,
  bulk: isBulk ? withoutCommands(unit.bulk) : unit.bulk,
  registry: dependencies.registry,
  find: finderOf(dependencies.registry, chains),
  scriptNames: () => scriptNamesOf(dependencies.registry, Object.values(chains)),
  signal,
  tell,
  attempt: (work) =>
    unit.attempt((inner) => work(executionOf(dependencies, inner, { chains, signal, isBulk, tell }))),
})

/** Keeps what a transaction has told that was rolled back for good. That failure itself is what matters more. */
export const keepIncidents = async (
  { units, services }: Pick<SegmentDependencies, 'units' | 'services'>,
  { principal, key, log, error }: { principal: Principal; key: StepKey; log: IncidentLog; error: unknown },
): Promise<void> => {
  if (!isKept(log, error)) return
  try {
    await units.transaction(principal, ({ incidents }) => incidents.record(key, log.all()))
  } catch (unrecorded) {
    services.log('error', 'What went wrong in a run could not be recorded', {
      ...key,
      error: String(unrecorded),
    })
  }
}

/** Does the work of a segment once (`doneOnce`), with what it tells of incidents in its transaction. */
export const once = async <Result extends object = PackedState>(
  dependencies: SegmentDependencies,
  { principal, key }: { principal: Principal; key: StepKey },
  work: (unit: UnitOfWork, log: IncidentLog, lastly: Lastly) => Promise<Result>,
): Promise<Result> => {
  const log = createIncidentLog()
  const told = (unit: UnitOfWork): Promise<void> | undefined =>
    log.all().length > 0 ? unit.incidents.record(key, log.all()) : undefined
  try {
    return await doneOnce(
      dependencies.units,
      { principal, key },
      {
        work: (unit, lastly) => {
          log.clear()
          return work(unit, log, lastly)
        },
        told,
      },
    )
  } catch (error) {
    await keepIncidents(dependencies, { principal, key, log, error })
    throw error
  }
}

/**
 * Runs the steps between two boundaries in one transaction, exactly once.
 *
 * @param onError the error chains of the chain that the steps belong to.
 * @returns the state behind them, or, with `isCaught`, behind an error chain, with which the chain ends.
 */
export const runSegment = (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    steps,
    onError,
    signal,
  }: {
    principal: Principal
    run: RunContext
    steps: readonly ChainStep[]
    onError?: readonly ErrorChain[] | undefined
    signal: AbortSignal
  },
): Promise<PackedState> =>
  once(dependencies, { principal, key: run.key }, async (unit, log) => {
    const { input, variables } = await unpackState(unit.transient, run.state)
    const execution = executionOf(dependencies, unit, { chains: run.chains, signal, tell: log.tell })
    const { output, isCaught } = await executeCatching(execution, { steps, input, variables, onError })
    if (isCaught) log.endRun()
    throwIfLate(signal)
    const packed = await packState(unit.transient, { input: output, variables })
    return isCaught ? { ...packed, isCaught } : packed
  })

/** Thrown to commit nothing where no error chain holds. */
const noErrorChain = new Error('No error chain holds')

/**
 * Runs, exactly once, the error chain that is to run after a failure which has undone its transaction already, on
 * the state before it: that of a call, a loop or a run of its own.
 *
 * @returns undefined when none holds.
 */
export const catchFailure = async (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    onError,
    failure,
    signal,
  }: {
    principal: Principal
    run: RunContext
    onError: readonly ErrorChain[]
    failure: ChainFailure
    signal: AbortSignal
  },
): Promise<PackedState | undefined> => {
  try {
    return await once(dependencies, { principal, key: run.key }, async (unit, log) => {
      const { input, variables } = await unpackState(unit.transient, run.state)
      const execution = executionOf(dependencies, unit, { chains: run.chains, signal, tell: log.tell })
      const output = await executeErrorChain(execution, { onError, input, variables, failure })
      if (output === undefined) throw noErrorChain
      log.endRun()
      throwIfLate(signal)
      return packState(unit.transient, { input: output, variables })
    })
  } catch (error) {
    if (error === noErrorChain) return undefined
    throw error
  }
}

/** A failure that another attempt would meet again, so that a run may pass over it. */
export const isFinal = (error: unknown): error is ArchivoltError =>
  isArchivoltError(error) && !error.retryable

/** Whether a failure in a transaction of its own is passed over, by the parameters of the step that asks for one. */
export const passesOver = ({ newTx, rollbackGlobalOnError }: { [name: string]: unknown }): boolean =>
  newTx !== false && rollbackGlobalOnError === false

/**
 * The seconds that all transactions of a target may take together: only when its step says so itself, since the default
 * is that of one transaction.
 */
export const timeoutOf = (
  step: ChainStep,
  { newTx, timeout }: { [name: string]: unknown },
): { timeout?: number } =>
  newTx !== false && rawParameter(step, 'timeout') !== undefined && typeof timeout === 'number' && timeout > 0
    ? { timeout }
    : {}

/** The state in which a target begins, and what its caller has to know of the step that asks for it. */
export type EnteredTarget = PackedState & {
  /** It goes on without the target when that fails. */
  passesOver?: true
  timeout?: number
  /** Absent: an older release has entered it. */
  isolate?: boolean
  /** The state behind it: the run, which has been here before, has left it already. */
  left?: PackedState
}

/** The state with which a run comes to a call, and what the step that asks for it says there. */
export const openCall = async (
  dependencies: SegmentDependencies,
  unit: UnitOfWork,
  {
    run,
    call,
    signal,
    tell,
  }: { run: RunContext; call: Pick<TargetCall, 'step'>; signal: AbortSignal; tell?: Execution['tell'] },
): Promise<{ state: RunState; execution: Execution; params: { [name: string]: unknown } }> => {
  const state = await unpackState(unit.transient, run.state)
  const execution = executionOf(dependencies, unit, { chains: run.chains, signal, tell })
  const params = await resolveStep(execution, { step: call.step, ...state })
  return { state, execution, params }
}

/**
 * Prepares the state in which the nodes of a target with boundaries of its own begin: its parameters over
 * the caller's, its declared defaults below them.
 *
 * @param leaving the step by which it is left: what a run that begins again has left is not done again, nor what it
 * has passed over.
 */
export const enterTarget = async (
  dependencies: SegmentDependencies,
  { leaving, ...entering }: EnteringTarget & { leaving?: string | undefined },
): Promise<EnteredTarget> => {
  const entered = await entryOf(dependencies, entering)
  const { principal, run } = entering
  if (!run.key.isRepeated || leaving === undefined) return entered
  const left = await dependencies.units.reading(principal).receipts.find({ ...run.key, step: leaving })
  return left === undefined ? entered : { ...entered, left: left as unknown as PackedState }
}

type EnteringTarget = { principal: Principal; run: RunContext; call: TargetCall; signal: AbortSignal }

const entryOf = (
  dependencies: SegmentDependencies,
  { principal, run, call, signal }: EnteringTarget,
): Promise<EnteredTarget> =>
  once(dependencies, { principal, key: run.key }, async (unit) => {
    const { state, params } = await openCall(dependencies, unit, { run, call, signal })
    const isChainStep = call.step.operation === call.target
    const given = isChainStep ? mapOf(params) : mapOf(params.parameters)
    const entered = await packState(unit.transient, enteredState(state, run.chains[call.target], given))
    if (isChainStep) return { ...entered, isolate: false }
    return {
      ...entered,
      isolate: params.isolate === true,
      ...timeoutOf(call.step, params),
      ...(passesOver(params) && { passesOver: true }),
    }
  })

export const enteredState = (
  { input, variables }: RunState,
  chain: ChainDefinition | undefined,
  given: { [name: string]: PropertyValue },
): RunState => {
  const parameters = { ...chainParameters(variables), ...given }
  const value = parametersValue(chain ?? { params: [] }, parameters)
  return { input, variables: { ...variables, [CHAIN_PARAMETERS]: value } }
}

/** The variables behind a target: its own unless they were isolated, with the caller's own chain parameters again. */
export const leftVariables = (
  outer: Variables,
  inner: Variables,
  { isolate }: { isolate: boolean },
): Variables => {
  const { [CHAIN_PARAMETERS]: _, ...variables } = isolate ? outer : inner
  const parameters = outer[CHAIN_PARAMETERS]
  return { ...variables, ...(parameters && { [CHAIN_PARAMETERS]: parameters }) }
}

/**
 * The state after such a target: its output when the caller keeps it, its variables unless they were
 * isolated, the caller's own chain parameters again.
 *
 * @param failure with which the target has ended, when it is passed over; `inner` is then what came in.
 */
export const leaveTarget = (
  dependencies: SegmentDependencies,
  {
    principal,
    run,
    call,
    inner,
    isolate,
    failure,
  }: {
    principal: Principal
    run: RunContext
    call: TargetCall
    inner: PackedState
    isolate: boolean
    failure?: ChainFailure | undefined
  },
): Promise<PackedState> =>
  once(dependencies, { principal, key: run.key }, async (unit, log) => {
    const outer = await unpackState(unit.transient, run.state)
    if (failure) log.tell(passedOver(call, { input: outer.input, failure }))
    const done = await unpackState(unit.transient, inner)
    const variables = leftVariables(outer.variables, done.variables, { isolate })
    const input: Value = call.keepsOutput ? done.input : outer.input
    return packState(unit.transient, { input, variables })
  })
