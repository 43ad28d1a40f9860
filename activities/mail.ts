import type { Delivered } from '../core/content/mail/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { MailActivities } from './types.js'

export const createMailActivities = (deliver: () => Promise<Delivered>): MailActivities => ({
  deliverMail: () => failing(() => withHeartbeat(deliver)),
})
