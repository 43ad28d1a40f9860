import type { Principal } from '../../access/security/index.js'
import type { FailedItemsPage, ItemsPage, RequestedItems } from './items/types.js'
import type { ListPage, RunPage } from './list/types.js'
import type { RunReport, RunSummary } from './report/types.js'
import type { RunExecution, RunStatus } from './run.js'

/** Filters of runs; all of them must match. */
export type RunSearch = {
  chainId?: string | undefined
  execution?: RunExecution | undefined
  state?: RunStatus | undefined
  /** Name of the user for whom they act. */
  user?: string | undefined
  /** Id or path of their input document. */
  document?: string | undefined
  /** Name of the event that started them. */
  event?: string | undefined
  /** Started at or after this. */
  from?: Date | undefined
  /** Started before this. */
  to?: Date | undefined
}

/** The caller and the options of a retry. */
export type RetryCall = {
  principal: Principal
  requestId: string
  signal: AbortSignal
  /** Whether the call came over HTTPS, which some chains require. */
  isSecure: boolean
  /** `current`: with the chain as deployed now. Absent: with the original one. */
  definition?: 'original' | 'current' | undefined
}

/** A retried run. `isOutdated`: its chain, or what this calls, was deployed again since it began. */
export type RetriedRun = RunReport & { isOutdated?: true }

/**
 * The runs of one repository, whatever executes them: workflows, calls of inline chains, bulk commands.
 *
 * A run that is unknown or belongs to another user is not found.
 */
export type Runs = {
  /** @throws forbidden for the runs of another user, badRequest for an invalid cursor. */
  list(search: RunSearch, principal: Principal, page: ListPage): Promise<RunPage<RunSummary>>
  /** Failed items have the paths of their documents, as far as the principal may browse those. */
  report(runId: string, principal: Principal): Promise<RunReport>
  /**
   * The failed items of its loops that were not retried successfully since, with the paths of their documents.
   *
   * @throws badRequest for an invalid cursor.
   */
  items(runId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
  /** @throws conflict for a run that has ended. */
  cancel(runId: string, principal: Principal): Promise<void>
  /**
   * Retries a run that has failed or was cancelled from where it stopped.
   *
   * @throws conflict for one that has not, or that must keep its definition; forbidden for a chain that the caller may
   * not call any more.
   */
  retry(runId: string, call: RetryCall): Promise<RetriedRun>
  /**
   * Starts a run that retries failed items of an ended one, or all of them.
   *
   * @returns the new run.
   * @throws conflict for a running one, notFound when there is no such failed item.
   */
  retryItems(runId: string, call: RetryCall, requested: RequestedItems): Promise<RetriedRun>
}

/** A run, as its execution implements it. */
export type FoundRun = {
  report(): Promise<RunReport>
  items(page: ItemsPage): Promise<FailedItemsPage>
  retry(call: RetryCall): Promise<RetriedRun>
  retryItems(call: RetryCall, requested: RequestedItems): Promise<RetriedRun>
}
