import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createWire } from '../integration/support/wire-support.js'
import { ADMIN_PASSWORD } from '../support/platform.js'
import { pythonWith } from '../support/python.js'

const FOLDER = fileURLToPath(new URL('../schemathesis/', import.meta.url))
/** Of examples, with the operations in the order of the document; those for which no time is left are left out. */
const SECONDS = 70
/** Characters of a report of failures, at its beginning and its end. */
const SHOWN = 10_000
/** Calls of operations and chains, twins of other routes that name a document by its path, and what has no end. */
const OTHERS = '^call|ByPath$|^streamEvents$'

const { baseURL } = await createWire()

test('the API answers as it is described', async () => {
  const python = await pythonWith(join(FOLDER, 'requirements.txt'))
  const args = [
    ...['-m', 'schemathesis.cli'],
    ...['--config-file', join(FOLDER, 'schemathesis.toml'), 'run', `${baseURL}api/v1/openapi.json`],
    ...['--auth', `Administrator:${ADMIN_PASSWORD}`, '--phases', 'coverage', '--max-time', String(SECONDS)],
    // Two workers at once meet a fault of Python 3.11: the parser of its own code counts depth for all threads.
    ...['--seed', '1', '--no-shrink', '--no-color', '--workers', '1'],
    ...['--exclude-operation-id-regex', OTHERS],
  ]
  const options = { maxBuffer: 64 * 2 ** 20 }
  const { stdout } = await promisify(execFile)(python, args, options).catch((failed: { stdout: string }) => {
    throw new Error(`${failed.stdout.slice(0, SHOWN)}\n…\n${failed.stdout.slice(-SHOWN)}`)
  })
  expect(stdout).toMatch(/\d+ passed/)
})
