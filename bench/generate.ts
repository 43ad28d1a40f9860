import { startChild } from './child.js'
import type { Load } from './load.js'

/** Requests a second that a generator in its own process gets answered. */
export const generate = async (load: Load): Promise<number> => {
  const child = await startChild('load.ts', [JSON.stringify(load)])
  await child.stop()
  return Number(child.ready)
}
