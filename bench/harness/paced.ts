import { setTimeout as pause } from 'node:timers/promises'
import { call, json, NUMBERED_FILE } from './client.js'

const WRITES_A_SECOND = 200

/**
 * Creates documents at a steady rate, as many callers beside each other as that takes.
 *
 * @returns when each was answered, by its id; the rate that was reached; the mean of the milliseconds that each took.
 */
export const writePaced = async (address: string, { seconds, name }: { seconds: number; name: string }) => {
  const created = new Map<string, number>()
  const took: number[] = []
  const write = async (count: number): Promise<void> => {
    const body = NUMBERED_FILE.replaceAll('#', `${name}-${count}`)
    const begun = performance.now()
    const { uid } = json<{ uid: string }>(await call('POST', address, { body }))
    took.push(performance.now() - begun)
    created.set(uid, Date.now())
  }
  const startedAt = performance.now()
  const writes: Promise<void>[] = []
  for (let count = 0; count < seconds * WRITES_A_SECOND; count++) {
    const wait = startedAt + (count * 1_000) / WRITES_A_SECOND - performance.now()
    if (wait > 0) await pause(wait)
    writes.push(write(count))
  }
  await Promise.all(writes)
  const rate = (writes.length * 1_000) / (performance.now() - startedAt)
  return { created, rate, took: took.reduce((sum, ms) => sum + ms, 0) / took.length }
}
