import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The path of a Python in which a file of requirements is installed, once for each content of it. Its programs are
 * called as modules: those of its folder name the place in which they were installed.
 *
 * @param requirements path of the file.
 */
export const pythonWith = async (requirements: string): Promise<string> => {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12)
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'archivolt', `python-client-${digest}`)
  const python = join(folder, 'bin', 'python')
  if (existsSync(python)) return python
  // Moved into place when it is whole: what a killed run leaves behind is never taken for it.
  const unfinished = `${folder}.${process.pid}`
  await run('python3', ['-m', 'venv', unfinished])
  await run(join(unfinished, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--requirement',
    requirements,
  ])
  await rename(unfinished, folder)
  return python
}
