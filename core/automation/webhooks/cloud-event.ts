import type { CoreEvent, JsonValue } from '../../platform/events/index.js'
import { shortened } from '../../platform/limits/index.js'

/** An event of an outbox. */
export type HappenedEvent = CoreEvent & { id: number; principal: string; createdAt: Date }

/** An event as others receive it: CloudEvents 1.0, structured JSON. */
export type CloudEvent = {
  specversion: '1.0'
  id: string
  source: string
  type: string
  /** The id of its document. */
  subject?: string
  time: string
  datacontenttype: 'application/json'
  data: { [field: string]: JsonValue }
}

export const CLOUD_EVENT = 'application/cloudevents+json'

/** What consumers may know of a document that they may read; further options of events are not theirs. */
const SHOWN = ['type', 'path', 'parentId', 'lifecycleState', 'comment', 'from', 'to', 'transition']

/** Longest text of a field: callers write some of them, and each event travels through Temporal. */
const MAX_TEXT = 4_000

/** A value as it is sent, whose text is cut; undefined for what is left out. */
const sent = (value: JsonValue | undefined): JsonValue | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return shortened(value, MAX_TEXT)
  return JSON.stringify(value).length > MAX_TEXT ? undefined : value
}

/**
 * @param place `repository`: where it happened; `base`: the address of the product, as far as it is known.
 */
export const cloudEventOf = (
  { id, event, documentId, principal, createdAt, payload }: HappenedEvent,
  { repository, base = 'urn:archivolt' }: { repository: string; base?: string | undefined },
): CloudEvent => {
  const shown = SHOWN.flatMap((field) => {
    const value = sent(payload[field])
    return value === undefined ? [] : [[field, value] as const]
  })
  return {
    specversion: '1.0',
    id: `${repository}-${id}`,
    source: `${base}${base.startsWith('urn:') ? ':' : '/'}${repository}`,
    type: event,
    ...(documentId !== null && { subject: documentId }),
    time: createdAt.toISOString(),
    datacontenttype: 'application/json',
    data: { repository, principal, ...(documentId !== null && { documentId }), ...Object.fromEntries(shown) },
  }
}
