import type { BlobStat, BlobStore } from '../types.js'
import type { BlobLedger, BlobReferences } from './types.js'

/**
 * What a collection has removed, or would remove.
 *
 * @property unfinished files that writes had left behind.
 * @property kept what is there after it.
 * @property durationMs how long it has taken.
 */
export type Collected = {
  blobs: number
  bytes: number
  unfinished: number
  kept: { blobs: number; bytes: number }
  durationMs: number
}

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

type Collection = {
  store: BlobStore
  ledger: BlobLedger
  references: readonly BlobReferences[]
  graceMs: number
}

/** Keys of blobs that nobody has stored for the grace time, and that nothing names now. */
const unreferencedIn = async (
  idle: readonly { key: string }[],
  references: readonly BlobReferences[],
): Promise<Set<string>> => {
  const unreferenced = new Set(idle.map(({ key }) => key))
  for (const read of references) {
    if (unreferenced.size === 0) break
    await read((key) => unreferenced.delete(key))
  }
  return unreferenced
}

const none = (): Pick<Collected, 'blobs' | 'bytes'> => ({ blobs: 0, bytes: 0 })

/** What a collection would remove now; changes nothing. */
const wouldCollect = async ({
  store,
  ledger,
  references,
  graceMs,
}: Collection): Promise<Omit<Collected, 'durationMs'>> => {
  const unreferenced = await unreferencedIn(await ledger.idle(graceMs), references)
  const expired = new Set((await ledger.expired(graceMs)).filter((key) => unreferenced.has(key)))
  const [collected, kept] = [none(), none()]
  for await (const { key, length } of store.list()) {
    const counted = expired.has(key) ? collected : kept
    counted.blobs += 1
    counted.bytes += length
  }
  return { ...collected, unfinished: 0, kept }
}

const collect = async ({
  store,
  ledger,
  references,
  graceMs,
}: Collection): Promise<Omit<Collected, 'durationMs'>> => {
  const unfinished = await store.removeUnfinished(graceMs)
  const [collected, kept] = [none(), none()]
  for await (const blobs of inBatches(store.list())) {
    await ledger.adopt(blobs)
    kept.blobs += blobs.length
    for (const { length } of blobs) kept.bytes += length
  }
  const idle = await ledger.idle(graceMs)
  const unreferenced = await unreferencedIn(idle, references)
  await ledger.acquit(
    idle.filter(({ key, isSuspect }) => isSuspect && !unreferenced.has(key)).map(({ key }) => key),
  )
  await ledger.suspect([...unreferenced], graceMs)
  for (const key of await ledger.expired(graceMs)) {
    const bytes = await ledger.remove(key, graceMs, () => store.delete(key))
    if (bytes === undefined) continue
    collected.blobs += 1
    collected.bytes += bytes
  }
  return {
    ...collected,
    unfinished,
    kept: { blobs: kept.blobs - collected.blobs, bytes: kept.bytes - collected.bytes },
  }
}

/**
 * Removes blobs that nothing names. A blob is removed when nobody has stored its bytes for the grace time, nothing named
 * it when somebody looked, and nothing names it now, a grace time later: what is on its way from one place to another
 * in a process is seen by one of both looks, or has arrived.
 *
 * @param options.references whatever may name blobs. When one of them cannot be read, nothing is removed.
 * @param options.graceMs milliseconds; longer than any request, transaction or conversion.
 * @param options.isDryRun counts what would be removed, and changes nothing.
 */
export const collectBlobs = async ({
  isDryRun = false,
  ...collection
}: Collection & { isDryRun?: boolean }): Promise<Collected> => {
  const begun = performance.now()
  const collected = await (isDryRun ? wouldCollect : collect)(collection)
  return { ...collected, durationMs: Math.round(performance.now() - begun) }
}

/** What is as long as a key, in whatever stands around it. */
const KEYS = /[0-9a-f]{32,64}/g

/** Texts in a text that may be keys. */
export const keysIn = (text: string): readonly string[] => text.match(KEYS) ?? []
