/** A reason why the stack cannot run, in one sentence that names the setting which changes it. */
export class StackFailure extends Error {
  override readonly name = 'StackFailure'
}

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** True for an error, or a server's own words, that mean the disk has no space left. */
export const isDiskFull = (error: unknown): boolean =>
  hasCode(error, ['ENOSPC', 'EDQUOT']) ||
  /ENOSPC|no space left on device|database or disk is full/i.test(
    error instanceof Error ? error.message : String(error),
  )

export const diskFullMessage = (home: string): string =>
  `The disk that holds ${home} is full: free some space, or set ARCHIVOLT_HOME to a folder on another disk.`

/** What to print for anything that stopped the stack: one sentence for known reasons, else the whole error. */
export const describeFailure = (error: unknown, home: string): string => {
  if (isDiskFull(error)) return diskFullMessage(home)
  if (error instanceof StackFailure) return error.message
  if (
    hasCode(error, ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']) &&
    error instanceof Error &&
    error.message.includes(home)
  ) {
    return `The folder ${home} cannot be written (${error.message}): set ARCHIVOLT_HOME to a folder that can.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
