import { readFileSync } from 'node:fs'

const SAMPLE_MS = 100

/** MiB of memory that a process has in use (Linux). */
export const residentMiB = (pid: number): number => {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1024
}

/** The most MiB that a process had in use while work went on. */
export const peakDuring = async <Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; peakMiB: number }> => {
  let peakMiB = residentMiB(pid)
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid))
  }, SAMPLE_MS)
  try {
    return { result: await work(), peakMiB }
  } finally {
    clearInterval(timer)
  }
}
