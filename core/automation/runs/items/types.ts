import type { NamedFailure } from '../../language/index.js'
import type { RetriedItems } from '../../planning/index.js'
/** As far as the database counts positions. */
export const MAX_POSITION = 2 ** 31 - 1

/** Selects the failed items to retry. */
export type RequestedItems = {
  positions?: readonly number[] | undefined
  /** The node of their loop. Absent: all loops. */
  node?: number | undefined
}

/** An item that failed: its loop, by the index among the run's nodes, and its position there. */
export type FailedItem = NamedFailure & {
  node: number
}

export type ItemsPage = { pageSize: number; cursor?: string | undefined; node?: number | undefined }

export type FailedItemsPage = { entries: readonly FailedItem[]; pageSize: number; nextCursor?: string }

/** Failed items of one loop; without positions all of them. */
export type FailedItems = {
  step: string
  positions?: readonly number[]
}

/** A loop of another run of which a run retries failed items, by its own nodes. */
export type RetriedLoop = { node: number } & RetriedItems
