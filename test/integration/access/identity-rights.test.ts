import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../core/access/identity/index.js'
import { TEST_HASH } from '../../support/index.js'
import { API, basic, createIdentityBench, group, user } from '../support/identity-support.js'
import { addUser, USER_PASSWORD } from '../support/rest-client.js'
import { ADMIN_PASSWORD } from '../support/rest-support.js'

const { platform, call, store, newUser, newGroup } = await createIdentityBench()

describe('who may change what', () => {
  const attempts: [string, string, object | undefined, { plain: number; power: number }][] = [
    ['POST', '/user', user({ username: 'by-someone' }), { plain: 403, power: 201 }],
    ['PUT', '/user/by-someone', user({ company: 'x' }), { plain: 403, power: 200 }],
    ['PUT', '/user/deputy', user({ password: 'taken over' }), { plain: 403, power: 403 }],
    ['PUT', '/user/Administrator', user({ password: 'taken over' }), { plain: 403, power: 403 }],
    ['DELETE', '/user/deputy', undefined, { plain: 403, power: 403 }],
    ['PUT', '/user/plain', user({ groups: ['administrators'] }), { plain: 403, power: 403 }],
    ['POST', '/user', user({ username: 'evil', groups: ['administrators'] }), { plain: 403, power: 403 }],
    ['POST', '/user/plain/group/administrators', undefined, { plain: 403, power: 403 }],
    ['POST', '/group/administrators/user/plain', undefined, { plain: 403, power: 403 }],
    ['DELETE', '/group/administrators/user/deputy', undefined, { plain: 403, power: 403 }],
    ['PUT', '/group/administrators', group({ memberUsers: ['power'] }), { plain: 403, power: 403 }],
    ['DELETE', '/group/administrators', undefined, { plain: 403, power: 403 }],
    [
      'POST',
      '/group',
      group({ groupname: 'backdoor', parentGroups: ['administrators'], memberUsers: ['power'] }),
      { plain: 403, power: 403 },
    ],
    // Its members see every workflow.
    [
      'POST',
      '/group',
      group({ groupname: 'routeManagers', memberUsers: ['power'] }),
      { plain: 403, power: 403 },
    ],
    ['POST', '/user', user({ username: 'routeManagers' }), { plain: 403, power: 409 }],
    ['POST', '/group', group({ groupname: 'by-someone-group' }), { plain: 403, power: 201 }],
    ['PUT', '/group/by-someone-group', group({ memberUsers: ['plain'] }), { plain: 403, power: 200 }],
    ['POST', '/user/plain/group/members', undefined, { plain: 403, power: 201 }],
    ['DELETE', '/user/plain/group/members', undefined, { plain: 403, power: 200 }],
    ['DELETE', '/group/by-someone-group', undefined, { plain: 403, power: 204 }],
    ['DELETE', '/user/by-someone', undefined, { plain: 403, power: 204 }],
  ]
  test.each(attempts)('%s %s', async (method, path, json, expected) => {
    for (const name of ['plain', 'power'] as const) {
      const answer = await call(method, `${API}${path}`, { user: name, ...(json && { json }) })
      expect([name, answer.status, answer.text]).toEqual([name, expected[name], expect.anything()])
    }
    expect(await store.directGroupsOf('plain')).not.toContain('administrators')
  })

  test('a group below the administrators is theirs alone', async () => {
    await newGroup({ groupname: 'sub-admins', parentGroups: ['administrators'] })
    const joining = await call('POST', `${API}/user/plain/group/sub-admins`, { user: 'power' })
    expect(joining.status).toBe(403)
    expect((await call('DELETE', `${API}/group/sub-admins`, { user: 'power' })).status).toBe(403)
  })

  test('the groups of administrators cannot be deleted', async () => {
    const answer = await call('DELETE', `${API}/group/administrators`)
    expect([answer.status, answer.json.message]).toEqual([
      409,
      "Group 'administrators' makes its members administrators, and cannot be deleted",
    ])
    expect(await store.group('administrators')).toBeDefined()
  })

  test.each(['administrator', 'ADMINISTRATOR', 'Deputy', 'ｄeputy'])(
    'powerusers create no %s, who would look like an administrator',
    async (username) => {
      const json = user({ username, password: 'secret' })
      const { status, json: error } = await call('POST', `${API}/user`, { user: 'power', json })
      expect([status, error.message]).toEqual([
        403,
        expect.stringMatching(/^username: .* by case or marks alone$/),
      ])
      expect(await store.user(username)).toBeUndefined()
    },
  )

  test.each([
    ['Administrator\u200b', 400, 'invisible'],
    ['\u202eevil', 400, 'invisible'],
    ['\u0410dministrator', 403, 'several scripts'],
    ['\u13aadministrator', 403, 'several scripts'],
    ['Administrator\u3164', 400, 'invisible'],
    ['Administrator\u2800', 400, 'invisible'],
    ['Administrator\u0323', 403, 'marks'],
    ['Adm\u0131nistrator', 403, 'marks'],
  ])('powerusers create no %j, which looks like another', async (username, status, message) => {
    const json = user({ username, password: 'secret' })
    const answer = await call('POST', `${API}/user`, { user: 'power', json })
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)])
  })

  test.each(['Administrators', 'administr\u0430tors'])('nor a group %j', async (groupname) => {
    const json = { 'entity-type': 'group', groupname, grouplabel: 'Administrators' }
    expect((await call('POST', `${API}/group`, { user: 'power', json })).status).toBe(403)
  })

  test('nobody but an administrator makes the default administrator again', async () => {
    expect((await call('DELETE', `${API}/user/Administrator`, { user: 'deputy' })).status).toBe(204)
    const json = user({ username: 'Administrator', password: 'mine now' })
    expect((await call('POST', `${API}/user`, { user: 'power', json })).status).toBe(403)

    const last = await call('DELETE', `${API}/user/deputy`, { user: 'deputy' })
    expect([last.status, last.json.message]).toEqual([409, expect.stringMatching(/last administrator/)])
    for (const [method, path, body] of [
      ['PUT', '/user/deputy', user({ groups: [] })],
      ['DELETE', '/user/deputy/group/administrators', undefined],
      ['DELETE', '/group/administrators', undefined],
      ['PUT', '/group/administrators', group({ memberUsers: [] })],
    ] as const) {
      const answer = await call(method, `${API}${path}`, { user: 'deputy', ...(body && { json: body }) })
      expect([method, path, answer.status]).toEqual([method, path, 409])
    }
    expect((await call('GET', `${API}/me`, { user: 'deputy' })).json.isAdministrator).toBe(true)
    const again = user({ username: 'Administrator', password: ADMIN_PASSWORD, groups: ['administrators'] })
    expect((await call('POST', `${API}/user`, { user: 'deputy', json: again })).status).toBe(201)
    expect((await call('GET', `${API}/me`)).json.isAdministrator).toBe(true)
  })
})

