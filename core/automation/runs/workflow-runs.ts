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
 * What takes a principal throws notFound for a run that is unknown or somebody else's.
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
  /** The description with how far the run is, as far as a worker is there to answer. */
  report(workflowId: string, principal: Principal): Promise<RunReport>
  /** Runs that somebody has asked for, whoever that is: parts of theirs are found by way of them. */
  list(half: ListedHalf): Promise<RunDescription[]>
  /** Failed items of a run's loops, in order. */
  items(workflowId: string, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
  /** @throws notFound for a run that has ended, too. */
  cancel(workflowId: string, principal: Principal): Promise<void>
  /** Whether its chain, or something that this calls, was deployed again since it began; as far as that is known. */
  isOutdated(workflowId: string, principal: Principal, registry: Registry): Promise<boolean>
  /**
   * Starts a run that has failed, or was cancelled, again where it stood.
   *
   * @param latest goes on with the chain as it is deployed now. Absent: as it was.
   * @returns its id.
   * @throws conflict for one that has neither failed nor was cancelled, or that does not fit the latest chain.
   */
  retry(workflowId: string, principal: Principal, latest?: Registry): Promise<string>
  /**
   * Starts a run that retries failed items of an ended one: those at the given positions of its loops, or all.
   *
   * @returns the id of the new run.
   * @throws conflict for a run that goes on, notFound when there is no such failed item.
   */
  retryItems(
    workflowId: string,
    principal: Principal,
    requested: RequestedItems,
    latest?: Registry,
  ): Promise<string>
}
