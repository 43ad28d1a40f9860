import { expect, test } from 'vitest'
import type { AdministratorPassword } from './home/index.js'
import { renderSummary } from './summary.js'

const render = (password: AdministratorPassword, isAccepted = true): string =>
  renderSummary({ apiUrl: 'http://h:1', temporalUi: 'http://h:2', password, isAccepted, elapsedMs: 1_800 })

test.each<[string, AdministratorPassword, boolean, string, string]>([
  [
    'a generated password, once',
    { origin: 'generated', password: 'pw' },
    true,
    'password pw',
    '-u "Administrator:pw"',
  ],
  [
    'where the password came from',
    { origin: 'setting', password: 'pw' },
    true,
    'ARCHIVOLT_ADMIN_PASSWORD',
    '-u "Administrator:$ARCHIVOLT_ADMIN_PASSWORD"',
  ],
  ['an earlier password', { origin: 'earlier' }, true, 'set at the first start', '-u "Administrator"'],
  [
    'a database with an administrator',
    { origin: 'generated', password: 'pw' },
    false,
    'already has',
    '-u "Administrator"',
  ],
])('reports %s', (_, password, isAccepted, expected, credentials) => {
  const text = render(password, isAccepted)
  expect(text).toContain(expected)
  expect(text.split(credentials)).toHaveLength(4)
})

test('reads a password in a file from there', () => {
  const text = renderSummary({
    apiUrl: 'http://h:1',
    password: { origin: 'setting', password: 'chosen' },
    ...{ isPasswordInFile: true, isAccepted: true, elapsedMs: 1 },
  })
  expect(text).toContain('-u "Administrator:$(cat "$ARCHIVOLT_ADMIN_PASSWORD_FILE")"')
  expect(text).not.toContain('chosen')
})

test('never repeats a password that the user chose or that does not hold', () => {
  expect(render({ origin: 'setting', password: 'chosen' })).not.toContain('chosen')
  expect(render({ origin: 'generated', password: 'unused' }, false)).not.toContain('unused')
})
