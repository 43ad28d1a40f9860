import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pythonWith } from '../support/python.js'

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

/** Runs the tests in this folder against a server, with the unmodified client of PyPI. */
export const runPythonTests = async (server: { url: string; password: string }): Promise<PythonTest[]> => {
  const python = await pythonWith(REQUIREMENTS)
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
