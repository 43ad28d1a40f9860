import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { deleteGroup, deleteUser } from '../../../core/access/identity/index.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { findEntries } from '../../../core/content/directories/index.js'
import { createAutomationRuntime, createPlatform, type Platform } from '../../../runtime/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { addUser } from '../support/rest-client.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

const configuration = mkdtempSync(join(tmpdir(), 'archivolt-deployed-'))
const file = (name: string, ...rows: string[]) =>
  writeFileSync(join(configuration, name), ['id,label', ...rows, ''].join('\n'))
file('colours.csv', 'red,Red', 'blue,Blue')
file('shades.csv', 'dark,Dark')
file('broken.csv', 'red,Red')
writeFileSync(join(configuration, 'broken.csv'), 'id,colour\nred,Red\n')
writeFileSync(
  join(configuration, 'people.yaml'),
  'groups: { lawyers: { members: [ann] } }\nusers: { ann: { groups: [administrators] } }\n',
)

const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: configuration })
const runtime = await createAutomationRuntime(platform)
afterAll(runtime.close)
const reported: string[] = []
const logger = pino({ level: 'error' }, { write: (line: string) => void reported.push(line) })

/** What is seen of the same database after its next start. */
const afterStart = async <Result>(look: (started: Platform) => Promise<Result>): Promise<Result> => {
  const started = await createPlatform(platform.settings, logger)
  try {
    return await look(started)
  } finally {
    await started.close()
  }
}

const deploy = (name: string, content: object) =>
  runtime.deployments.deploy({
    principal: SYSTEM,
    point: 'directories',
    name,
    text: JSON.stringify({ extends: 'template-vocabulary', ...content }),
    format: 'json',
    precondition: {},
  })

const idsIn = async (directory: string, { readSession }: Platform = platform): Promise<string[]> =>
  (await findEntries(readSession(SYSTEM), directory)).entries.map(({ id }) => id)

const remove = (directory: string, id: string) =>
  platform.database.sql`DELETE FROM directory_entries WHERE directory = ${directory} AND id = ${id}`

describe('a directory that is deployed', () => {
  test('has the entries of its data file at once, and once', async () => {
    await deploy('colours', { dataFile: 'colours.csv' })
    expect(await idsIn('colours')).toEqual(['blue', 'red'])
    await remove('colours', 'red')
    await deploy('colours', { dataFile: 'colours.csv', cacheTimeout: 1 })
    await deploy('other', {})
    expect(await idsIn('colours')).toEqual(['blue'])
    expect(await afterStart((started) => idsIn('colours', started))).toEqual(['blue'])
  })

  test.each([
    ['a file that is missing', { dataFile: 'nowhere.csv' }, /nowhere\.csv/],
    ['a file that does not fit', { dataFile: 'broken.csv' }, /no field 'colour'/],
  ])('is refused with %s, and nothing is kept', async (_, content, message) => {
    await expect(deploy('refused', content)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
      details: [expect.objectContaining({ line: 1, field: 'dataFile' })],
    })
    await expect(runtime.deployments.get('directories', 'refused')).rejects.toThrow()
    expect(await idsIn('colours')).toEqual(['blue'])
  })

  test('is refused when its file brings what is there and may not be', async () => {
    await platform.database.sql`
      INSERT INTO directory_entries (directory, id, properties) VALUES ('strict', 'red', '{"id": "red"}')`
    const content = { dataFile: 'colours.csv', dataLoadingPolicy: 'reject_duplicate' }
    await expect(deploy('strict', content)).rejects.toMatchObject({ code: 'invalid' })
    await deploy('strict', {})
    expect(await idsIn('strict')).toEqual(['red'])
  })

  test('is emptied for its file at its own deployment, not at that of others', async () => {
    await deploy('shades', { dataFile: 'shades.csv', createTablePolicy: 'always' })
    await remove('shades', 'dark')
    await deploy('other', { cacheTimeout: 1 })
    expect(await idsIn('shades')).toEqual([])
    await deploy('shades', {
      dataFile: 'shades.csv',
      createTablePolicy: 'always',
      dataLoadingPolicy: 'legacy',
    })
    expect(await idsIn('shades')).toEqual(['dark'])
  })

  test('does not keep the product from starting when its file has gone', async () => {
    await deploy('shades', { dataFile: 'shades.csv', dataLoadingPolicy: 'update_duplicate' })
    rmSync(join(configuration, 'shades.csv'))
    reported.length = 0
    expect(await afterStart((started) => idsIn('shades', started))).toEqual(['dark'])
    expect(reported.join()).toContain('shades.csv')
  })
})

test('an administrator without a password gets one at a start', async () => {
  const store = createIdentityStore(platform.database.sql)
  await store.updateUser('Administrator', { passwordHash: null })
  const found = await afterStart(async ({ authenticator }) =>
    authenticator.verify('Administrator', ADMIN_PASSWORD),
  )
  expect(found?.isAdministrator).toBe(true)
})

test('groups and users of the configuration are made once: what was removed stays removed', async () => {
  const store = createIdentityStore(platform.database.sql)
  expect(await store.members('lawyers', 'user')).toMatchObject({ entries: ['ann'] })
  await addUser(platform, 'root', ['administrators'])
  await platform.withSession(SYSTEM, async (session) => {
    await deleteUser(session, 'ann')
    await deleteUser(session, 'Administrator')
    await deleteGroup(session, 'lawyers')
  })
  writeFileSync(join(configuration, 'more.yaml'), 'groups: { auditors: { members: [root] } }\n')
  await afterStart(async () => undefined)
  expect(await store.users(['ann', 'Administrator'])).toEqual([])
  expect(await store.group('lawyers')).toBeUndefined()
  expect(await store.members('auditors', 'user')).toMatchObject({ entries: ['root'] })
})

test.each([
  ['nobody', { disableDefaultAdministratorsGroup: true, defaultAdministrators: [] }],
  ['nobody who is there', { disableDefaultAdministratorsGroup: true, defaultAdministrators: ['nobody'] }],
])('rules that leave %s to administrate are refused', async (_, content) => {
  const call = {
    principal: SYSTEM,
    point: 'userManager',
    name: 'default',
    format: 'json' as const,
    precondition: {},
  }
  await expect(runtime.deployments.deploy({ ...call, text: JSON.stringify(content) })).rejects.toMatchObject({
    code: 'conflict',
  })
  const others = { ...content, administratorsGroups: ['auditors'] }
  await runtime.deployments.deploy({ ...call, text: JSON.stringify(others) })
  await runtime.deployments.remove({ ...call })
})
