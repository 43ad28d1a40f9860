import { computedSince } from '../../core/platform/sandbox/expressions/evaluation/computed.js'

/** What this process computes for some work, ms: no time in which others have the machine, or it stands still. */
export const computingTime = (work: () => unknown): number => {
  const start = process.cpuUsage()
  work()
  return computedSince(start)
}
