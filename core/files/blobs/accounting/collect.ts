import type { BlobStat, BlobStore } from '../types.js'
import type { BlobLedger, BlobReferences } from './types.js'

/** What a collection has removed. */
export type Collected = { blobs: number; bytes: number; unfinished: number }

const BATCH = 1_000

async function* inBatches(blobs: AsyncIterable<BlobStat>): AsyncGenerator<BlobStat[]> {
  let batch: BlobStat[] = []
  for await (const blob of blobs) {
    batch.push(blob)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

/**
 * Removes blobs that nothing names. A blob is removed when nobody has stored its bytes for the grace time, nothing named
 * it when somebody looked, and nothing names it now, a grace time later: what is on its way from one place to another
 * in a process is seen by one of both looks, or has arrived.
 *
 * @param references whatever may name blobs. When one of them cannot be read, nothing is removed.
 * @param graceMs milliseconds; longer than any request, transaction or conversion.
 */
export const collectBlobs = async ({
  store,
  ledger,
  references,
  graceMs,
}: {
  store: BlobStore
  ledger: BlobLedger
  references: readonly BlobReferences[]
  graceMs: number
}): Promise<Collected> => {
  const unfinished = await store.removeUnfinished(graceMs)
  for await (const blobs of inBatches(store.list())) await ledger.adopt(blobs)
  const idle = await ledger.idle(graceMs)
  const unreferenced = new Set(idle.map(({ key }) => key))
  for (const read of references) {
    if (unreferenced.size === 0) break
    await read((key) => unreferenced.delete(key))
  }
  await ledger.acquit(
    idle.filter(({ key, isSuspect }) => isSuspect && !unreferenced.has(key)).map(({ key }) => key),
  )
  await ledger.suspect([...unreferenced], graceMs)
  const collected = { blobs: 0, bytes: 0, unfinished }
  for (const key of await ledger.expired(graceMs)) {
    const bytes = await ledger.remove(key, graceMs, () => store.delete(key))
    if (bytes === undefined) continue
    collected.blobs += 1
    collected.bytes += bytes
  }
  return collected
}

/** What is as long as a key, in whatever stands around it. */
const KEYS = /[0-9a-f]{32,64}/g

/** Texts in a text that may be keys. */
export const keysIn = (text: string): readonly string[] => text.match(KEYS) ?? []
