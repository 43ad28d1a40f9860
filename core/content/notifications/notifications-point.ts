import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'

const content = z.strictObject({
  label: z.string().optional(),
  events: z.array(z.string().min(1)).default([]).describe('Events of which subscribers are notified'),
  isAutomatic: z
    .boolean()
    .default(false)
    .describe('true: sent to those it concerns without a subscription; one to everything leaves it out'),
})

/** What users may be notified of; the name of a contribution is the notification's (workflow-audit.md §9). */
export const notificationsPoint = defineExtensionPoint({
  point: 'notifications',
  elements: {
    notification: {
      keys: { autoSubscribed: 'isAutomatic' },
      ignored: ['channel', 'availableIn', 'template', 'templateExpr', 'subject', 'subjectTemplate'],
    },
  },
  schema: content,
})

/** Names of all notifications, and of those included in a subscription to everything. */
export const notificationNames = (
  contributions: Contributions,
): { all: readonly string[]; subscribable: readonly string[] } => {
  const known = [...contributions.get(notificationsPoint)]
  return {
    all: known.map(([name]) => name),
    subscribable: known.filter(([, { isAutomatic }]) => !isAutomatic).map(([name]) => name),
  }
}
