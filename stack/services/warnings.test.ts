import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openHome } from '../home/index.js'
import { showWarnings } from './warnings.js'

test('warnings are shown once, but for those that are expected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-warnings-'))
  const home = openHome(folder)
  mkdirSync(dirname(home.logFile('api')))
  const said: string[] = []
  const stop = showWarnings({
    home,
    services: ['api'],
    say: (text) => said.push(text),
    isExpected: (text) => text.includes('Temporal'),
  })
  const lines = ['Temporal does not respond', 'slow', 'slow'].map((msg) => JSON.stringify({ level: 40, msg }))
  appendFileSync(home.logFile('api'), `${lines.join('\n')}\n`)
  await vi.waitFor(() => expect(said).toEqual(['api: slow']))
  stop()
  rmSync(folder, { recursive: true })
})
