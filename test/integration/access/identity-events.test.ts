import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { withArchive } from '../../support/archive.js'
import { addUser, createClient, USER_PASSWORD } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ...withArchive(), TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const { sql } = platform.database

const API = '/api/v1'
const user = (properties: object) => ({ 'entity-type': 'user', properties })
const group = (values: object) => ({ 'entity-type': 'group', ...values })

/** What was emitted since an event, as `user_created ann by power`. */
const reported = async (after: number): Promise<string[]> => {
  const rows = await sql<{ event: string; principal: string; id: string }[]>`
    SELECT event, principal, payload->>'id' AS id FROM outbox
    WHERE id > ${after} AND document_id IS NULL AND event ~ '^(user|group)_' ORDER BY outbox.id`
  return rows.map(({ event, principal, id }) => `${event} ${id} by ${principal}`)
}

const latest = async (): Promise<number> => {
  const [row] = await sql<{ id: number }[]>`SELECT coalesce(max(id), 0)::int AS id FROM outbox`
  return row!.id
}

beforeAll(async () => {
  await addUser(platform, 'power', ['powerusers'])
  await addUser(platform, 'ann')
})

const operate = (operation: string, params: object, repository = 'default') =>
  call('POST', `${API}/repo/${repository}/automation/${operation}`, { json: { params } })

test.each<[string, () => ReturnType<typeof call>, string[]]>([
  [
    'a new user',
    () => call('POST', `${API}/user`, { user: 'power', json: user({ username: 'bob' }) }),
    ['user_created bob by power'],
  ],
  [
    'a changed user',
    () => call('PUT', `${API}/user/bob`, { json: user({ company: 'Acme' }) }),
    ['user_modified bob by Administrator'],
  ],
  [
    'a new group',
    () => call('POST', `${API}/group`, { json: group({ groupname: 'staff' }) }),
    ['group_created staff by Administrator'],
  ],
  [
    'a changed group',
    () => call('PUT', `${API}/group/staff`, { json: group({ groupname: 'staff', memberUsers: ['ann'] }) }),
    ['group_modified staff by Administrator'],
  ],
  ['a new member', () => call('POST', `${API}/user/bob/group/staff`), ['user_modified bob by Administrator']],
  [
    'a member less',
    () => call('DELETE', `${API}/group/staff/user/bob`),
    ['user_modified bob by Administrator'],
  ],
  [
    'another password',
    () =>
      call('PUT', `${API}/me/changepassword`, {
        user: 'ann',
        json: { oldPassword: USER_PASSWORD, newPassword: 'another' },
      }),
    ['user_modified ann by ann'],
  ],
  ['a removed group', () => call('DELETE', `${API}/group/staff`), ['group_deleted staff by Administrator']],
  ['a removed user', () => call('DELETE', `${API}/user/bob`), ['user_deleted bob by Administrator']],
  [
    'a user by an operation',
    () => operate('User.CreateOrUpdate', { username: 'eve' }),
    ['user_created eve by Administrator'],
  ],
  [
    'a user by an operation on another repository, in the main database',
    () => operate('User.CreateOrUpdate', { username: 'eve', company: 'Acme' }, 'archive'),
    ['user_modified eve by Administrator'],
  ],
  ['nothing of what is refused', () => call('POST', `${API}/user`, { json: user({ username: 'ann' }) }), []],
  [
    'nothing of what nobody may do',
    () => call('PUT', `${API}/user/Administrator`, { user: 'power', json: user({ company: 'x' }) }),
    [],
  ],
])('reports %s', async (_, act, expected) => {
  const before = await latest()
  const { status, text } = await act()
  expect(status < 400 ? 'done' : 'refused', text).toBe(expected.length > 0 ? 'done' : 'refused')
  expect(await reported(before)).toEqual(expected)
})

test.each([
  'user_created',
  'user_modified',
  'user_deleted',
  'group_created',
  'group_modified',
  'group_deleted',
])('nobody else may emit %s', async (name) => {
  const { status, json } = await operate('Event.Fire', { name })
  expect([status, json.message]).toEqual([400, expect.stringContaining(name)])
})

test('what a guard refuses is taken back from another repository too', async () => {
  const store = createIdentityStore(sql)
  const operateOnArchive = (operation: string, params: object) => operate(operation, params, 'archive')
  await operateOnArchive('Group.CreateOrUpdate', { groupname: 'outer', subGroups: [] })
  await operateOnArchive('Group.CreateOrUpdate', { groupname: 'inner', parentGroups: ['outer'] })
  const cycle = await operateOnArchive('Group.CreateOrUpdate', { groupname: 'inner', subGroups: ['outer'] })
  expect(cycle.status).toBe(400)
  expect((await store.members('inner', 'group')).entries).toEqual([])
  const unknown = await operateOnArchive('User.CreateOrUpdate', {
    username: 'eve',
    company: 'x',
    groups: ['none'],
  })
  expect(unknown.status).toBe(400)
  expect((await store.user('eve'))?.company).toBe('Acme')
})

test('entries are all made or none from another repository too', async () => {
  const params = { directoryName: 'nature', entries: JSON.stringify([{ id: 'fresh' }, { id: 'article' }]) }
  expect((await operate('Directory.CreateEntries', params, 'archive')).status).toBe(409)
  expect((await call('GET', `${API}/directory/nature/article`)).status).toBe(200)
  expect((await call('GET', `${API}/directory/nature/fresh`)).status).toBe(404)
})
