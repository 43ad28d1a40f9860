import { subscribedNotifications as namesOf } from '../../../../core/content/notifications/index.js'
import { type Enricher, each } from './enricher.js'

/** Names of the notifications that the caller has subscribed to on the document. */
export const subscribedNotifications: Enricher = {
  name: 'subscribedNotifications',
  enrich: each((document, { session }) => ({ subscribedNotifications: namesOf(session, document) })),
}
