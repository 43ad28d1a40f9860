import { LRUCache } from 'lru-cache'
import type { BlobValue } from '../../model/properties/index.js'
import type { BlobStore } from '../blobs/index.js'
import type { ConversionRequest } from './conversions.js'

/** Results that a process remembers. */
const REMEMBERED = 1_000

type Convert = (request: ConversionRequest) => Promise<BlobValue>

type Running = {
  result: Promise<BlobValue>
  followers: Set<ConversionRequest>
  /** Stops it when nobody follows it any more. */
  stop: AbortController
}

/** The same for one owner: another one's result counts for another one's storage. */
const keyOf = ({ source, converter, type, format, parameters = {}, owner, principal }: ConversionRequest) =>
  JSON.stringify([
    ...[source.digest, source.name, source['mime-type'], source.encoding],
    ...[converter, type, format, Object.entries(parameters).sort(), (owner ?? principal)?.name],
  ])

/**
 * Converts the same file in the same way once: who asks while it is converted waits for that, and who asks later gets
 * what was stored, while it is. It is stopped when all who wait for it are.
 *
 * @param version changes when other converters are deployed.
 */
export const sharedConversions = (
  convert: Convert,
  { store, version }: { store: Pick<BlobStore, 'stat'>; version: () => unknown },
): Convert => {
  const running = new Map<string, Running>()
  const known = new LRUCache<string, { blob: BlobValue; version: unknown }>({ max: REMEMBERED })

  const remembered = async (key: string): Promise<BlobValue | undefined> => {
    const found = known.get(key)
    if (!found || found.version !== version()) return undefined
    return (await store.stat(found.blob)) ? found.blob : undefined
  }

  const begin = (key: string, request: ConversionRequest): Running => {
    const followers = new Set<ConversionRequest>()
    const stop = new AbortController()
    const asked = version()
    const onProgress = (fraction: number) => {
      for (const follower of followers) follower.onProgress?.(fraction)
    }
    const result = convert({ ...request, signal: stop.signal, onProgress })
      .then((blob) => {
        known.set(key, { blob, version: asked })
        return blob
      })
      .finally(() => running.delete(key))
    const begun = { result, followers, stop }
    running.set(key, begun)
    return begun
  }

  return async (request) => {
    const { signal } = request
    signal?.throwIfAborted()
    const key = keyOf(request)
    const stored = await remembered(key)
    if (stored) return stored
    const found = running.get(key)
    const { result, followers, stop } = found && !found.stop.signal.aborted ? found : begin(key, request)
    followers.add(request)
    let onAbort: (() => void) | undefined
    const left = new Promise<never>((_, reject) => {
      onAbort = () => {
        followers.delete(request)
        // The last one waits until all is stopped; others do not wait for what somebody else still wants.
        if (followers.size === 0) stop.abort(signal?.reason)
        else reject(signal?.reason)
      }
    })
    if (onAbort) signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([result, left])
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort)
      followers.delete(request)
    }
  }
}
