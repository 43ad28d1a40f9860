/**
 * What this process has computed since `process.cpuUsage()` gave `start`, ms: a machine that is busy with others, or
 * stands still, takes nothing of it.
 */
export const computedSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