describe('passwords', () => {
  const me = async (name: string, password: string) =>
    (await call('GET', `${API}/me`, { headers: basic(name, password) })).status

  test('are changed by their owners, who must know the old one', async () => {
    await newUser({ username: 'owner', password: 'old one' })
    const change = (headers: Record<string, string>, json: object) =>
      call('PUT', `${API}/me/changepassword`, {
        headers: { ...headers, 'Content-Type': 'application/json' },
        json,
      })
    const old = basic('owner', 'old one')
    expect(await me('owner', 'old one')).toBe(200)
    expect((await change(old, { oldPassword: 'wrong', newPassword: 'new one' })).status).toBe(401)
    expect((await change(old, { oldPassword: 'old one', newPassword: '' })).status).toBe(400)
    expect((await change(old, { oldPassword: 'old one' })).status).toBe(400)
    const changed = await change(old, { oldPassword: 'old one', newPassword: 'new one' })
    expect([changed.status, changed.json.id]).toEqual([200, 'owner'])
    expect(changed.text).not.toMatch(/new one|old one|scrypt/)
    expect([await me('owner', 'old one'), await me('owner', 'new one')]).toEqual([401, 200])
  })

  test('and rights are those of this moment', async () => {
    await newUser({ username: 'moment', password: 'pass1' })
    expect(await me('moment', 'pass1')).toBe(200)
    await call('POST', `${API}/user/moment/group/administrators`)
    expect((await call('GET', `${API}/me`, { headers: basic('moment', 'pass1') })).json.isAdministrator).toBe(
      true,
    )
    expect(
      (await call('PUT', `${API}/user/deputy`, { headers: basic('moment', 'pass1'), json: user({}) })).status,
    ).toBe(200)
    await call('DELETE', `${API}/user/moment/group/administrators`)
    const refused = await call('POST', `${API}/user`, {
      headers: basic('moment', 'pass1'),
      json: user({ username: 'q' }),
    })
    expect(refused.status).toBe(403)
    await call('PUT', `${API}/user/moment`, { json: user({ password: 'pass2' }) })
    expect([await me('moment', 'pass1'), await me('moment', 'pass2')]).toEqual([401, 200])
  })

  const salted = (algorithm: string, prefix: string): string => {
    const salt = Buffer.from('abcdefgh')
    const digest = createHash(algorithm).update('imported').update(salt).digest()
    return `${prefix}${Buffer.concat([digest, salt]).toString('base64')}`
  }

  test.each([
    ['ssha', salted('sha1', '{SSHA}')],
    ['smd5', salted('md5', '{SMD5}')],
    ['clear', 'imported'],
  ])('of an import, %s, let their owner in, and are kept better from then on', async (form, passwordHash) => {
    const username = `imported-${form}`
    await store.insertUser({
      username,
      passwordHash,
      firstName: null,
      lastName: null,
      email: null,
      company: null,
      isEnabled: true,
    })
    expect(await me(username, 'wrong')).toBe(401)
    expect((await store.user(username))?.passwordHash).toBe(passwordHash)
    expect(await me(username, 'imported')).toBe(200)
    expect((await store.user(username))?.passwordHash).toContain(TEST_HASH)
    expect([await me(username, 'imported'), await me(username, 'wrong')]).toEqual([200, 401])
  })

  test('that come hashed are stored as they are', async () => {
    const hashed = await hashPassword('by import')
    await newUser({ username: 'hashed', password: hashed })
    expect((await store.user('hashed'))?.passwordHash).toBe(hashed)
    expect([await me('hashed', 'by import'), await me('hashed', hashed)]).toEqual([200, 401])
  })

  test('that come hashed are taken from administrators alone', async () => {
    const hashed = await hashPassword('by import')
    const json = user({ username: 'smuggled', password: hashed })
    const created = await call('POST', `${API}/user`, { user: 'power', json })
    expect([created.status, created.json.message]).toEqual([
      403,
      expect.stringMatching(/^password: only admin/),
    ])
    await newUser({ username: 'target', password: 'old one' })
    const changed = await call('PUT', `${API}/user/target`, {
      user: 'power',
      json: user({ password: hashed }),
    })
    expect(changed.status).toBe(403)
    expect(await me('target', 'old one')).toBe(200)
  })

  test('a disabled user cannot go on', async () => {
    await addUser(platform, 'leaver')
    expect(await me('leaver', USER_PASSWORD)).toBe(200)
    await store.updateUser('leaver', { isEnabled: false })
    // Without being notified it would be let in for half a minute.
    await expect.poll(() => me('leaver', USER_PASSWORD), { timeout: 20_000 }).toBe(401)
    expect(await platform.authenticator.principal('leaver')).toBeUndefined()
  })
})
