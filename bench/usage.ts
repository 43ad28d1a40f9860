import { readFileSync } from 'node:fs'

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
