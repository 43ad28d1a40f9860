import { startChild } from './child.js'
import type { Load } from './load.js'

/** Seconds of load until a process has compiled its hot code: some 20,000 calls. */
export const WARM_UP_SECONDS = 20

/** Requests a second that a generator in its own process gets answered. */
export const generate = async (load: Load): Promise<number> => {
  const child = await startChild('harness/load.ts', [JSON.stringify(load)])
  await child.stop()
  return Number(child.ready)
}
