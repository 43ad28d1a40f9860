import { fail } from '../../errors/index.js'
import { type ScriptThread, startThread, type ThreadKind } from './thread.js'

/** Idle threads that are kept. */
const MAX_IDLE = 2
/** How long a script waits for a thread, ms: longer ones would hold their transactions for nothing. */
const LONGEST_WAIT_MS = 30_000

type Waiter = { owner: string; give(thread: ScriptThread): void }

/** Threads for scripts, each for one transaction at a time. */
export type ScriptThreads = {
  /**
   * A thread for a transaction of an owner, the owner with the fewest of them first.
   *
   * @throws unavailable when none is free in time, and what `signal` is aborted with.
   */
  take(owner: string, signal: AbortSignal): Promise<ScriptThread>
  giveBack(thread: ScriptThread): void
  close(): void
}

/** Starts threads as they are needed, and no more than `most`. */
export const createScriptThreads = ({
  kind,
  most,
  exhausted,
}: {
  kind: ThreadKind
  most: number
  /** Message for a caller for whom no thread became free. */
  exhausted: string
}): ScriptThreads => {
  const idle: ScriptThread[] = []
  const busy = new Map<ScriptThread, string>()
  const waiters: Waiter[] = []

  const held = (owner: string): number => [...busy.values()].filter((name) => name === owner).length

  const nextWaiter = (): Waiter | undefined => {
    const [first] = [...waiters].sort((a, b) => held(a.owner) - held(b.owner))
    if (first) waiters.splice(waiters.indexOf(first), 1)
    return first
  }

  const free = (): ScriptThread | undefined => {
    const known = idle.pop()
    if (known?.isUsable()) return known
    if (known) return free()
    return busy.size < most ? startThread(kind) : undefined
  }

  const serve = (): void => {
    while (waiters.length > 0) {
      const thread = free()
      if (!thread) return
      const waiter = nextWaiter()!
      busy.set(thread, waiter.owner)
      waiter.give(thread)
    }
  }

  return {
    take: (owner, signal) =>
      new Promise((resolve, reject) => {
        const leave = (error: unknown): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', onAbort)
          const place = waiters.indexOf(waiter)
          if (place >= 0) waiters.splice(place, 1)
          if (error !== undefined) reject(error)
        }
        const onAbort = (): void => leave(signal.reason)
        const timer = setTimeout(() => leave(fail('unavailable', exhausted)), LONGEST_WAIT_MS)
        const waiter: Waiter = {
          owner,
          give: (thread) => {
            leave(undefined)
            resolve(thread)
          },
        }
        if (signal.aborted) return leave(signal.reason)
        signal.addEventListener('abort', onAbort)
        waiters.push(waiter)
        serve()
      }),
    giveBack(thread) {
      busy.delete(thread)
      if (thread.isUsable() && idle.length < MAX_IDLE) idle.push(thread)
      else thread.end()
      serve()
    },
    close() {
      for (const thread of [...idle.splice(0), ...busy.keys()]) thread.end()
    },
  }
}
