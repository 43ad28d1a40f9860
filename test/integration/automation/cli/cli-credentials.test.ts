import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCredentials } from '../../../../cli/session/index.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-credentials-'))
afterAll(() => rm(folder, { recursive: true }))

const login = { url: 'http://h', user: 'ann', password: 'secret' }

test('keeps one login in a file of mode 600, whatever it was before', async () => {
  const credentials = createCredentials({ XDG_CONFIG_HOME: folder })
  expect(await credentials.load()).toBeUndefined()
  await credentials.save(login)
  await chmod(credentials.file, 0o644)
  await credentials.save({ ...login, password: 'other' })
  expect(await credentials.load()).toEqual({ ...login, password: 'other' })
  expect((await stat(credentials.file)).mode & 0o777).toBe(0o600)
  expect(await readdir(dirname(credentials.file))).toEqual(['credentials.json'])
  expect(await credentials.remove()).toBe(true)
  expect(await credentials.remove()).toBe(false)
})

test.each(['{', '{}', '{"url":1}'])('says what to do about a file that holds %j', async (text) => {
  const credentials = createCredentials({ XDG_CONFIG_HOME: folder })
  await credentials.save(login)
  await writeFile(credentials.file, text)
  await expect(credentials.load()).rejects.toThrow('archivolt login')
})

test.each([
  [{ HOME: '/home/ann' }, '/home/ann/.config/archivolt/credentials.json'],
  [{ HOME: '/home/ann', XDG_CONFIG_HOME: 'relative' }, '/home/ann/.config/archivolt/credentials.json'],
  [{ HOME: '/home/ann', XDG_CONFIG_HOME: '/etc/xdg' }, '/etc/xdg/archivolt/credentials.json'],
])('%j keeps it in %s', (environment, file) => {
  expect(createCredentials(environment).file).toBe(file)
})
