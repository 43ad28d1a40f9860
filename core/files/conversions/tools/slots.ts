/** Lets a fixed number of callers in at once; the others wait in order of arrival. */
export type Slots = {
  /** Waits for a free slot and returns the function that frees it. Throws the signal's reason when aborted. */
  acquire(signal?: AbortSignal): Promise<() => void>
}

export const createSlots = (size: number): Slots => {
  let free = size
  const waiting: (() => void)[] = []

  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const releaseOnce = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      release()
    }
  }

  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (free > 0) {
          free -= 1
          return resolve(releaseOnce())
        }
        const onAbort = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal?.reason)
        }
        const enter = () => {
          signal?.removeEventListener('abort', onAbort)
          resolve(releaseOnce())
        }
        waiting.push(enter)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }
}
