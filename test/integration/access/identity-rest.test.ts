import { describe, expect, test } from 'vitest'
import { API, basic, createIdentityBench, group, user } from '../support/identity-support.js'
import type { Entity } from '../support/rest-client.js'

const { plainCall, call, store, newUser, newGroup } = await createIdentityBench()

const names = ({ entries }: Entity): string[] => entries.map(({ id }: Entity) => id)

describe('users', () => {
  test('are created, read, changed and removed', async () => {
    await newGroup({ groupname: 'inner', grouplabel: 'Inner ring' })
    await newGroup({ groupname: 'outer', memberGroups: ['inner'] })
    const created = await newUser({
      username: 'ann',
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@example.com',
      company: 'Acme',
      password: 'first',
      groups: ['inner'],
    })
    expect(created).toEqual({
      'entity-type': 'user',
      id: 'ann',
      properties: {
        username: 'ann',
        firstName: 'Ann',
        lastName: 'Lee',
        email: 'ann@example.com',
        company: 'Acme',
        groups: ['inner'],
      },
      extendedGroups: [
        { name: 'inner', label: 'Inner ring', url: 'group/inner' },
        { name: 'outer', label: 'outer', url: 'group/outer' },
        { name: 'members', label: 'Members group', url: 'group/members' },
      ],
      isPartial: false,
      isAdministrator: false,
      isAnonymous: false,
    })
    expect((await call('GET', `${API}/user/ann`, { user: 'plain' })).json).toEqual(created)

    const changed = await call('PUT', `${API}/user/ann`, {
      json: {
        'entity-type': 'user',
        id: 'ann',
        properties: { lastName: null, company: 'Beta', password: '' },
      },
    })
    expect(changed.status).toBe(200)
    expect(changed.json.properties).toMatchObject({ lastName: null, company: 'Beta', groups: ['inner'] })
    expect((await call('GET', `${API}/me`, { headers: basic('ann', 'first') })).json.id).toBe('ann')

    expect((await call('DELETE', `${API}/user/ann`)).status).toBe(204)
    const gone = await call('GET', `${API}/user/ann`)
    expect([gone.status, gone.json.message]).toEqual([404, 'user does not exist'])
    expect((await call('GET', `${API}/me`, { headers: basic('ann', 'first') })).status).toBe(401)
    expect((await call('GET', `${API}/group/inner`)).json.memberUsers).toEqual([])
  })

  test.each<[string, unknown, number, RegExp]>([
    ['no name', user({ firstName: 'x' }), 400, /username/],
    ['a blank name', user({ username: '  ' }), 400, /username/],
    ['a reserved name', user({ username: 'Everyone' }), 400, /username.*reserved/],
    ['a name with a line break', user({ username: 'a\nb' }), 400, /username/],
    ['a taken name', user({ username: 'plain' }), 409, /already exists/],
    ["a group's name", user({ username: 'powerusers' }), 409, /name of a group/],
    ['an unknown group', user({ username: 'u1', groups: ['nowhere'] }), 400, /groups.*nowhere/],
    ['groups that are no list', user({ username: 'u1', groups: 'members' }), 400, /groups/],
    ['a number for a text', user({ username: 'u1', email: 7 }), 400, /email/],
    ['NUL in a text', user({ username: 'u1', email: 'a\0' }), 400, /email/],
    ['another entity', { 'entity-type': 'group' }, 400, /entity-type/],
    ['no entity', [], 400, /entity/],
  ])('with %s are refused', async (_case, json, status, message) => {
    const answer = await call('POST', `${API}/user`, { json })
    expect([answer.status, answer.json['entity-type']]).toEqual([status, 'exception'])
    expect(answer.json.message).toMatch(message)
    expect(await store.user('u1')).toBeUndefined()
  })

  test('cannot be renamed', async () => {
    const answer = await call('PUT', `${API}/user/plain`, { json: user({ username: 'other' }) })
    expect([answer.status, answer.json.message]).toEqual([400, "username: user 'plain' cannot be renamed"])
  })

  test.each(['PUT', 'DELETE'])('that are not there: %s is 404', async (method) => {
    const json = method === 'PUT' ? { json: user({}) } : {}
    expect((await call(method, `${API}/user/nobody`, json)).status).toBe(404)
    expect((await call(method, `${API}/user/no%00body`, json)).status).toBe(404)
  })

  test('may have slashes in their names', async () => {
    await newUser({ username: 'corp/zoë' })
    await newGroup({ groupname: 'corp/all' })
    for (const path of ['corp/zo%C3%AB', 'corp%2Fzo%C3%AB'])
      expect((await call('GET', `${API}/user/${path}`)).json.id).toBe('corp/zoë')
    const joined = await call('POST', `${API}/user/corp/zo%C3%AB/group/corp/all`)
    expect([joined.status, joined.json.properties.groups]).toEqual([201, ['corp/all']])
    const left = await call('DELETE', `${API}/group/corp/all/user/corp/zo%C3%AB`)
    expect([left.status, left.text]).toEqual([200, 'corp/zoë'])
    expect((await call('DELETE', `${API}/user/corp/zo%C3%AB`)).status).toBe(204)
  })

  test('are found by name and by first and last name; * finds all, nothing finds nobody', async () => {
    await newUser({ username: 'finder1', firstName: 'Zacharias', email: 'unseen@example.com' })
    await newUser({ username: 'other2', lastName: 'Pathfinder' })
    const search = async (query: string) => (await call('GET', `${API}/user/search?${query}`)).json
    expect(names(await search('q=FINDER'))).toEqual(['finder1', 'other2'])
    expect(names(await search('q=zacha'))).toEqual(['finder1'])
    expect(names(await search('q=zacha*'))).toEqual(['finder1'])
    expect(names(await search('q=unseen'))).toEqual([])
    expect(names(await search('q=%25'))).toEqual([])
    expect(await search('q=')).toMatchObject({ 'entity-type': 'users', resultsCount: 0, entries: [] })
    expect(await search('')).toMatchObject({ resultsCount: 0 })
    const all = await search('q=*')
    expect(names(all)).toContain('Administrator')
    const page = await search('q=*&pageSize=2&currentPageIndex=1')
    expect(page).toMatchObject({ pageSize: 2, currentPageIndex: 1, currentPageSize: 2 })
    expect(page.resultsCount).toBe(all.resultsCount)
    expect(names(page)).toEqual(names(all).slice(2, 4))
    expect(names(await search('q=*&pageSize=2&currentPageIndex=999'))).toEqual([])
  })
})

