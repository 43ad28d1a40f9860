import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { StackFailure } from './failure.js'
import { type ProcessRecord, processIdentity } from './identity.js'
import { type StopStep, stopProcess } from './stop.js'

/** A user of the system that a server runs as. */
export type Owner = { uid: number; gid: number }

export type LaunchOptions = {
  command: string
  args: readonly string[]
  /** Both outputs are appended here: a file outlives this process, a pipe would kill the server with it. */
  logFile: string
  env: NodeJS.ProcessEnv
  cwd?: string
  owner?: Owner
  /** Nothing is started any more once this is aborted. */
  signal?: AbortSignal
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type RunningProcess = ProcessRecord & {
  /** Settles when the process has ended, for whatever reason. */
  exited: Promise<Exit>
  /** Ends it step by step and resolves when it is gone. */
  stop(steps: readonly StopStep[]): Promise<void>
}

export const describeExit = ({ code, signal }: Exit): string =>
  signal ? `signal ${signal}` : `exit code ${code}`

/**
 * Starts a server in a process group of its own, so that the terminal's Ctrl-C reaches the supervisor only,
 * which then ends the servers in order. Synchronous: no moment passes in which it runs and nobody knows.
 */
export const launch = (options: LaunchOptions): RunningProcess => {
  options.signal?.throwIfAborted()
  mkdirSync(dirname(options.logFile), { recursive: true })
  const log = openSync(options.logFile, 'a')
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    detached: true,
    ...options.owner,
  })
  closeSync(log)
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 127, signal: null }))
  })
  if (child.pid === undefined) {
    throw new StackFailure(`${options.command} cannot be started: it is not there or not executable.`)
  }
  const record = { pid: child.pid, identity: processIdentity(child.pid) ?? '' }
  return {
    ...record,
    exited,
    stop: async (steps) => {
      await stopProcess(record, steps)
      await exited
    },
  }
}
