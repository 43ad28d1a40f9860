import { availableParallelism } from 'node:os'
import type { BlobOwner } from '../../blobs/index.js'

/** @property owner absent: the product itself, which has no share. */
export type SlotRequest = { owner?: BlobOwner | undefined; signal?: AbortSignal | undefined }

/** Lets a fixed number of callers in at once. The others wait: users take turns, each in order of arrival. */
export type Slots = {
  /** Waits for a free slot and returns the function that frees it. Throws the signal's reason when aborted. */
  acquire(request?: SlotRequest): Promise<() => void>
}

type Waiting = { most: number; enter(): void }

/** A user has half of the slots at most, and one at least; administrators take what they need. */
export const createSlots = (size: number): Slots => {
  const share = Math.max(1, Math.floor(size / 2))
  let free = size
  const held = new Map<string, number>()
  /** Those who wait, by user; the first is the user who was served longest ago. */
  const lines = new Map<string, Waiting[]>()

  const mayEnter = (name: string, most: number): boolean => free > 0 && (held.get(name) ?? 0) < most

  /** One slot has become free, so one caller may enter. */
  const admit = () => {
    for (const [name, line] of lines) {
      const [first] = line
      if (!first || !mayEnter(name, first.most)) continue
      line.shift()
      lines.delete(name)
      if (line.length > 0) lines.set(name, line)
      first.enter()
      return
    }
  }

  const take = (name: string): (() => void) => {
    free -= 1
    held.set(name, (held.get(name) ?? 0) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      free += 1
      const left = (held.get(name) ?? 1) - 1
      if (left > 0) held.set(name, left)
      else held.delete(name)
      admit()
    }
  }

  const leave = (name: string, waiting: Waiting) => {
    const line = (lines.get(name) ?? []).filter((other) => other !== waiting)
    if (line.length > 0) lines.set(name, line)
    else lines.delete(name)
  }

  return {
    acquire: ({ owner, signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const name = owner?.name ?? ''
        const most = !owner || owner.isAdministrator ? size : share
        if (mayEnter(name, most)) return resolve(take(name))
        const onAbort = () => {
          leave(name, waiting)
          reject(signal?.reason)
        }
        const waiting: Waiting = {
          most,
          enter: () => {
            signal?.removeEventListener('abort', onAbort)
            resolve(take(name))
          },
        }
        lines.set(name, [...(lines.get(name) ?? []), waiting])
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }
}

/** Does something in a slot, once there is a free one. */
export const inSlot = async <Result>(
  slots: Slots,
  request: SlotRequest,
  work: () => Promise<Result>,
): Promise<Result> => {
  const release = await slots.acquire(request)
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Films fill every core by themselves, but not while one begins or ends: a second one does that meanwhile, which matters
 * for a film in parts.
 */
export const FILMS = Math.max(2, Math.floor(availableParallelism() / 2))
