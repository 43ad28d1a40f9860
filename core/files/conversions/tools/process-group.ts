import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { ConfinedRun, Sandbox } from '../sandbox/sandbox.js'

export type SpawnToolOptions = Pick<SpawnOptions, 'stdio'> &
  ConfinedRun & {
    sandbox: Sandbox
    /** The program's PATH. */
    path: string
    /** Of each of its processes. */
    memoryBytes: number
    /** Of each file that it writes. */
    fileBytes: number
    /** Beside what every program gets. */
    env?: Readonly<Record<string, string>> | undefined
  }

/**
 * Sets what the program and its children may use (memory in KiB, files in blocks of 512 bytes, no core dumps) and
 * becomes it; a lower limit stays.
 */
const LIMITED = 'ulimit -c 0; ulimit -d "$0" 2>/dev/null; ulimit -f "$1" 2>/dev/null; shift; exec "$@"'

const BLOCK = 512

/**
 * Starts a program in a process group of its own, so that its children can be ended with it, in a sandbox, with
 * `folder` as working, home and temporary folder. It gets a bare environment: programs that read hostile documents see
 * no credentials of ours.
 */
export const spawnTool = ({
  sandbox,
  path,
  memoryBytes,
  fileBytes,
  stdio,
  env,
  ...run
}: SpawnToolOptions): ChildProcess => {
  const { command, args } = sandbox.wrap(run)
  const limits = [Math.floor(memoryBytes / 1024), Math.floor(fileBytes / BLOCK)].map(String)
  return spawn('/bin/sh', ['-c', LIMITED, ...limits, command, ...args], {
    cwd: run.folder,
    detached: true,
    env: { PATH: path, HOME: run.folder, TMPDIR: run.folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...env },
    stdio,
  })
}

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
