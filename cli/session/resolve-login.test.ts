import { expect, test } from 'vitest'
import type { Login } from '../server/index.js'
import { resolveLogin } from './resolve-login.js'
import { DEFAULT_URL } from './server-url.js'

const stored: Login = { url: 'https://h', user: 'ann', password: 'secret' }
const given = { ARCHIVOLT_USER: 'bob', ARCHIVOLT_PASSWORD: 'pass' }

test.each<[string, NodeJS.ProcessEnv, Login | undefined, Login]>([
  ['what was stored', {}, stored, stored],
  ['the environment first', given, stored, { url: 'https://h', user: 'bob', password: 'pass' }],
  ['the environment alone', given, undefined, { url: DEFAULT_URL, user: 'bob', password: 'pass' }],
  ['the same server however it is written', { ARCHIVOLT_URL: 'https://h:443/' }, stored, stored],
  ['a new password of the same user', { ARCHIVOLT_PASSWORD: 'new' }, stored, { ...stored, password: 'new' }],
])('takes %s', (_, environment, login, expected) => {
  expect(resolveLogin(environment, login)).toEqual(expected)
})

test.each<[string, NodeJS.ProcessEnv, Login | undefined, string]>([
  ['without a login', {}, undefined, 'no server is known: run "archivolt login ADDRESS"'],
  [
    'a stored password for another server',
    { ARCHIVOLT_URL: 'https://evil' },
    stored,
    'Not logged in to https://evil',
  ],
  ['a stored password for another user', { ARCHIVOLT_USER: 'bob' }, stored, 'ARCHIVOLT_PASSWORD'],
  [
    'a stored password on a plain connection',
    { ARCHIVOLT_URL: 'http://h' },
    stored,
    'Not logged in to http://h',
  ],
])('refuses %s', (_, environment, login, message) => {
  expect(() => resolveLogin(environment, login)).toThrow(message)
})
