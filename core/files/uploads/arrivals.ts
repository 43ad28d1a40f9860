import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchEntry } from './entries.js'

type Arrival = { index: string; bytes: number; done: Promise<unknown> }

/** A batch lives on while one of its files is being received, however long that takes. */
const RENEWAL_MS = 60_000

/** Files that this process is receiving, by the key of their batch. */
export const createArrivals = () => {
  const byKey = new Map<string, Set<Arrival>>()

  return {
    /**
     * Counts the bytes of a file that comes until the work with them is done.
     *
     * @param work calls `receive` with the bytes of each part.
     */
    during: async <Result>(
      { store, key }: Pick<BatchEntry, 'store' | 'key'>,
      index: string,
      work: (receive: (bytes: number) => void) => Promise<Result>,
    ): Promise<Result> => {
      const arrival: Arrival = { index, bytes: 0, done: Promise.resolve() }
      const arrivals = byKey.get(key) ?? new Set()
      byKey.set(key, arrivals.add(arrival))
      // What keeps it from being renewed keeps the file from being stored, which is reported.
      const renewing = setInterval(() => store.putParameters(key, {}).catch(() => undefined), RENEWAL_MS)
      try {
        const working = work((bytes) => {
          arrival.bytes += bytes
        })
        arrival.done = working.catch(() => undefined)
        return await working
      } finally {
        clearInterval(renewing)
        arrivals.delete(arrival)
        if (arrivals.size === 0) byKey.delete(key)
      }
    },

    /** Bytes that have come of a file and are not kept yet. */
    bytesOf: (key: string, index: string): number =>
      [...(byKey.get(key) ?? [])].reduce((sum, each) => (each.index === index ? sum + each.bytes : sum), 0),

    /** Waits until nothing arrives for a batch, or for so long. */
    settled: async (key: string, timeoutMs: number): Promise<void> => {
      const arrivals = byKey.get(key)
      if (!arrivals) return
      const stop = new AbortController()
      const timeout = sleep(timeoutMs, undefined, { signal: stop.signal }).catch(() => undefined)
      await Promise.race([Promise.all([...arrivals].map(({ done }) => done)), timeout])
      stop.abort()
    },
  }
}
