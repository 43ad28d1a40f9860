import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Who a process id belongs to. A process id alone is not enough to decide about a process that somebody else
 * started: the system gives ids away again, so the moment of its start belongs to its name.
 */

/** The fields of /proc/PID/stat that matter: state letter and start time in clock ticks since boot. */
export const parseProcStat = (text: string): { state: string; startTicks: string } => {
  // The second field is the command in brackets and may itself hold blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
}

const linuxIdentity = (pid: number): string | undefined => {
  try {
    const { state, startTicks } = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    if (state === 'Z' || state === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`
  } catch {
    // No such entry: no such process.
    return undefined
  }
}

const otherIdentity = (pid: number): string | undefined => {
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } } as const
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined
  } catch {
    // ps fails when there is no such process.
    return undefined
  }
}

/** A text that no other process ever has together with this id, or undefined when no such process runs. */
export const processIdentity = (pid: number): string | undefined =>
  process.platform === 'linux' ? linuxIdentity(pid) : otherIdentity(pid)

export type ProcessRecord = { pid: number; identity: string }

export const isRunning = (record: ProcessRecord): boolean => processIdentity(record.pid) === record.identity

/** The working folder of a process; undefined when it cannot be known (other systems, other users). */
export const workingFolder = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Every process whose working folder is `folder` (Linux; empty elsewhere). */
export const processesIn = (folder: string): number[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => workingFolder(pid) === folder && processIdentity(pid) !== undefined)
}
