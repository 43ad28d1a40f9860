import { z } from 'zod'
import type { RequestContext } from './environment.js'

/** How long a caller waits for a large change, seconds, unless it says so. */
const USUAL_SECONDS = 30
const MAX_SECONDS = 300

export const preferHeader = z.object({
  Prefer: z
    .string()
    .optional()
    .describe(
      `wait=…: seconds after which a large change is answered with its run; ${USUAL_SECONDS} when absent`,
    ),
})

/** How long the caller waits before the run is answered instead, milliseconds: `Prefer: wait=…` (RFC 7240 §4.3). */
export const preferredWaitMs = (c: RequestContext): number => {
  const wait = /(?:^|[,;\s])wait=(\d{1,6})/i.exec(c.req.header('Prefer') ?? '')?.[1]
  return Math.min(wait === undefined ? USUAL_SECONDS : Number(wait), MAX_SECONDS) * 1_000
}
