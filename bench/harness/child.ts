import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildProgram, DIST } from '../../stack/build/index.js'
import { chooseNode, NODE_OPTIONS } from '../../stack/services/index.js'

export type Child = {
  /** Its first line of output. */
  ready: string
  stop(): Promise<void>
}

/** Waits for the first line that a process prints. */
const childOf = async (child: ChildProcess, program: string): Promise<Child> => {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolve)
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

const start = (program: string, args: readonly string[], env = process.env): Promise<Child> =>
  childOf(spawn(chooseNode().command, args, { stdio: ['ignore', 'pipe', 'inherit'], env }), program)

/** Starts a program of the system, and waits for the first line that it prints. */
export const startProgram = (program: string, args: readonly string[]): Promise<Child> =>
  childOf(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] }), program)

/** Starts a program of the benchmarks on the servers' Node, in a process of its own, and waits for the first line that it prints. */
export const startChild = (program: string, args: readonly string[]): Promise<Child> =>
  start(program, ['--import', 'tsx', fileURLToPath(new URL(`../${program}`, import.meta.url)), ...args])

/**
 * The same, built and started as the product's servers are: code that is transpiled on load creates functions at
 * several times the price, which would slow a floor that uses much of the product.
 */
export const startBuilt = async (
  program: string,
  args: readonly string[],
  env = process.env,
): Promise<Child> => {
  const name = `bench-${program.replace(/\.ts$/, '').replaceAll('/', '-')}`
  await buildProgram({ name, entry: `./bench/${program}` })
  return start(program, [...NODE_OPTIONS, join(DIST, `${name}.js`), ...args], env)
}
