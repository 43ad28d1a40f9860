import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each(['api/main.ts', 'worker/main.ts'])('%s says in one line what is wrong with a setting', (main) => {
  const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1/none', ARCHIVOLT_SIGNING_KEY: 'short' }
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main], { env, encoding: 'utf8' })
  expect(stderr.trim().split('\n')).toEqual([
    'The settings are not valid:',
    'ARCHIVOLT_SIGNING_KEY: each key must have 32 characters or more',
  ])
  expect(status).toBe(1)
})
