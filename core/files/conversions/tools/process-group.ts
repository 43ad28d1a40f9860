import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export type SpawnToolOptions = Pick<SpawnOptions, 'stdio'> & {
  command: string
  args: readonly string[]
  /** A private folder: working, home and temporary folder of the program. */
  folder: string
  /** The program's PATH. */
  path: string
}

/**
 * Starts a program in a process group of its own, so that its children can be ended with it. It gets a bare
 * environment: programs that read hostile documents see no credentials of ours.
 */
export const spawnTool = ({ command, args, folder, path, stdio }: SpawnToolOptions): ChildProcess =>
  spawn(command, args, {
    cwd: folder,
    detached: true,
    env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    stdio,
  })

/** Kills a program and all its children. Harmless when they have ended. */
export const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!hasEnded) throw error
  }
}
