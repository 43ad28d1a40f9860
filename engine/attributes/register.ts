import type { ConnectionLike } from '@temporalio/client'
import {
  ASSIGNEE,
  CHAIN_ID,
  DOCUMENT_ID,
  DUE_DATE,
  ESCALATION,
  EVENT_NAME,
  FAILED_ITEMS,
  NODE,
  PRINCIPAL,
  REQUEST_ID,
  ROUTE_MODEL,
} from './search-attributes.js'

/** `INDEXED_VALUE_TYPE_…` of Temporal's API. */
const INDEXED = { KEYWORD: 2, INT: 3, DATETIME: 6, KEYWORD_LIST: 7 } as const

/** `PERMISSION_DENIED` and `UNIMPLEMENTED` of gRPC: Temporal Cloud leaves its operator service to its own tools. */
const NOT_FOR_CLIENTS: readonly unknown[] = [7, 12]

/** What an operator filters runs by in the Temporal UI. */
const SEARCH_ATTRIBUTES: { readonly [name: string]: keyof typeof INDEXED } = Object.fromEntries(
  [
    ...[CHAIN_ID, PRINCIPAL, DOCUMENT_ID, EVENT_NAME, REQUEST_ID, FAILED_ITEMS],
    ...[ROUTE_MODEL, NODE, ASSIGNEE, ESCALATION, DUE_DATE],
  ].map(({ name, type }) => [name, type]),
)

const isNotForClients = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOT_FOR_CLIENTS.includes(error.code)

type Operator = Pick<ConnectionLike, 'operatorService'>

/** The missing ones; none where nobody may look. */
const missingOnes = async ({ operatorService }: Operator, namespace: string): Promise<string[]> => {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    return Object.keys(SEARCH_ATTRIBUTES).filter((name) => !(name in (customAttributes ?? {})))
  } catch (error) {
    if (isNotForClients(error)) return []
    throw error
  }
}

/**
 * Registers the search attributes that are missing, so that any Temporal server will do.
 *
 * @throws Error naming those that an operator must create, where no client may.
 */
export const ensureSearchAttributes = async (connection: Operator, namespace: string): Promise<void> => {
  const missing = await missingOnes(connection, namespace)
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(
    missing.map((name) => [name, INDEXED[SEARCH_ATTRIBUTES[name]!]]),
  )
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (cause) {
    if (!isNotForClients(cause)) throw cause
    const names = missing.map((name) => `${name} (${SEARCH_ATTRIBUTES[name]})`).join(', ')
    throw new Error(`Create the search attributes ${names} in the namespace ${namespace}`, {
      cause,
    })
  }
}
