import type { Principal } from '../../access/security/index.js'
import type { Registry } from '../language/index.js'
import type { RunOrder } from '../planning/index.js'
import type { RunState } from '../run-store/index.js'
import type { FailedItemsPage, ItemsPage, RequestedItems } from './items/types.js'
import type { ListedHalf } from './list/types.js'
import type { RunReport } from './report/types.js'
import type { RunDescription } from './run.js'

/** A chain that a caller starts. */
export type NewRun = RunOrder & {
  /** The same key of the same caller means the same run. */
  idempotencyKey?: string | undefined
  /** Called when the run is that of an earlier call with the key. */
  onEarlier?: () => void
}

/**
 * Runs that the engine executes, of one repository: chains, and the workflows of bulk commands.
 *
 * Methods with a principal throw notFound for a run that is unknown or belongs to another user.
 */
export type WorkflowRuns = {
  /**
   * Starts a run, or finds the one that an earlier call of the same caller started with the same key.
   *
   * @returns its id.
   * @throws conflict for a key that was used for another request, tooManyRequests, and what `planRun` throws.
   */
  start(run: NewRun): Promise<string>
  /** Waits for a run's end. @throws what the run failed with, with the status that it maps to. */
  result(workflowId: string, principal: Principal): Promise<RunState>
  find(workflowId: string, principal: Principal): Promise<RunDescription>
  /** The description with the progress of the run, which is absent when no worker responds. */
  report(workflowId: string, principal: Principal): Promise<RunReport>
  /** Runs without a parent, of any user: child runs are found through their parents. */
  list(half: ListedHalf): Promise<RunDescription[]>
  /** Failed items of a run's loops, in order. */
  items(workflowId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
  /** @throws notFound for a run that has ended, too. */
  cancel(workflowId: string, principal: Principal): Promise<void>
  /** Whether its chain, or something that this calls, was deployed again since it began; as far as that is known. */
  isOutdated(workflowId: string, principal: Principal, registry: Registry): Promise<boolean>
  /**
   * Retries a run that has failed or was cancelled from where it stopped.
   *
   * @param latest the registry with the chain as deployed now. Absent: the original definition.
   * @returns its id.
   * @throws conflict for one that has neither failed nor was cancelled, or that does not fit the latest chain.
   */
  retry(workflowId: string, principal: Principal, latest?: Registry): Promise<string>
  /**
   * Starts a run that retries failed items of an ended one: those at some positions of its loops, or all.
   *
   * @returns the id of the new run.
   * @throws conflict for a running one, notFound when there is no such failed item.
   */
  retryItems(
    workflowId: string,
    principal: Principal,
    requested: RequestedItems,
    latest?: Registry,
  ): Promise<string>
}
