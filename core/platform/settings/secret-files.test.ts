import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseSettings } from './index.js'
import { SECRETS, withSecretFiles } from './secret-files.js'

const folder = mkdtempSync(join(tmpdir(), 'archivolt-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileWith = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test.each(SECRETS)('%s is read from a file', (name) => {
  const file = fileWith(name, 'a secret\n')
  expect(withSecretFiles({ [`${name}_FILE`]: file })[name]).toBe('a secret')
})

test('settings take secrets from files', () => {
  const file = fileWith('url', 'postgres://somebody:secret@host/archivolt\n')
  expect(parseSettings({ DATABASE_URL_FILE: file }).databaseUrl).toBe(
    'postgres://somebody:secret@host/archivolt',
  )
})

test('an empty secret beside its file is none', () => {
  const file = fileWith('beside', 'a')
  expect(withSecretFiles({ TEMPORAL_API_KEY: '', TEMPORAL_API_KEY_FILE: file }).TEMPORAL_API_KEY).toBe('a')
})

test('a secret that is given twice, or whose file is missing, is refused by name', () => {
  const file = fileWith('twice', 'a')
  const both = { ARCHIVOLT_ADMIN_PASSWORD: 'b', ARCHIVOLT_ADMIN_PASSWORD_FILE: file }
  expect(() => parseSettings(both)).toThrow('ARCHIVOLT_ADMIN_PASSWORD_FILE: ARCHIVOLT_ADMIN_PASSWORD is set')
  const missing = join(folder, 'missing')
  expect(() => parseSettings({ DATABASE_URL_FILE: missing })).toThrow(
    `DATABASE_URL_FILE: the file ${missing} cannot be read`,
  )
})
