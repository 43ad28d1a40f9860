import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, findOnPath, StackFailure } from '../process/index.js'

/** Newer versions cannot be built by `go install`. */
const VERSION = '1.5.1'

export type FindOptions = { env: NodeJS.ProcessEnv; onBuild: () => void; signal?: AbortSignal }

const runGo = (go: string, binFolder: string, { env, signal }: FindOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(go, ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`], {
      env: { ...env, GOBIN: binFolder },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-2_000)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(words.trim().split('\n').slice(-3).join(' '))),
    )
  })

/** Builds beside the final place and moves there when done, so that an interrupted build leaves nothing. */
const buildWithGo = async (go: string, target: string, options: FindOptions): Promise<string> => {
  const cache = cacheFolder(options.env)
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'temporal-build-'))
  try {
    await runGo(go, unfinished, options)
    mkdirSync(target, { recursive: true })
    renameSync(join(unfinished, 'temporal'), join(target, 'temporal'))
    return join(target, 'temporal')
  } catch (cause) {
    throw new StackFailure(
      `Temporal could not be built by Go (${(cause as Error).message}): install the Temporal command line, ` +
        'or set TEMPORAL_ADDRESS to the address of a Temporal server.',
      { cause },
    )
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** The `temporal` command: on PATH, else in the cache, else built by Go, which takes some minutes once. */
export const findTemporal = async (options: FindOptions): Promise<string> => {
  const { env } = options
  const folder = join(cacheFolder(env), `temporal-${VERSION}`)
  const found = findOnPath('temporal', env.PATH) ?? findOnPath('temporal', folder)
  if (found) return found
  const go = findOnPath('go', env.PATH)
  if (!go) {
    throw new StackFailure(
      'Temporal is not installed: install its command line (`temporal`) or Go (which builds it once), ' +
        'or set TEMPORAL_ADDRESS to the address of a Temporal server.',
    )
  }
  options.onBuild()
  return buildWithGo(go, folder, options)
}
