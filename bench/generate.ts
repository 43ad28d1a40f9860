import { startChild } from './child.js'
import type { Load } from './load.js'

/** How long all callers keep a process busy until it has compiled what it does often: it takes some 20,000 calls. */
export const WARM_UP_SECONDS = 20

/** Requests a second that a generator in its own process gets answered. */
export const generate = async (load: Load): Promise<number> => {
  const child = await startChild('load.ts', [JSON.stringify(load)])
  await child.stop()
  return Number(child.ready)
}
