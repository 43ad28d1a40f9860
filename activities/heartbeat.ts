import { Context } from '@temporalio/activity'

/** Between two heartbeats; the shortest limit, that of a loop's page, is five times as long. */
const HEARTBEAT_MS = 2_000

/** Runs work with heartbeats of its latest report, so that a lost worker is noticed and a cancellation arrives. */
export const withHeartbeat = async <Result>(
  work: (report: (details: unknown) => void) => Promise<Result>,
): Promise<Result> => {
  const context = Context.current()
  let latest: unknown
  const timer = setInterval(() => context.heartbeat(latest), HEARTBEAT_MS)
  try {
    return await work((details) => {
      latest = details
    })
  } finally {
    clearInterval(timer)
  }
}
