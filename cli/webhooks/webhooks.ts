import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'
import { showTable } from '../terminal/index.js'
import { type DeliveryEntity, deliveriesEntity, redeliveryEntity, webhooksEntity } from './entities.js'

export type DeliveriesOptions = {
  webhook?: string
  state?: string
  event?: string
  limit: string
  json?: boolean
}

/** Lists the webhooks that are deployed. */
export const listWebhooks = async (
  { server, terminal }: Watch,
  options: { json?: boolean },
): Promise<ExitCode> => {
  const { entries } = await server.read(webhooksEntity, '/webhooks')
  const rows = entries.map(({ id, url, events, isSigned }) => [
    id,
    url,
    events.join(', ') || 'all events',
    isSigned ? 'signed' : 'not signed',
  ])
  if (options.json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows, none: 'No webhook is deployed' })
  return EXIT.ok
}

/** How it stands with the attempts of a delivery that runs, and why the last one failed. */
const outcomeOf = ({ failure = '', attempts, nextAttemptAt }: DeliveryEntity): string =>
  nextAttemptAt === undefined ? failure : `attempt ${attempts}: ${failure}; next ${nextAttemptAt}`

const rowOf = (delivery: DeliveryEntity): string[] => {
  const { id, webhook, event, documentId, state, startedAt } = delivery
  return [id, webhook, event, documentId ?? '-', state.toLowerCase(), startedAt, outcomeOf(delivery)]
}

/** Lists deliveries, those that began last first. */
export const listDeliveries = async (
  { server, terminal }: Watch,
  { limit, json, ...filter }: DeliveriesOptions,
): Promise<ExitCode> => {
  const query = new URLSearchParams({ ...filter, pageSize: limit })
  const { entries } = await server.read(deliveriesEntity, `/webhooks/deliveries?${query}`)
  if (json) terminal.out(JSON.stringify(entries))
  else showTable(terminal, { rows: entries.map(rowOf), none: 'There is no such delivery' })
  return EXIT.ok
}

/** Delivers again: one delivery, or all that was given up for a webhook. */
export const redeliver = async (
  { server, terminal }: Watch,
  id: string,
  { all = false }: { all?: boolean },
): Promise<ExitCode> => {
  const place = `${all ? '' : 'deliveries/'}${encodeURIComponent(id)}`
  const { ids } = await server.read(redeliveryEntity, `/webhooks/${place}/redeliver`, { method: 'POST' })
  for (const each of ids) terminal.out(each)
  if (ids.length === 0) terminal.error('Nothing was given up')
  return EXIT.ok
}
