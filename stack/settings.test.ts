import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from './settings.js'

test('the defaults keep the state in .archivolt beside the package and listen on loopback port 8080', () => {
  expect(readSettings({}, '/project')).toMatchObject({
    home: '/project/.archivolt',
    port: 8080,
    serverPorts: { postgres: 5433, temporal: 7233, temporalUi: 8233 },
    host: '127.0.0.1',
    databaseUrl: undefined,
    temporalAddress: undefined,
  })
})

test.each([
  ['an absolute home', { ARCHIVOLT_HOME: '/data/a' }, { home: '/data/a' }],
  ['a relative home', { ARCHIVOLT_HOME: '../a' }, { home: '/a' }],
  ['a port', { ARCHIVOLT_PORT: '9000' }, { port: 9000 }],
  ['an empty port', { ARCHIVOLT_PORT: '' }, { port: 8080 }],
  [
    'ports of the servers',
    { ARCHIVOLT_POSTGRES_PORT: '1', ARCHIVOLT_TEMPORAL_PORT: '2', ARCHIVOLT_TEMPORAL_UI_PORT: '3' },
    { serverPorts: { postgres: 1, temporal: 2, temporalUi: 3 } },
  ],
  ['a host', { ARCHIVOLT_HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  ['a password', { ARCHIVOLT_ADMIN_PASSWORD: 's' }, { administratorPassword: 's' }],
  [
    'no rules for passwords',
    {},
    { passwords: { ARCHIVOLT_PASSWORD_LENGTH: '4', ARCHIVOLT_COMMON_PASSWORDS: 'allowed' } },
  ],
  [
    'rules for passwords',
    { ARCHIVOLT_PASSWORD_LENGTH: '16', ARCHIVOLT_COMMON_PASSWORDS: 'refused' },
    { passwords: { ARCHIVOLT_PASSWORD_LENGTH: '16', ARCHIVOLT_COMMON_PASSWORDS: 'refused' } },
  ],
  ['a database', { DATABASE_URL: 'postgresql://a@h/d' }, { databaseUrl: 'postgresql://a@h/d' }],
  ['Elasticsearch switched off', { ARCHIVOLT_ELASTICSEARCH: 'off' }, { elasticsearch: { isEnabled: false } }],
  [
    'an index',
    { ELASTICSEARCH_URL: 'http://h:9200' },
    { elasticsearch: { isEnabled: true, url: 'http://h:9200' } },
  ],
  ['an engine', { TEMPORAL_ADDRESS: 'engine:7233' }, { temporalAddress: 'engine:7233' }],
])('reads %s', (_, env, expected) => {
  expect(readSettings(env, '/project')).toMatchObject(expected)
})

test.each([
  ['a port that is no number', { ARCHIVOLT_PORT: 'http' }, /ARCHIVOLT_PORT is "http"/],
  ['a port out of range', { ARCHIVOLT_PORT: '65536' }, /ARCHIVOLT_PORT/],
  ['a port with a fraction', { ARCHIVOLT_PORT: '80.5' }, /ARCHIVOLT_PORT/],
  ['a port of a server', { ARCHIVOLT_TEMPORAL_UI_PORT: '0' }, /ARCHIVOLT_TEMPORAL_UI_PORT is "0"/],
  ['another kind of database', { DATABASE_URL: 'mysql://root:secret@h/d' }, /^DATABASE_URL must look like/],
  ['a database that is no address', { DATABASE_URL: 'secret' }, /^DATABASE_URL must look like/],
  ['a wrong switch', { ARCHIVOLT_ELASTICSEARCH: 'no' }, /ARCHIVOLT_ELASTICSEARCH is "no"/],
  ['an index that is no address', { ELASTICSEARCH_URL: 'secret' }, /^ELASTICSEARCH_URL must look like/],
  ['an engine with a scheme', { TEMPORAL_ADDRESS: 'http://engine:7233' }, /TEMPORAL_ADDRESS/],
  ['an engine without a port', { TEMPORAL_ADDRESS: 'engine' }, /TEMPORAL_ADDRESS/],
])('refuses %s in one sentence that names the setting and no secret', (_, env, message) => {
  expect(() => readSettings(env, '/project')).toThrow(message)
  expect(() => readSettings(env, '/project')).not.toThrow(/secret/)
})

const folder = mkdtempSync(join(tmpdir(), 'archivolt-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['ARCHIVOLT_ADMIN_PASSWORD', 's', { administratorPassword: 's', isPasswordInFile: true }],
  ['DATABASE_URL', 'postgres://a@h/d', { databaseUrl: 'postgres://a@h/d' }],
  ['ELASTICSEARCH_URL', 'http://h:9200', { elasticsearch: { isEnabled: true, url: 'http://h:9200' } }],
])('reads %s from a file', (name, text, expected) => {
  const file = join(folder, name)
  writeFileSync(file, `${text}\n`)
  expect(readSettings({ [`${name}_FILE`]: file }, '/project')).toMatchObject(expected)
  expect(() => readSettings({ [`${name}_FILE`]: file, [name]: text }, '/project')).toThrow(
    `${name}_FILE: ${name} is set as well; set one of the two.`,
  )
})
