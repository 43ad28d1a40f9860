import { expect, test } from 'vitest'
import { SETTINGS, unknownSettings } from './index.js'

test('variables that no setting knows are named in one line, with what is probably meant', () => {
  const env = { ARCHIVOLT_PROT: '80', ARCHIVOLT_COLOUR: 'red', ARCHIVOLT_SMTP_URL_FLE: 'a', HOME: '/' }
  expect(unknownSettings(env)).toBe(
    'no setting is called ARCHIVOLT_PROT (did you mean ARCHIVOLT_PORT?), ARCHIVOLT_COLOUR, ARCHIVOLT_SMTP_URL_FLE (did you mean ARCHIVOLT_SMTP_URL_FILE?)',
  )
})

test('nothing is said of settings, secrets in files, and what others read', () => {
  const others = ['ARCHIVOLT_URL', 'ARCHIVOLT_SMTP_URL_FILE', 'ARCHIVOLT_TEST_SEED', 'ARCHIVOLT_SITE']
  const env = Object.fromEntries([...SETTINGS, ...others].map((name) => [name, 'x']))
  expect(unknownSettings(env)).toBeUndefined()
})
