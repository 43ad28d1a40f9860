import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, type ProcessRecord, processIdentity, StackFailure } from '../process/index.js'

/** The process that runs something, as stored in a file; `isStopping` once it has begun to end. */
export type StoredProcess = ProcessRecord & { isStopping?: boolean }

/** Reads a pid file; undefined when it is absent or cut short. */
export const readRecord = (file: string): StoredProcess | undefined => {
  try {
    const { pid, identity, isStopping } = JSON.parse(readFileSync(file, 'utf8')) as Partial<StoredProcess>
    return typeof pid === 'number' && typeof identity === 'string' ? { pid, identity, isStopping } : undefined
  } catch {
    // Not usable: no process is identified by this file.
    return undefined
  }
}

/** Writes a pid file that is whole at every moment, also when the disk is full. */
export const writeRecord = (file: string, { pid, identity, isStopping }: StoredProcess): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify({ pid, identity, isStopping }))
  renameSync(`${file}.new`, file)
}

/** What to do about a stack that runs, by what was asked for. */
const ADVICE = {
  start: 'stop that one, or set ARCHIVOLT_HOME and ARCHIVOLT_PORT to run a second one beside it.',
  backup: 'stop it first.',
}

type Purpose = keyof typeof ADVICE

const alreadyRuns = (place: { home: string; purpose: Purpose }, pid: number): StackFailure =>
  new StackFailure(`Archivolt already runs on ${place.home} (process ${pid}): ${ADVICE[place.purpose]}`)

/** Links our record to the lock's name; false when another start was faster. */
const tryLink = (own: string, file: string): boolean => {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

export type Lock = {
  /** From now on another start waits for the end of this one instead of giving up. */
  markStopping(): void
  release(): void
}

const STOPPING_POLL_MS = 100

/**
 * Makes this process the only one on a home, or names the other one. A lock whose owner is gone is taken over;
 * an owner that is stopping is waited for.
 */
export const takeLock = async (file: string, place: { home: string; purpose: Purpose }): Promise<Lock> => {
  const record: StoredProcess = { pid: process.pid, identity: processIdentity(process.pid) ?? '' }
  const own = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(own, JSON.stringify(record))
  try {
    for (;;) {
      const held = readRecord(file)
      if (held && isRunning(held)) {
        if (!held.isStopping) throw alreadyRuns(place, held.pid)
        await sleep(STOPPING_POLL_MS)
        continue
      }
      rmSync(file, { force: true })
      if (tryLink(own, file)) break
    }
  } finally {
    rmSync(own, { force: true })
  }
  return {
    markStopping: () => writeRecord(file, { ...record, isStopping: true }),
    release: () => rmSync(file, { force: true }),
  }
}
