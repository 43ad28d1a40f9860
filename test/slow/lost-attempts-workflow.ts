import { proxyActivities } from '@temporalio/workflow'

const { work } = proxyActivities<{ work(kind: string): Promise<string> }>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1s',
  retry: { initialInterval: '10ms', maximumInterval: '10ms' },
})

/** Work that is tried again without a limit of its policy. */
export const attempts = (kind: string): Promise<string> => work(kind)
