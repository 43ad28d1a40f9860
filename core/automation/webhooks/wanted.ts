import { queryIds, type Session } from '../../content/documents/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import { queryOf, type Webhook } from './webhooks-point.js'

/** What events are chosen by, as far as they say by themselves; what is not said leaves out none. */
export type EventChoice = Pick<Webhook, 'events' | 'types' | 'path'>

const isBelow = (path: unknown, root: string): boolean =>
  typeof path === 'string' && (path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`))

/** Whether an event is among those that were chosen, by the document as it was then. */
export const isChosen = ({ events, types, path }: EventChoice, { event, payload }: CoreEvent): boolean =>
  (events.length === 0 || events.includes(event)) &&
  (types.length === 0 || types.includes(String(payload.type))) &&
  (path === undefined || isBelow(payload.path, path))

/**
 * Whether a webhook is notified of an event. Its condition is asked of the document as it is now; it holds for none that is
 * not there any more.
 *
 * @throws badRequest for a condition that names what is unknown.
 */
export const isWanted = async (session: Session, webhook: Webhook, event: CoreEvent): Promise<boolean> => {
  if (!isChosen(webhook, event)) return false
  if (webhook.condition === undefined) return true
  if (event.documentId === null) return false
  return (await queryIds(session, queryOf(webhook.condition, [event.documentId]), 1)).length > 0
}
