import { expect, test } from 'vitest'
import { parseSettings } from './index.js'

test('a setting that is no number is refused with its value', () => {
  const env = { DATABASE_URL: 'postgres://localhost/archivolt', ARCHIVOLT_OPEN_RUNS: 'many' }
  expect(() => parseSettings(env)).toThrow(
    'ARCHIVOLT_OPEN_RUNS: Invalid input: expected number, received "many"',
  )
})
