import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { HttpClient } from '../../platform/http/index.js'
import { CLOUD_EVENT, type CloudEvent } from './cloud-event.js'
import type { Webhook } from './webhooks-point.js'

/** One event for one webhook. */
export type Delivery = {
  /** The same for all its attempts, by which receivers recognise a repetition. */
  id: string
  event: CloudEvent
}

/** A server that wants no more of it. */
const GONE = 410

/**
 * Headers of Standard Webhooks: the signature is HMAC-SHA256 of id, time and body.
 *
 * @param now when it is sent, which keeps others from sending it again later.
 */
export const deliveryHeaders = (
  { id, body, secret }: { id: string; body: string; secret: string | undefined },
  now: Date,
): { [name: string]: string } => {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const hmac = secret && createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': `${CLOUD_EVENT}; charset=UTF-8`,
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(hmac && { 'webhook-signature': `v1,${hmac}` }),
  }
}

/** What keeps a server from answering passes, unlike an address that may not be reached. */
const passing = (error: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted) return fail('timeout', 'The server does not answer in time', { cause: error })
  const isPassing = isArchivoltError(error) && error.code === 'operationFailed'
  return isPassing ? fail('unavailable', error.message, { cause: error }) : error
}

/**
 * Posts an event to its webhook, once.
 *
 * @throws unavailable or timeout where the server does not accept it; gone where it wants no more; badRequest where it
 *   may not be reached.
 */
export const deliver = async (
  http: HttpClient,
  webhook: Pick<Webhook, 'url' | 'secret'>,
  { id, event, signal }: Delivery & { signal: AbortSignal },
): Promise<{ status: number }> => {
  const body = JSON.stringify(event)
  const request = {
    method: 'POST',
    url: webhook.url,
    headers: deliveryHeaders({ id, body, secret: webhook.secret }, new Date()),
    body: async () => Readable.from([Buffer.from(body)]),
    maxRedirections: 0,
    signal,
  }
  const status = await http(request, async (answer) => answer.status).catch((error: unknown) => {
    throw passing(error, signal)
  })
  if (status >= 200 && status < 300) return { status }
  const code = status === GONE ? 'gone' : 'unavailable'
  throw fail(code, `${new URL(webhook.url).host} answers with status ${status}`)
}
