import type { Principal } from '../../core/access/security/index.js'
import type { ListedConversion } from '../../core/automation/runs/index.js'
import { DOCUMENT_ID } from '../attributes/index.js'
import { readable, type Temporal } from '../client/index.js'
import { conversionsQuery } from '../list/index.js'
import { conversionIdOf } from './ids.js'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const listBy = async (
  { client, taskQueue }: Temporal,
  { name }: Principal,
  limit: number,
): Promise<ListedConversion[]> => {
  const found: ListedConversion[] = []
  const query = conversionsQuery(name, taskQueue)
  for await (const info of client.workflow.list({ query, pageSize: limit })) {
    const { workflowId, memo, status, typedSearchAttributes, startTime, closeTime } = info
    const [file, target] = [textOf(memo?.file), textOf(memo?.target)]
    const documentId = typedSearchAttributes.get(DOCUMENT_ID)
    found.push({
      id: conversionIdOf(workflowId),
      state: status.name,
      ...(file !== undefined && { file }),
      ...(target !== undefined && { target }),
      ...(documentId !== undefined && { documentId }),
      startedAt: startTime,
      closedAt: closeTime,
    })
    if (found.length >= limit) break
  }
  return found
}

/** Conversions by Temporal's visibility, which lags some milliseconds behind and forgets those that have expired. */
export const listConversions = (
  { client, taskQueue }: Temporal,
  principal: Principal,
  limit: number,
): Promise<ListedConversion[]> =>
  readable(client, (reading) => listBy({ client: reading, taskQueue }, principal, limit))
