import { proxyLocalActivities } from '@temporalio/workflow'
import type { BareActivities } from './worker.js'

const { insert } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '1 minute' })

/** The least that a durable call can be: one local activity. */
export async function bare(name: string): Promise<string> {
  return insert(name)
}
