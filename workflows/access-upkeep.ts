import { proxyActivities, sleep } from '@temporalio/workflow'
import type { AccessUpkeepActivities } from '../activities/types.js'

const { deriveAclsAnew, refreshAceStatuses, pointAclScopes } = proxyActivities<AccessUpkeepActivities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '5s', maximumAttempts: 10 },
})

/** Rounds of waiting for older transactions, after which the rest is left to the next run. */
const MAX_ROUNDS = 20

/**
 * What changed rights leave for later: what queries look at when the hierarchy of
 * permissions has changed, statuses of entries with dates, and documents that are to point to the scope
 * of their ACL. Started by a schedule, and when a change of rights asks for it.
 */
export async function accessUpkeep(): Promise<{
  derived: number
  told: number
  pointed: number
  left: number
}> {
  const derived = await deriveAclsAnew()
  const told = await refreshAceStatuses()
  let pointed = 0
  for (let round = 1; ; round++) {
    const done = await pointAclScopes()
    pointed += done.pointed
    if (done.left === 0 || round === MAX_ROUNDS) return { derived, told, pointed, left: done.left }
    await sleep('15s')
  }
}
