import type { AsyncLocalStorage } from 'node:async_hooks'
import { logScope } from './log-scope.js'

type Storage = Pick<AsyncLocalStorage<unknown>, 'disable'>

const resting = new Set<Storage>([logScope])
let users = 0

/**
 * Before version 24, Node passes every promise of a process to its storages from the first `run` of any of them until
 * the last has been disabled. That is a seventh of the processor time of an API that answers requests, none of
 * which needs one. The storages passed are disabled while no work of `usingStorages` runs; their next `run` wakes them.
 */
export const restStorages = (...storages: readonly Storage[]): void => {
  for (const storage of storages) resting.add(storage)
}

const rest = (): void => {
  if (users > 0) return
  for (const storage of resting) storage.disable()
}

/** Runs work in one of the disabled storages, which stay enabled until its end. */
export const usingStorages = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  users++
  try {
    return await work()
  } finally {
    users--
    // The caller of the work, still in the storage, has this tick to end.
    if (users === 0) setImmediate(rest)
  }
}
