import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { createCliServer } from '../../support/cli-support.js'

const UI = 'https://temporal.example/ui'
const { cli, folder, file, administrator } = await createCliServer({ ARCHIVOLT_TEMPORAL_UI: UI })

/** A program of each name that desktops open addresses by; it keeps the address that it is given. */
const desktop = async (): Promise<{ environment: NodeJS.ProcessEnv; opened(): Promise<string> }> => {
  const programs = join(folder, 'programs')
  const kept = join(folder, 'opened')
  await mkdir(programs)
  for (const name of ['open', 'xdg-open']) {
    const path = join(programs, name)
    await writeFile(path, `#!/bin/sh\nprintf '%s' "$1" > '${kept}'\n`)
    await chmod(path, 0o755)
  }
  const PATH = [programs, process.env.PATH].join(delimiter)
  const opened = () => readFile(kept, 'utf8').catch(() => '')
  return { environment: { ...administrator, PATH, DISPLAY: ':0' }, opened }
}

test('a run is opened in a browser at its address in the Temporal UI, which is printed', async () => {
  await cli(['deploy', await file('say.yaml', '- Log: {message: hello}\n')])
  const [, id = ''] = /Run (\S+)/.exec((await cli(['run', 'say'])).err) ?? []
  const { environment, opened } = await desktop()
  const { code, out, err } = await cli(['open', id], { environment })
  expect([code, err]).toEqual([0, ''])
  expect(out.startsWith(`${UI}/namespaces/`)).toBe(true)
  expect(out).toContain(id)
  await expect.poll(opened).toBe(out.trim())
})
