import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD)

export const CHAIN_ID = keyword('ChainId')
export const PRINCIPAL = keyword('Principal')
export const DOCUMENT_ID = keyword('DocumentId')
export const REQUEST_ID = keyword('RequestId')

/** What an operator filters runs by in the Temporal UI. */
const SEARCH_ATTRIBUTES = [CHAIN_ID, PRINCIPAL, DOCUMENT_ID, REQUEST_ID].map(({ name }) => name)

/** What a run is found by; absent is what it does not have, or nobody looks for. */
export const runAttributes = ({
  chainId,
  principal,
  requestId,
  documentId,
}: {
  chainId: string
  principal: string
  requestId?: string
  documentId?: string | undefined
}): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: CHAIN_ID, value: chainId },
    { key: PRINCIPAL, value: principal },
    ...(requestId === undefined ? [] : [{ key: REQUEST_ID, value: requestId }]),
    ...(documentId === undefined ? [] : [{ key: DOCUMENT_ID, value: documentId }]),
  ])

/** Registers the search attributes that are missing, so that any Temporal server will do. */
export const ensureSearchAttributes = async (
  connection: NativeConnection,
  namespace: string,
): Promise<void> => {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in (customAttributes ?? {})))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]))
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}
