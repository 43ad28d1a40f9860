/**
 * The processor time of this process since `process.cpuUsage()` returned `start`, ms: other work on a busy machine,
 * or a machine that stands still, does not count.
 */
export const computedSince = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
