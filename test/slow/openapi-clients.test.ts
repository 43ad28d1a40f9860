import { execFile } from 'node:child_process'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { createWire } from '../integration/support/wire-support.js'
import { installedPackages } from '../support/npm.js'
import { ADMIN_PASSWORD } from '../support/platform.js'

const TOOLS = fileURLToPath(new URL('../openapi-clients/', import.meta.url))
const INSTALL_MS = 180_000
const run = promisify(execFile)
const { baseURL } = await createWire()

let tools: string
let folder: string
let description: string

beforeAll(async () => {
  tools = await installedPackages(TOOLS)
  folder = await mkdtemp(join(tmpdir(), 'archivolt-openapi-'))
  await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'))
  description = join(folder, 'openapi.json')
  const Authorization = `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`
  const response = await fetch(`${baseURL}api/v1/openapi.json`, { headers: { Authorization } })
  await writeFile(description, await response.text())
}, INSTALL_MS)

test('the description has no fault by the recommended rules of redocly', async () => {
  const { stdout } = await run(process.execPath, [join(tools, 'lint.mjs'), description])
  expect(JSON.parse(stdout)).toEqual([])
})

/** Uses of generated types that compile only while those say what the API does. */
const USES = `import type { components, operations, paths } from './api.js'

type Answer<Operation extends { responses: unknown }> = Operation['responses']
export const started: Answer<operations['startToConvertMainBlob']>[202]['content']['application/json'] = {
  'entity-type': 'conversionScheduled', conversionId: 'x', pollingURL: 'x', resultURL: 'x',
}
export const directory: paths['/directory/{directory}']['get']['parameters']['path'] = { directory: 'nature' }
export const status: components['schemas']['conversionStatus']['status'] = 'running'
// @ts-expect-error there is no such status
export const other: components['schemas']['conversionStatus']['status'] = 'waiting'
`

test('types that openapi-typescript generates compile with strict', async () => {
  const bin = join(tools, 'node_modules', '.bin')
  await run(join(bin, 'openapi-typescript'), [description, '-o', join(folder, 'api.d.ts')])
  await writeFile(join(folder, 'uses.ts'), USES)
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext']
  const compiled = await run(join(bin, 'tsc'), [...strict, 'uses.ts', 'api.d.ts'], { cwd: folder }).catch(
    (failed: { stdout: string }) => failed,
  )
  expect(compiled.stdout).toBe('')
})
