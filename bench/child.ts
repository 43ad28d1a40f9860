import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Child = {
  /** The first line that it printed. */
  ready: string
  stop(): Promise<void>
}

/** Starts a program of this folder in a process of its own and waits for the first line that it prints. */
export const startChild = async (program: string, args: readonly string[]): Promise<Child> => {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${program} ended with exit code ${code}`)))
  })
  return {
    ready,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
