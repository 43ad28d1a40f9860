import { POSTGRES_STOP } from './postgres/index.js'
import { gracefulThenKill } from './process/index.js'
import type { Leftover } from './supervisor/index.js'

/** Each may still need those after it while it ends. */
export const STOP_ORDER = ['worker', 'api', 'elasticsearch', 'temporal', 'postgres']

const LEFTOVER_WAIT_MS = 5_000

/** How to end what an earlier start left running, in order. */
export const LEFTOVERS: readonly Leftover[] = STOP_ORDER.map((name) => ({
  name,
  steps: name === 'postgres' ? POSTGRES_STOP : gracefulThenKill(LEFTOVER_WAIT_MS),
}))
