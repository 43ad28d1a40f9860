import { spawn } from 'node:child_process'

/** Reads process ids until the input ends, then terminates them, kills them, and removes the folder, if any. */
const SCRIPT = `
trap '' HUP INT TERM
pids=
while read -r pid; do pids="$pids $pid"; done
[ -z "$pids" ] || { kill -INT $pids; sleep 2; kill -QUIT $pids; }
[ -z "$1" ] || rm -rf "$1"
`

export type Reaper = {
  watch(pid: number): void
  /** Disarms it: the servers were ended in the ordinary way. */
  dismiss(): void
}

/**
 * Ends servers and removes their folder when this process dies without doing so itself, `kill -9` included:
 * a small shell waits at the other end of a pipe, which the system closes with this process.
 *
 * @param folder absent: nothing is removed.
 */
export const startReaper = (folder?: string): Reaper => {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'reaper', folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  return {
    watch: (pid) => void child.stdin.write(`${pid}\n`),
    dismiss: () => void child.kill('SIGKILL'),
  }
}
