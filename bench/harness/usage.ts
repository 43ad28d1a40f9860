import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a tick of the kernel's clock (`CLK_TCK` of Linux). */
const TICK_MS = 10
const SAMPLE_MS = 50

/** Milliseconds of processor time that a process has used so far, all its threads (Linux). */
export const processorMs = (pid: number): number => {
  // The name of the program, which may hold anything, is in brackets.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Fields of `/proc/PID/stat` behind the name of the program; undefined when the process has ended. */
const statOf = (pid: string): string[] | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code)))
      return undefined
    throw error
  }
}

/** Milliseconds of processor time of a process and all that it has started, also of what has ended (Linux). */
export const treeProcessorMs = (root: number): number => {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(pid)
      return fields ? [{ pid: Number(pid), parent: Number(fields[1]), fields }] : []
    })
  const sum = (pid: number): number =>
    stats
      .filter(({ parent }) => parent === pid)
      .reduce(
        (total, child) => total + sum(child.pid),
        // Own time, and that of children that were waited for: user and system each.
        [11, 12, 13, 14].reduce(
          (total, place) =>
            total + Number(stats.find((each) => each.pid === pid)?.fields[place] ?? 0) * TICK_MS,
          0,
        ),
      )
  return sum(root)
}

/** MiB of memory that a process has in use. */
const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** MiB that a process had in use before some work, and the most while it went on. */
export const memoryDuring = async (
  pid: number,
  work: () => Promise<unknown>,
): Promise<{ before: number; peak: number }> => {
  const before = residentMiB(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid))
  }, SAMPLE_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return { before, peak }
}
