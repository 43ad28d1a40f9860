import { afterAll, describe, expect, test } from 'vitest'
import { createUser, deleteUser, updateUser } from '../../../core/access/identity/index.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { getEntry, updateEntry } from '../../../core/content/directories/index.js'
import { createPlatform } from '../../../runtime/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { uniqueName } from '../../support/template.js'
import { createTestPlatform } from '../support/rest-support.js'

const one = await createTestPlatform()
const other = await createPlatform(one.settings, one.logger)
afterAll(() => other.close())

/** Who is not notified of a change learns of it by itself in half a minute. */
const NOTIFIED = { timeout: 20_000 }

const verify = (name: string, password: string) => other.authenticator.verify(name, password)
const write = (work: Parameters<typeof one.withSession>[1]) => one.withSession(SYSTEM, work)

const newUser = (username: string) => write((session) => createUser(session, { username, password: 'pass1' }))

describe('what one process changes is in force in another at once', () => {
  test('a password', async () => {
    await newUser('anna')
    expect(await verify('anna', 'pass1')).toMatchObject({ name: 'anna' })
    await write((session) => updateUser(session, 'anna', { password: 'pass2' }))
    await expect.poll(() => verify('anna', 'pass1'), NOTIFIED).toBeUndefined()
    expect(await verify('anna', 'pass2')).toMatchObject({ name: 'anna' })
  })

  test('a group', async () => {
    await newUser('bert')
    expect((await verify('bert', 'pass1'))?.isAdministrator).toBe(false)
    await write((session) => updateUser(session, 'bert', { groups: ['administrators'] }))
    await expect.poll(async () => (await verify('bert', 'pass1'))?.isAdministrator, NOTIFIED).toBe(true)
    await expect
      .poll(async () => (await other.authenticator.principal('bert'))?.isAdministrator, NOTIFIED)
      .toBe(true)
  })

  test('that a user is gone, or may no longer come in', async () => {
    await newUser('cora')
    await newUser('dora')
    for (const name of ['cora', 'dora']) expect(await verify(name, 'pass1')).toBeDefined()
    await write((session) => deleteUser(session, 'cora'))
    await write((session) => updateUser(session, 'dora', { isEnabled: false }))
    for (const name of ['cora', 'dora']) {
      await expect.poll(() => verify(name, 'pass1'), NOTIFIED).toBeUndefined()
      await expect.poll(() => other.authenticator.principal(name), NOTIFIED).toBeUndefined()
    }
  })

  test('what SQL alone has changed', async () => {
    await newUser('emil')
    expect((await verify('emil', 'pass1'))?.groups).not.toContain('powerusers')
    await one.database.sql`
      INSERT INTO group_members (groupname, member, kind) VALUES ('powerusers', 'emil', 'user')`
    await expect.poll(async () => (await verify('emil', 'pass1'))?.groups, NOTIFIED).toContain('powerusers')
  })
})

describe('in the process itself', () => {
  test('nothing old is let in from the commit on, and what did not change needs no slow hash again', async () => {
    const finn = uniqueName('finn')
    await newUser(finn)
    const { authenticator } = one
    expect(await authenticator.verify(finn, 'pass1')).toBeDefined()
    await newUser(uniqueName('gina'))
    const cheapest = async (password: string): Promise<number> => {
      const costs: number[] = []
      for (let round = 0; round < 6; round++) {
        const begun = process.cpuUsage()
        await authenticator.verify(finn, password)
        const { user, system } = process.cpuUsage(begun)
        costs.push(user + system)
      }
      return Math.min(...costs)
    }
    // A wrong password always takes the slow hash. Processor time, as a busy machine makes each look slow.
    expect((await cheapest('pass1')) * 3).toBeLessThan(await cheapest('wrong'))
    expect(await authenticator.verify(finn, 'pass1')).toBeDefined()
    await write((session) => updateUser(session, finn, { password: 'pass2' }))
    expect(await authenticator.verify(finn, 'pass1')).toBeUndefined()
  })

  test('a change that is taken back changes nothing', async () => {
    await newUser('hugo')
    const failing = write(async (session) => {
      await updateUser(session, 'hugo', { password: 'pass2' })
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    expect(await one.authenticator.verify('hugo', 'pass1')).toBeDefined()
    expect(await one.authenticator.verify('hugo', 'pass2')).toBeUndefined()
  })
})

test('two administrators who remove each other at once leave one', async () => {
  const store = createIdentityStore(one.database.sql)
  await write((session) => createUser(session, { username: 'left', groups: ['administrators'] }))
  await write((session) => createUser(session, { username: 'right', groups: ['administrators'] }))
  await write((session) => updateUser(session, 'bert', { groups: [] }))
  await write((session) => deleteUser(session, 'Administrator'))
  const outcomes = await Promise.allSettled([
    write((session) => deleteUser(session, 'left')),
    other.withSession(SYSTEM, (session) => deleteUser(session, 'right')),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await store.allMembers(['administrators'])).toHaveLength(1)
})

test('an entry that one process changes is read again by another, which had remembered it', async () => {
  const reading = () => getEntry(other.readSession(SYSTEM), 'nature', 'memo')
  expect((await reading())?.properties.label).toBe('Memo')
  await write((session) => updateEntry(session, 'nature', { id: 'memo', values: { label: 'Changed' } }))
  expect((await getEntry(one.readSession(SYSTEM), 'nature', 'memo'))?.properties.label).toBe('Changed')
  await expect.poll(async () => (await reading())?.properties.label).toBe('Changed')
})

test('an entry is read once, and remembered', async () => {
  const session = other.readSession(SYSTEM)
  await getEntry(session, 'nature', 'letter')
  await other.database.sql`
    UPDATE directory_entries SET properties = properties || '{"label": "Unannounced"}'
    WHERE directory = 'nature' AND id = 'letter'`
  expect((await getEntry(session, 'nature', 'letter'))?.properties.label).toBe('Letter')
  await other.database.sql`SELECT pg_notify('archivolt_directories', 'nature')`
  await expect
    .poll(async () => (await getEntry(session, 'nature', 'letter'))?.properties.label)
    .toBe('Unannounced')
})
