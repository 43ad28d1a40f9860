import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD)

export const CHAIN_ID = keyword('ChainId')
export const PRINCIPAL = keyword('Principal')
export const DOCUMENT_ID = keyword('DocumentId')
export const REQUEST_ID = keyword('RequestId')

/** Of a run that an event has started. */
export const EVENT_NAME = keyword('EventName')
/**
 * Of routes: their model; the nodes at which they wait, who has their tasks, when the first is due, and which rules
 * have escalated.
 */
export const ROUTE_MODEL = keyword('RouteModel')
export const NODE = defineSearchAttributeKey('Node', SearchAttributeType.KEYWORD_LIST)
export const ASSIGNEE = defineSearchAttributeKey('Assignee', SearchAttributeType.KEYWORD_LIST)
export const ESCALATION = defineSearchAttributeKey('Escalation', SearchAttributeType.KEYWORD_LIST)
export const DUE_DATE = defineSearchAttributeKey('DueDate', SearchAttributeType.DATETIME)

/** Absent: none. Runs set it themselves. */
export const FAILED_ITEMS = defineSearchAttributeKey('FailedItems', SearchAttributeType.INT)

/** What a run is found by that begins where another has ended: its failed items are its own. */
export const attributesAfter = (earlier: TypedSearchAttributes): TypedSearchAttributes =>
  earlier.updateCopy([{ key: FAILED_ITEMS, value: null }])

/** Temporal refuses longer texts in an index. */
const MAX_INDEXED = 255

/** What a run is found by; absent is what it does not have, or nobody looks for. */
export const runAttributes = ({
  chainId,
  principal,
  requestId,
  documentId,
  event,
}: {
  chainId: string
  principal: string
  requestId?: string
  documentId?: string | undefined
  event?: string | undefined
}): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: CHAIN_ID, value: chainId },
    { key: PRINCIPAL, value: principal },
    ...(requestId === undefined ? [] : [{ key: REQUEST_ID, value: requestId }]),
    ...(documentId === undefined ? [] : [{ key: DOCUMENT_ID, value: documentId.slice(0, MAX_INDEXED) }]),
    ...(event === undefined ? [] : [{ key: EVENT_NAME, value: event.slice(0, MAX_INDEXED) }]),
  ])
