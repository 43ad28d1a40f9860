import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each(['api/main.ts', 'worker/main.ts'])(
  '%s says in a line for each setting what is wrong with it',
  (main) => {
    const wrong = { ARCHIVOLT_SIGNING_KEY: 'short', ARCHIVOLT_PLATFORM_VERSION: 'LTS 2023' }
    const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1/none', ...wrong }
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main], {
      env,
      encoding: 'utf8',
    })
    expect(stderr.trim().split('\n')).toEqual([
      'The settings are not valid:',
      'ARCHIVOLT_SIGNING_KEY: each key must have 32 characters or more',
      'ARCHIVOLT_PLATFORM_VERSION: must be a version of the reference platform, e.g. 2021.57 or 10.10-HF60',
    ])
    expect(status).toBe(1)
  },
)
