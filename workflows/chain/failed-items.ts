import { defineSearchAttributeKey, type TypedSearchAttributes } from '@temporalio/common'
import { patched, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'

const FAILED_ITEMS = defineSearchAttributeKey('FailedItems', 'INT')

/** Lets operators find a run by the number of its failed items. A run without any leaves nothing in its history. */
export const showFailedItems = (failed: number): void => {
  const shown = workflowInfo().typedSearchAttributes.get(FAILED_ITEMS) ?? 0
  if (failed !== shown && patched('failed-items'))
    upsertSearchAttributes([{ key: FAILED_ITEMS, value: failed }])
}

/** What a run below this one is found by: its failed items are its own. */
export const attributesBelow = (): TypedSearchAttributes =>
  workflowInfo().typedSearchAttributes.updateCopy([{ key: FAILED_ITEMS, value: null }])
