import { fail } from '../../../platform/errors/index.js'
import {
  type ChainDefinition,
  type Registry,
  runFailureOf,
  startVariables,
  type Value,
} from '../../language/index.js'
import { committingSteps, titleOf } from '../../planning/index.js'
import type { InlineRequest, InlineRun } from '../../run-store/index.js'
import type { SegmentDependencies } from '../execution-of.js'
import { type CallContext, type OperationCall, outdated, runInProcess } from './run-operation.js'

export type InlineCall = CallContext & {
  chain: ChainDefinition
  call: Omit<OperationCall, 'operation'>
  run: Pick<InlineRun, 'runId' | 'requestId' | 'documentId'>
  /** What the run is asked, written down when it fails. */
  request(): InlineRequest
}

/** Chains of a registry that are known to be one transaction: neither of the two ever changes. */
const checked = new WeakMap<Registry, WeakSet<ChainDefinition>>()

/** A target that was deployed with boundaries by way of a file of the configuration would be found here. */
const requireOneTransaction = (chain: ChainDefinition, registry: Registry): void => {
  const known = checked.get(registry) ?? new WeakSet()
  if (known.has(chain)) return
  const [position] = committingSteps(chain, registry)
  if (position !== undefined) {
    const step = `operations[${position}] (${chain.steps[position]?.operation})`
    throw fail('invalid', `The inline chain ${chain.id} commits at ${step}`)
  }
  checked.set(registry, known.add(chain))
}

/** A key that means another call is that call's mistake, and no outcome of the run that has the key. */
const isRunsOwn = async ({ units }: SegmentDependencies, { principal, key }: InlineCall): Promise<boolean> =>
  key === undefined || (await units.reading(principal).receipts.find(key)) === undefined

const recordFailure = async (
  dependencies: SegmentDependencies,
  inline: InlineCall,
  { run, error }: { run: InlineRun; error: unknown },
): Promise<void> => {
  const { units, services } = dependencies
  try {
    if (!(await isRunsOwn(dependencies, inline))) return
    const failure = runFailureOf(error)
    await units.transaction(inline.principal, ({ inlineRuns }) =>
      inlineRuns.fail(run, failure, inline.request()),
    )
  } catch (unrecorded) {
    // The caller gets the failure itself, which matters more than its record.
    services.log('error', 'A failed inline run could not be recorded', {
      runId: run.runId,
      error: String(unrecorded),
    })
  }
}

/**
 * Runs an inline chain in one transaction of this process, and records the run: a completed one in that
 * transaction, a failed one after its rollback.
 *
 * @throws invalid when the chain commits on its way; what a step throws; conflict when the key was used for another
 * call; badRequest for a required parameter that is missing, which is no run; `outdated`, which is none either.
 */
export const runInline = async (dependencies: SegmentDependencies, inline: InlineCall): Promise<Value> => {
  const { chain, call, principal } = inline
  const { runEnded } = dependencies.services
  requireOneTransaction(chain, dependencies.registry)
  const variables = startVariables(chain, call)
  const run: InlineRun = {
    ...inline.run,
    chainId: chain.id,
    principal: principal.name,
    title: titleOf(chain.steps),
    startedAt: new Date(),
  }
  try {
    const result = await runInProcess(dependencies, inline, {
      steps: chain.steps,
      onError: chain.onError,
      state: { input: call.input, variables },
      committing: ({ inlineRuns }) => inlineRuns.complete(run),
      run: { workflowId: run.runId, step: 'inline' },
    })
    runEnded({ type: 'inline', chain: chain.id, outcome: 'completed' })
    return result
  } catch (error) {
    if (error === outdated) throw error
    runEnded({ type: 'inline', chain: chain.id, outcome: 'failed' })
    await recordFailure(dependencies, inline, { run, error })
    throw error
  }
}
