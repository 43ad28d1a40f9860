import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

const FOLDER = fileURLToPath(new URL('.//', import.meta.url))
const REQUIREMENTS = join(FOLDER, 'requirements.txt')

export type PythonTest = { name: string; outcome: 'passed' | 'failed'; detail: string | null }

/** Names of all tests as `unittest` gives them, so that each is a test of its own here too. */
export const pythonTests = async (): Promise<string[]> => {
  const files = (await readdir(FOLDER)).filter((file) => file.startsWith('test_')).sort()
  const names: string[] = []
  for (const file of files) {
    let group = ''
    for (const line of (await readFile(join(FOLDER, file), 'utf8')).split('\n')) {
      group = /^class (\w+)\(/.exec(line)?.[1] ?? group
      const test = /^ {4}def (test_\w+)\(/.exec(line)?.[1]
      if (test) names.push(`${file.replace(/\.py$/, '')}.${group}.${test}`)
    }
  }
  return names
}

/** A Python with the client installed, made once for each set of requirements. */
const pythonWithClient = async (): Promise<string> => {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
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
    REQUIREMENTS,
  ])
  await rename(unfinished, folder)
  return python
}

/** Runs the tests in this folder against a server, with the unmodified client of PyPI. */
export const runPythonTests = async (server: { url: string; password: string }): Promise<PythonTest[]> => {
  const python = await pythonWithClient()
  const reports = await mkdtemp(join(tmpdir(), 'archivolt-python-'))
  try {
    const report = join(reports, 'report.json')
    await run(python, ['-B', join(FOLDER, 'run.py'), report], {
      env: { PATH: process.env.PATH, ARCHIVOLT_URL: server.url, ARCHIVOLT_PASSWORD: server.password },
    })
    const results = JSON.parse(await readFile(report, 'utf8')) as PythonTest[]
    // What fails outside a test, such as the setting up of a class, is reported under a name of its own.
    const broken = results.find(({ name }) => !name.startsWith('test_'))
    if (broken) throw new Error(`${broken.name}: ${broken.detail}`)
    return results
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
}
