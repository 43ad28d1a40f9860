import { defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow'
import type { AccessUpkeepActivities } from '../activities/types.js'

const { deriveAcls, refreshAceStatuses, pointAclScopes } = proxyActivities<AccessUpkeepActivities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '5s', maximumAttempts: 10 },
})

/** There is more to do than there was when the run looked. */
const more = defineSignal('more')

/** Rounds of waiting for older transactions, after which the rest is left to the next run. */
const MAX_ROUNDS = 20

/**
 * What changed rights leave for later: what queries look at when the hierarchy of permissions has changed, statuses of
 * entries with dates, and documents that are to point to the scope of their ACL. Started by a schedule, and when a
 * change of rights asks for it.
 */
export async function accessUpkeep(): Promise<{
  derived: number
  notified: number
  pointed: number
  left: number
}> {
  const done = { derived: 0, notified: 0, pointed: 0, left: 0 }
  let isAskedAgain = false
  setHandler(more, () => {
    isAskedAgain = true
  })
  for (let round = 1; ; round++) {
    isAskedAgain = false
    done.derived += await deriveAcls()
    done.notified += await refreshAceStatuses()
    const { pointed, left } = await pointAclScopes()
    done.pointed += pointed
    done.left = left
    if (isAskedAgain && round < MAX_ROUNDS) continue
    if (left === 0 || round >= MAX_ROUNDS) return done
    await sleep('15s')
  }
}
