import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildServer, isWorkflowBundleUpToDate, ROOT } from '../build/index.js'
import { StackFailure } from '../process/index.js'

const named = async (name: string, build: Promise<unknown>): Promise<void> => {
  try {
    await build
  } catch (cause) {
    throw new StackFailure(`The ${name} cannot be built: ${(cause as Error).message}`, { cause })
  }
}

/** Bundling workflows keeps a processor busy for seconds, so it has a process of its own. */
const buildWorkflowsAside = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', join(ROOT, 'stack', 'build.ts'), 'workflows']
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], signal })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-4_000)
    })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(words.trim()))))
  })

export const buildApi = (): Promise<void> => named('API', buildServer('api'))

export const buildWorker = async (signal: AbortSignal): Promise<void> => {
  await named('worker', buildServer('worker'))
  if (!isWorkflowBundleUpToDate()) await named('workflows', buildWorkflowsAside(signal))
}
