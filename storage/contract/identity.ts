import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Group, IdentitySearch, IdentityStore, User } from '../../core/access/identity/index.js'

const user = (username: string, wanted: Partial<User> = {}): User => ({
  username,
  passwordHash: null,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  isEnabled: true,
  properties: {},
  ...wanted,
})

const group = (groupname: string, wanted: Partial<Group> = {}): Group => ({
  groupname,
  label: null,
  description: null,
  properties: {},
  ...wanted,
})

/** What every store of users and groups must do. */
export const describeIdentityStore = (name: string, store: IdentityStore): void => {
  /** Names of a test's own: `ann` becomes `ann-1234…`. */
  const own = () => {
    const suffix = randomUUID()
    return (short: string) => `${short}-${suffix}`
  }
  const short = (names: readonly string[]) => names.map((one) => one.slice(0, one.indexOf('-'))).join(' ')

  describe(`${name}: users`, () => {
    test('are kept by name, once', async () => {
      const as = own()
      const ann = user(as('ann'), {
        firstName: 'Änn',
        email: 'ann@x',
        passwordHash: '{x}',
        properties: { phone: '1' },
      })
      expect([await store.insertUser(ann), await store.insertUser(user(as('ann')))]).toEqual([true, false])
      await store.insertUser(user(as('bob')))
      expect(await store.user(as('ann'))).toEqual(ann)
      expect(await store.user(as('eve'))).toBeUndefined()
      expect(await store.users([as('bob'), as('eve'), as('ann')])).toEqual([user(as('bob')), ann])
    })

    test('change by field; null clears, and properties are joined with those that are there', async () => {
      const as = own()
      await store.insertUser(
        user(as('ann'), { firstName: 'Ann', company: 'x', properties: { phone: '1', room: '2' } }),
      )
      const change = {
        firstName: null,
        lastName: 'Lee',
        isEnabled: false,
        properties: { phone: null, desk: '3' },
      }
      expect(await store.updateUser(as('ann'), change)).toBe(true)
      expect(await store.user(as('ann'))).toEqual(
        user(as('ann'), {
          lastName: 'Lee',
          company: 'x',
          isEnabled: false,
          properties: { room: '2', desk: '3' },
        }),
      )
      expect(await store.updateUser(as('eve'), { lastName: 'x' })).toBe(false)
    })

    test('have a password that only its holder replaces by a better hash', async () => {
      const as = own()
      await store.insertUser(user(as('ann'), { passwordHash: 'old' }))
      await store.replacePasswordHash(as('ann'), { from: 'other', to: 'better' })
      expect((await store.user(as('ann')))?.passwordHash).toBe('old')
      await store.replacePasswordHash(as('ann'), { from: 'old', to: 'better' })
      expect((await store.user(as('ann')))?.passwordHash).toBe('better')
      await store.setPasswordHash(as('ann'), 'new')
      expect((await store.user(as('ann')))?.passwordHash).toBe('new')
    })

    test('are gone with their memberships', async () => {
      const as = own()
      await store.insertGroup(group(as('staff')))
      await store.insertUser(user(as('ann')))
      await store.addMember(as('staff'), as('ann'), 'user')
      expect([await store.removeUser(as('ann')), await store.removeUser(as('ann'))]).toEqual([true, false])
      expect(await store.members(as('staff'), 'user')).toEqual({ entries: [], total: 0 })
    })

    test('are found by their fields', async () => {
      const as = own()
      const company = as('company')
      for (const one of [
        user(as('ann'), { company, firstName: 'Ann', lastName: 'zorn', properties: { phone: '12' } }),
        user(as('bob'), { company, firstName: 'Bob%', lastName: 'Adler' }),
        user(as('eve'), { company, firstName: 'eveann' }),
      ])
        await store.insertUser(one)
      const find = async (search: IdentitySearch) => {
        const allOf = [{ field: 'company', value: company, match: 'equal' as const }, ...(search.allOf ?? [])]
        const { entries, total } = await store.searchUsers({ ...search, allOf })
        return [short(entries.map(({ username }) => username)), total]
      }
      const match = (
        field: string,
        value: string,
        how: 'equal' | 'equalIgnoringCase' | 'subany' | 'subinitial' | 'subfinal',
      ) => ({
        field,
        value,
        match: how,
      })
      expect(await find({})).toEqual(['ann bob eve', 3])
      expect(await find({ limit: 1, offset: 1 })).toEqual(['bob', 3])
      expect(await find({ limit: 1, offset: 9 })).toEqual(['', 3])
      expect(await find({ sortField: 'lastName' })).toEqual(['bob ann eve', 3])
      expect(await find({ allOf: [match('firstName', 'ann', 'equal')] })).toEqual(['', 0])
      expect(await find({ allOf: [match('firstName', 'ann', 'equalIgnoringCase')] })).toEqual(['ann', 1])
      expect(await find({ allOf: [match('firstName', 'ann', 'subany')] })).toEqual(['ann eve', 2])
      expect(await find({ allOf: [match('firstName', 'ann', 'subinitial')] })).toEqual(['ann', 1])
      expect(await find({ allOf: [match('firstName', '%', 'subfinal')] })).toEqual(['bob', 1])
      expect(await find({ allOf: [match('phone', '12', 'equal')] })).toEqual(['ann', 1])
      expect(
        await find({ anyOf: [match('lastName', 'adler', 'subinitial'), match('phone', '1', 'subinitial')] }),
      ).toEqual(['ann bob', 2])
    })
  })

  describe(`${name}: groups`, () => {
    /** `ann` in `inner`, which is in `outer` and contains it again; `bob`, disabled, in `outer`. */
    const nested = async () => {
      const as = own()
      for (const one of ['inner', 'outer', 'other']) await store.insertGroup(group(as(one)))
      await store.insertUser(user(as('ann')))
      await store.insertUser(user(as('bob'), { isEnabled: false }))
      await store.addMember(as('inner'), as('ann'), 'user')
      await store.addMember(as('outer'), as('bob'), 'user')
      await store.addMember(as('outer'), as('inner'), 'group')
      await store.addMember(as('inner'), as('outer'), 'group')
      return as
    }

    test('are kept by name, once, and change by field', async () => {
      const as = own()
      const staff = group(as('staff'), { label: 'Staff', properties: { floor: '1' } })
      expect([await store.insertGroup(staff), await store.insertGroup(staff)]).toEqual([true, false])
      expect(await store.groups([as('none'), as('staff')])).toEqual([staff])
      expect(await store.updateGroup(as('staff'), { label: null, description: 'x' })).toBe(true)
      expect(await store.updateGroup(as('none'), { label: 'x' })).toBe(false)
      expect(await store.group(as('staff'))).toEqual({ ...staff, label: null, description: 'x' })
      const search = { allOf: [{ field: 'groupname', value: as('staff'), match: 'equal' as const }] }
      expect(await store.searchGroups(search)).toMatchObject({ total: 1 })
      expect([await store.removeGroup(as('staff')), await store.removeGroup(as('staff'))]).toEqual([
        true,
        false,
      ])
    })

    test('contain one another, in circles too', async () => {
      const as = await nested()
      expect(short(await store.directGroupsOf(as('ann')))).toBe('inner')
      expect(short(await store.groupsOf(as('ann')))).toBe('inner outer')
      expect(short(await store.parentGroupsOf(as('inner')))).toBe('outer')
      expect(short(await store.withAncestors([as('inner'), as('other')]))).toBe('inner other outer')
      expect(short(await store.allMembers([as('outer')]))).toBe('ann')
      const memberships = await store.memberships([as('inner')])
      expect(
        memberships.map((one) => `${short([one.groupname])} ${short([one.member])} ${one.kind}`),
      ).toEqual(['inner ann user', 'inner outer group', 'outer inner group'])
      expect(await store.membershipsOfUsers([as('ann'), as('bob')])).toHaveLength(2)
      const all = await store.allMembershipsOfUsers([as('ann')])
      expect(all.map(({ groupname, isOwn }) => `${short([groupname])} ${isOwn}`).toSorted()).toEqual([
        'inner true',
        'outer false',
      ])
    })

    test('list their members page by page', async () => {
      const as = own()
      await store.insertGroup(group(as('staff')))
      for (const one of ['bob', 'Ann', 'eve']) await store.insertUser(user(as(one)))
      await store.setMembers(as('staff'), 'user', ['bob', 'Ann', 'eve'].map(as))
      const members = async (page?: Parameters<typeof store.members>[2]) => {
        const { entries, total } = await store.members(as('staff'), 'user', page)
        return [short(entries), total]
      }
      expect(await members()).toEqual(['Ann bob eve', 3])
      expect(await members({ limit: 1, offset: 1 })).toEqual(['bob', 3])
      expect(await members({ limit: 1, offset: 9 })).toEqual(['', 3])
    })

    test('gain and lose members', async () => {
      const as = await nested()
      await store.setMembers(as('inner'), 'user', [as('bob')])
      expect((await store.members(as('inner'), 'user')).entries).toEqual([as('bob')])
      expect((await store.members(as('inner'), 'group')).entries).toEqual([as('outer')])
      await store.setMemberOf(as('ann'), 'user', [as('other')])
      expect(await store.directGroupsOf(as('ann'))).toEqual([as('other')])
      await store.removeMember(as('other'), as('ann'), 'user')
      expect(await store.directGroupsOf(as('ann'))).toEqual([])
      await store.removeGroup(as('inner'))
      expect((await store.members(as('outer'), 'group')).entries).toEqual([])
    })

    test('change together or not at all', async () => {
      const as = own()
      const failing = store.atomically(async (inside) => {
        await inside.lockMemberships()
        await inside.insertGroup(group(as('staff')))
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await store.group(as('staff'))).toBeUndefined()
    })
  })
}
