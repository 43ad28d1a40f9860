import type { CoreEvent, JsonValue } from '../../platform/events/index.js'

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

/**
 * @param place `repository`: where it happened; `base`: the address of the product, as far as it is known.
 */
export const cloudEventOf = (
  { id, event, documentId, principal, createdAt, payload }: HappenedEvent,
  { repository, base = 'urn:archivolt' }: { repository: string; base?: string | undefined },
): CloudEvent => {
  const shown = SHOWN.flatMap((field) => {
    const value = payload[field]
    return value === undefined || value === null ? [] : [[field, value] as const]
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
