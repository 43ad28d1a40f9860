import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { EndedInlineRun, InlineRequest } from '../../run-store/index.js'
import { requireVisible } from '../access.js'
import type { RunsDependencies } from '../dependencies.js'
import { mayBeInline } from '../ids/called.js'
import { pageOfItems } from '../items/page.js'
import type { RunReport } from '../report/types.js'
import { requireCallable } from '../retry/callable.js'
import type { FoundRun, RetryCall } from '../runs.js'
import { retryInline } from './call.js'
import { inlineReport } from './report.js'

type Recorded = EndedInlineRun & { request?: InlineRequest }

const find = async (
  { units }: RunsDependencies,
  runId: string,
  principal: Principal,
): Promise<Recorded | undefined> => {
  if (!mayBeInline(runId)) return undefined
  const run = await units.reading(principal).inlineRuns.find(runId)
  if (run) requireVisible({ id: runId, owner: run.principal }, principal)
  return run
}

const retry = async (
  dependencies: RunsDependencies,
  run: Recorded,
  { signal, requestId, ...call }: RetryCall,
): Promise<RunReport> => {
  const { units, current, principal } = dependencies
  await requireCallable(dependencies, { signal, requestId, ...call }, run.chainId)
  const { registry, segments } = await current()
  const owner = await principal(run.principal)
  if (!owner) throw fail('conflict', `User ${run.principal} does not exist or is disabled`)
  await retryInline(segments, { principal: owner, requestId, signal, run, registry })
  const retried = (await find(dependencies, run.runId, call.principal)) ?? run
  return inlineReport(units.reading(call.principal), retried)
}

/** The run of an inline chain: one transaction, which has no items. @throws notFound for that of another user. */
export const findInlineRun = async (
  dependencies: RunsDependencies,
  runId: string,
  principal: Principal,
): Promise<FoundRun | undefined> => {
  const run = await find(dependencies, runId, principal)
  return (
    run && {
      report: () => inlineReport(dependencies.units.reading(principal), run),
      items: (page) => pageOfItems([], page),
      retry: (call) => retry(dependencies, run, call),
      retryItems: async () => {
        throw fail('notFound', `The run ${runId} has no such failed items: it is one transaction`)
      },
    }
  )
}