describe('groups', () => {
  test('are created, read, changed and removed', async () => {
    await newUser({ username: 'g-user' })
    await newGroup({ groupname: 'g-child' })
    await newGroup({ groupname: 'g-parent' })
    const created = await newGroup({
      groupname: 'g-one',
      grouplabel: 'One',
      description: 'first',
      memberUsers: ['g-user'],
      memberGroups: ['g-child'],
      parentGroups: ['g-parent'],
    })
    expect(created).toEqual({
      'entity-type': 'group',
      id: 'g-one',
      groupname: 'g-one',
      grouplabel: 'One',
      properties: { groupname: 'g-one', grouplabel: 'One', description: 'first' },
      memberUsers: ['g-user'],
      memberGroups: ['g-child'],
      parentGroups: ['g-parent'],
    })
    const relabelled = await call('PUT', `${API}/group/g-one`, {
      json: group({ id: 'g-one', properties: { grouplabel: 'Uno' } }),
    })
    expect(relabelled.json).toMatchObject({
      grouplabel: 'Uno',
      memberUsers: ['g-user'],
      memberGroups: ['g-child'],
    })
    const emptied = await call('PUT', `${API}/group/g-one`, {
      json: group({ groupname: 'g-one', memberUsers: [], memberGroups: [] }),
    })
    expect(emptied.json).toMatchObject({
      grouplabel: 'Uno',
      memberUsers: [],
      memberGroups: [],
      parentGroups: ['g-parent'],
    })
    expect((await call('DELETE', `${API}/group/g-one`)).status).toBe(204)
    expect((await call('GET', `${API}/group/g-one`)).status).toBe(404)
    expect((await call('GET', `${API}/group/g-parent`)).json.memberGroups).toEqual([])
  })

  test('list their members by page and text', async () => {
    for (const username of ['m-anna', 'm-bert', 'm-cora']) await newUser({ username })
    await newGroup({ groupname: 'm-sub' })
    await newGroup({
      groupname: 'm-all',
      memberUsers: ['m-bert', 'm-anna', 'm-cora'],
      memberGroups: ['m-sub'],
    })
    const list = async (rest: string) => (await call('GET', `${API}/group/m-all/${rest}`)).json
    const page = await list('@users?pageSize=2')
    expect(page).toMatchObject({ 'entity-type': 'users', resultsCount: 3, isNextPageAvailable: true })
    expect(names(page)).toEqual(['m-anna', 'm-bert'])
    expect(names(await list('@users?q=cor'))).toEqual(['m-cora'])
    expect(await list('@groups')).toMatchObject({ 'entity-type': 'groups', entries: [{ id: 'm-sub' }] })
    expect((await call('GET', `${API}/group/nowhere/@users`)).status).toBe(404)
  })

  test('are searched like users', async () => {
    await newGroup({ groupname: 's-x', grouplabel: 'Searchable label' })
    const search = async (q: string) => (await call('GET', `${API}/group/search?q=${q}`)).json
    expect(names(await search('able+lab'))).toEqual(['s-x'])
    expect((await search('')).resultsCount).toBe(0)
    expect(names(await search('*'))).toContain('administrators')
  })

  test('that would contain themselves are refused, and nothing is changed', async () => {
    await newGroup({ groupname: 'c-a' })
    await newGroup({ groupname: 'c-b', memberGroups: ['c-a'] })
    for (const [name, values] of [
      ['c-a', { memberGroups: ['c-b'] }],
      ['c-a', { memberGroups: ['c-a'] }],
      ['c-b', { parentGroups: ['c-a'], grouplabel: 'changed' }],
    ] as const) {
      const answer = await call('PUT', `${API}/group/${name}`, { json: group(values) })
      expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/contain itself/)])
    }
    expect((await call('GET', `${API}/group/c-b`)).json).toMatchObject({
      grouplabel: 'c-b',
      memberGroups: ['c-a'],
      parentGroups: [],
    })
  })

  test.each<[string, object, number, RegExp]>([
    ['no name', group({ grouplabel: 'x' }), 400, /groupname/],
    ["a user's name", group({ groupname: 'plain' }), 409, /name of a user/],
    ['a taken name', group({ groupname: 'members' }), 409, /already exists/],
    ['unknown users', group({ groupname: 'bad', memberUsers: ['nobody'] }), 400, /memberUsers.*nobody/],
    ['unknown parents', group({ groupname: 'bad', parentGroups: ['nowhere'] }), 400, /parentGroups.*nowhere/],
  ])('with %s are refused', async (_case, json, status, message) => {
    const answer = await call('POST', `${API}/group`, { json })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.json.message).toMatch(message)
    expect(await store.group('bad')).toBeUndefined()
  })

  test.each<[string, readonly string[]]>([
    ['', []],
    ['?fetch.group=memberUsers', ['memberUsers']],
    ['?fetch-group=memberGroups&fetch-group=parentGroups', ['memberGroups', 'parentGroups']],
  ])('have the lists that %j fetches', async (query, lists) => {
    const { json } = await plainCall('GET', `${API}/group/administrators${query}`)
    expect(Object.keys(json).filter((key) => /^(member|parent)/.test(key))).toEqual(lists)
  })

  test('may name groups that are not there yet, which no poweruser can then create', async () => {
    await newGroup({ groupname: 'early', memberGroups: ['later'] })
    await newGroup({ groupname: 'later' })
    expect((await call('GET', `${API}/group/later`)).json.parentGroups).toEqual(['early'])
    const rights = group({ memberGroups: ['seize'] })
    expect((await call('PUT', `${API}/group/administrators`, { json: rights })).status).toBe(200)
    const seize = { user: 'power', json: group({ groupname: 'seize', memberUsers: ['power'] }) }
    expect((await call('POST', `${API}/group`, seize)).status).toBe(403)
    await call('PUT', `${API}/group/administrators`, { json: group({ memberGroups: [] }) })
  })

  test('name their members both ways', async () => {
    await newGroup({ groupname: 'both' })
    expect((await call('POST', `${API}/group/both/user/plain`)).json.properties.groups).toContain('both')
    expect((await call('DELETE', `${API}/user/plain/group/both`)).text).toBe('plain')
    expect((await call('POST', `${API}/user/nobody/group/both`)).status).toBe(404)
    expect((await call('POST', `${API}/user/plain/group/nowhere`)).status).toBe(404)
  })
})
