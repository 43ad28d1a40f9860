import type { Principal } from '../../../access/security/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import type { ChainStep, ErrorChain, Value } from '../../language/index.js'
import {
  alreadyDone,
  createIncidentLog,
  type IncidentLog,
  type InlineRun,
  type PackedState,
  packState,
  type UnitOfWork,
  unpackState,
} from '../../run-store/index.js'
import type { ChainFailure } from '../error-chains.js'
import { executionOf, type RunContext, type SegmentDependencies } from '../execution-of.js'
import { executeCatching, executeErrorChain } from '../executor.js'
import { throwIfLate } from '../time-limit.js'
import { isRefusal } from './apart.js'
import { executeStep } from './execute-step.js'

type Steps = {
  run: Pick<RunContext, 'state' | 'chains'>
  steps: readonly ChainStep[]
  /** The error chains of the chain that the steps belong to. */
  onError?: readonly ErrorChain[] | undefined
  /** Takes the place of that of the state. */
  input?: Value | undefined
  signal: AbortSignal
}

/** @returns what the steps come to in a transaction, with `isCaught` behind an error chain. */
const runStepsIn = async (
  dependencies: SegmentDependencies,
  { unit, log }: { unit: UnitOfWork; log: IncidentLog },
  { run, steps, onError, input: given, signal }: Steps,
): Promise<{ output: Value; packed: PackedState }> => {
  const { input: known, variables } = await unpackState(unit.transient, run.state)
  const input = given ?? known
  const execution = executionOf(dependencies, unit, { chains: run.chains, signal, report: log.report })
  const { output, isCaught } = await executeCatching(execution, { steps, input, variables, onError })
  if (isCaught) log.endRun()
  throwIfLate(signal)
  const packed = await packState(unit.transient, { input: output, variables })
  return { output, packed: { ...packed, ...(isCaught && { isCaught }) } }
}

/**
 * Runs the steps between two boundaries in one transaction, exactly once.
 *
 * @param endsOnFalse whether false as the last output says that the run is over.
 * @param record the run itself, where nobody else knows of it: written in the same transaction.
 * @returns the state behind them, or, with `isCaught`, behind an error chain, with which the chain ends.
 */
export const runSegment = (
  dependencies: SegmentDependencies,
  {
    principal,
    endsOnFalse = false,
    record,
    ...steps
  }: Steps & {
    principal: Principal
    run: RunContext
    endsOnFalse?: boolean | undefined
    record?: InlineRun | undefined
  },
): Promise<PackedState> =>
  executeStep(dependencies, { principal, key: steps.run.key }, async (unit, log, beforeCommit) => {
    const { output, packed } = await runStepsIn(dependencies, { unit, log }, steps)
    if (record) beforeCommit(() => unit.inlineRuns.complete(record))
    const isEnded = endsOnFalse && isRefusal(output)
    return { ...packed, ...(isEnded && { isEnded }) }
  })

/** Milliseconds after which no other run begins in a transaction of several: it holds what it has changed. */
const TOGETHER_MS = 50

/**
 * Runs of which each is the same segment, one after another in one transaction, while that is short. Each leaves the
 * receipt and the record that it would leave by itself; what a transaction costs, they share.
 *
 * @param record of a run that begins now.
 * @returns how many it has done, the first of them.
 * @throws what one of them throws, or that another attempt has done one before: then none is done.
 */
export const runSegmentsTogether = (
  dependencies: SegmentDependencies,
  {
    principal,
    runs,
    ...steps
  }: Omit<Steps, 'run'> & {
    principal: Principal
    runs: readonly { run: RunContext; record(): InlineRun }[]
  },
): Promise<number> =>
  dependencies.units.transaction(principal, async (unit, beforeCommit) => {
    const begun = performance.now()
    const receipts: { key: RunContext['key']; result: PropertyValue }[] = []
    const records: InlineRun[] = []
    for (const { run, record } of runs) {
      records.push(record())
      const log = createIncidentLog()
      // The transaction may be done again: the state that the run begins with stays as it is.
      const own = { ...run, state: structuredClone(run.state) }
      const { packed } = await runStepsIn(dependencies, { unit, log }, { ...steps, run: own })
      if (log.all().length > 0) await unit.incidents.record(run.key, log.all())
      receipts.push({ key: run.key, result: packed as unknown as PropertyValue })
      if (performance.now() - begun > TOGETHER_MS) break
    }
    if (!(await unit.receipts.recordAll(receipts))) throw alreadyDone
    beforeCommit(() => unit.inlineRuns.completeAll(records))
    return receipts.length
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
    return await executeStep(dependencies, { principal, key: run.key }, async (unit, log) => {
      const { input, variables } = await unpackState(unit.transient, run.state)
      const execution = executionOf(dependencies, unit, { chains: run.chains, signal, report: log.report })
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
