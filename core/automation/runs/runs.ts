import type { Principal } from '../../access/security/index.js'
import type { FailedItemsPage, ItemsPage, RequestedItems } from './items/types.js'
import type { ListPage, RunPage } from './list/types.js'
import type { RunReport, RunSummary } from './report/types.js'
import type { RunExecution, RunStatus } from './run.js'

/** What runs are looked for by; all that is given must hold. */
export type RunSearch = {
  chainId?: string | undefined
  execution?: RunExecution | undefined
  state?: RunStatus | undefined
  /** Name of the user for whom they act. */
  user?: string | undefined
  /** Id or path of the document that they were called on. */
  document?: string | undefined
  /** Started at or after this. */
  from?: Date | undefined
  /** Started before this. */
  to?: Date | undefined
}

/** Who asks for a retry, and how. */
export type RetryCall = {
  principal: Principal
  requestId: string
  signal: AbortSignal
  /** Whether the call came over HTTPS, which some chains require. */
  isSecure: boolean
  /** `current`: with the chain as it is deployed now. Absent: as it was. */
  definition?: 'original' | 'current' | undefined
}

/** A run that goes on. `isOutdated`: its chain, or what this calls, was deployed again since it began. */
export type RetriedRun = RunReport & { isOutdated?: true }

/**
 * The runs of one repository, whatever executes them: workflows, calls of inline chains, bulk commands.
 *
 * A run that is unknown, or somebody else's, is not found.
 */
export type Runs = {
  /** @throws forbidden for the runs of another user, badRequest for a cursor that no page has given. */
  list(search: RunSearch, principal: Principal, page: ListPage): Promise<RunPage<RunSummary>>
  /** Failed items have the paths of their documents, as far as the principal may browse those. */
  report(runId: string, principal: Principal): Promise<RunReport>
  /**
   * The items of its loops that have failed and were not done since, with the paths of their documents.
   *
   * @throws badRequest for a cursor that no page has given.
   */
  items(runId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
  /** @throws conflict for a run that has ended. */
  cancel(runId: string, principal: Principal): Promise<void>
  /**
   * Starts a run that has failed, or was cancelled, again where it stood.
   *
   * @throws conflict for one that has not, or that must keep its definition; forbidden for a chain that the caller may
   * not call any more.
   */
  retry(runId: string, call: RetryCall): Promise<RetriedRun>
  /**
   * Starts a run that retries failed items of an ended one, or all of them.
   *
   * @returns the new run.
   * @throws conflict for a run that goes on, notFound when there is no such failed item.
   */
  retryItems(runId: string, call: RetryCall, requested: RequestedItems): Promise<RetriedRun>
}

/** A run that was found, by what executes it. */
export type FoundRun = {
  report(): Promise<RunReport>
  items(page: ItemsPage): Promise<FailedItemsPage>
  retry(call: RetryCall): Promise<RetriedRun>
  retryItems(call: RetryCall, requested: RequestedItems): Promise<RetriedRun>
}
