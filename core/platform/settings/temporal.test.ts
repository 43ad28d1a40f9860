import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseSettings } from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'archivolt-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string): string => {
  const path = join(folder, name)
  writeFileSync(path, name)
  return path
}
const [ca, cert, key] = [file('ca'), file('cert'), file('key')]
const KEY = 'k'.repeat(32)

const temporalOf = (variables: NodeJS.ProcessEnv) =>
  parseSettings({ DATABASE_URL: 'postgres://localhost/archivolt', ...variables }).temporal

const NO_TLS_PARTS = { ca: undefined, client: undefined, serverName: undefined }

test.each([
  ['off by default', {}, undefined],
  ['on when it is said', { TEMPORAL_TLS: 'true' }, NO_TLS_PARTS],
  ['on with an API key', { TEMPORAL_API_KEY: 'x' }, NO_TLS_PARTS],
  ['off with an API key when that is said', { TEMPORAL_API_KEY: 'x', TEMPORAL_TLS: 'false' }, undefined],
  ['on with an authority', { TEMPORAL_TLS_CA: ca }, { ...NO_TLS_PARTS, ca: Buffer.from('ca') }],
  [
    'mutual with a certificate',
    { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_TLS_SERVER_NAME: 'temporal' },
    {
      ca: undefined,
      client: { cert: Buffer.from('cert'), key: Buffer.from('key') },
      serverName: 'temporal',
    },
  ],
])('TLS is %s', (_, variables, tls) => {
  expect(temporalOf(variables).tls).toEqual(tls)
})

test('the namespace is that of the setting, or the default one', () => {
  expect(temporalOf({ TEMPORAL_NAMESPACE: 'archive' }).namespace).toBe('archive')
  expect(temporalOf({}).namespace).toBe('default')
  expect(() => temporalOf({ TEMPORAL_NAMESPACE: '' })).toThrow(/TEMPORAL_NAMESPACE: /)
})

test('keys are a list, the first of which is used', () => {
  const other = 'o'.repeat(40)
  expect(temporalOf({ ARCHIVOLT_TEMPORAL_KEY: `${KEY}, ${other}` }).encryptionKeys).toEqual([KEY, other])
  expect(temporalOf({}).signingKeys).toEqual([])
})

test.each([
  [{ TEMPORAL_TLS_CERT: cert }, /^TEMPORAL_TLS_KEY: /],
  [{ TEMPORAL_TLS_KEY: key }, /^TEMPORAL_TLS_CERT: /],
  [{ TEMPORAL_TLS_CA: '/no/such/file' }, /^TEMPORAL_TLS_CA: the file cannot be read/],
  [{ TEMPORAL_TLS: 'false', TEMPORAL_TLS_CA: ca }, /^TEMPORAL_TLS: /],
  [{ TEMPORAL_TLS: 'yes' }, /TEMPORAL_TLS: /],
  [{ ARCHIVOLT_TEMPORAL_KEY: 'short' }, /ARCHIVOLT_TEMPORAL_KEY: .*32/],
  [{ ARCHIVOLT_SIGNING_KEY: `${KEY},short` }, /ARCHIVOLT_SIGNING_KEY: .*32/],
])('%o is refused by the name of its variable', (variables, message) => {
  expect(() => temporalOf(variables)).toThrow(message)
})
