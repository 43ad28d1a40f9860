import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './programs.js'

type GoOptions = { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined }

/** @throws Error with the last lines of what Go says. */
const runGo = (
  go: string,
  { module, binFolder, env, signal }: GoOptions & { module: string; binFolder: string },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(go, ['install', module], {
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

/**
 * Builds a program by `go install`, beside its final place, and moves it there when it is done: an interrupted build
 * leaves nothing.
 *
 * @param program.module with its version: `github.com/a/b@v1.2.3`.
 * @param program.folder where the program is put.
 * @returns the program's path.
 * @throws Error with the last lines of what Go says.
 */
export const buildWithGo = async (
  go: string,
  { name, module, folder }: { name: string; module: string; folder: string },
  options: GoOptions,
): Promise<string> => {
  const cache = cacheFolder(options.env)
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, `${name}-build-`))
  try {
    await runGo(go, { module, binFolder: unfinished, ...options })
    mkdirSync(folder, { recursive: true })
    renameSync(join(unfinished, name), join(folder, name))
    return join(folder, name)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
