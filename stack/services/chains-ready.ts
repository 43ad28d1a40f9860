import { setTimeout as sleep } from 'node:timers/promises'
import { StackFailure } from '../process/index.js'

const POLL_MS = 50
const REQUEST_MS = 5_000

/** All processes are up by then: what is missing is their connections to Temporal. */
const LONGEST_MS = 60_000

/** Dependencies of the API without which no chain runs, though it is ready to serve documents. */
const NEEDED = ['temporal', 'workers']

type Readiness = { dependencies?: { name: string; state: string }[] }

/** Those that do not answer. */
const missing = async (apiUrl: string): Promise<string[]> => {
  try {
    const response = await fetch(`${apiUrl}/health/ready`, { signal: AbortSignal.timeout(REQUEST_MS) })
    const { dependencies = [] } = (await response.json()) as Readiness
    return NEEDED.filter((name) => !dependencies.some((one) => one.name === name && one.state === 'up'))
  } catch {
    // The API is being restarted.
    return ['api']
  }
}

/**
 * Resolves when a chain that is called at `apiUrl` runs: the API reaches Temporal, and a worker polls for its tasks.
 *
 * @throws StackFailure naming what is missing after a minute.
 */
export const waitForChains = async (
  apiUrl: string,
  { signal, longestMs = LONGEST_MS }: { signal: AbortSignal; longestMs?: number },
): Promise<void> => {
  const startedAt = performance.now()
  for (;;) {
    const names = await missing(apiUrl)
    if (names.length === 0) return
    signal.throwIfAborted()
    if (performance.now() - startedAt > longestMs)
      throw new StackFailure(
        `No chain can run after ${Math.round(longestMs / 1000)} s: ${apiUrl}/health/ready reports ${names.join(' and ')} as not up.`,
      )
    await sleep(POLL_MS)
  }
}
