import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A copy of a folder with the packages of its `package.json` installed, once for each content of that: for tools that
 * one test needs and that the product's own packages exclude, such as another TypeScript.
 */
export const installedPackages = async (folder: string): Promise<string> => {
  const digest = createHash('sha256')
    .update(await readFile(join(folder, 'package.json')))
    .digest('hex')
    .slice(0, 12)
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const installed = join(cache, 'archivolt', `packages-${digest}`)
  if (!existsSync(installed)) {
    // Moved into place when it is whole: what a killed run leaves behind is never taken for it.
    const unfinished = `${installed}.${process.pid}`
    await mkdir(unfinished, { recursive: true })
    await cp(join(folder, 'package.json'), join(unfinished, 'package.json'))
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: unfinished })
    await rename(unfinished, installed)
  }
  await cp(folder, installed, { recursive: true })
  return installed
}
