import { defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type { MailActivities } from '../activities/types.js'
import type { Delivered } from '../core/content/mail/index.js'

const { deliverMail } = proxyActivities<MailActivities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
})

/** More mail was committed since the run looked. */
const more = defineSignal('more')

/** Rounds of one run; what comes after them begins a new one. */
const MAX_ROUNDS = 200

/** Sends the mail that waits. Started when a transaction has left some, and by a schedule for what is to be tried again. */
export async function mailDelivery(): Promise<Delivered> {
  const done = { sent: 0, failed: 0, later: 0 }
  let isAskedAgain = true
  setHandler(more, () => {
    isAskedAgain = true
  })
  for (let round = 0; isAskedAgain && round < MAX_ROUNDS; round++) {
    isAskedAgain = false
    const { sent, failed, later } = await deliverMail()
    done.sent += sent
    done.failed += failed
    done.later += later
  }
  return done
}
