import type { ConnectionLike } from '@temporalio/client'
import { CHAIN_ID, DOCUMENT_ID, PRINCIPAL, REQUEST_ID } from './search-attributes.js'

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2

/** What an operator filters runs by in the Temporal UI. */
const SEARCH_ATTRIBUTES = [CHAIN_ID, PRINCIPAL, DOCUMENT_ID, REQUEST_ID].map(({ name }) => name)

/** Registers the search attributes that are missing, so that any Temporal server will do. */
export const ensureSearchAttributes = async (
  connection: Pick<ConnectionLike, 'operatorService'>,
  namespace: string,
): Promise<void> => {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in (customAttributes ?? {})))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]))
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}
