import { describe, expect, test } from 'vitest'
import { createWire, refusalOf } from '../support/wire-support.js'

const { client, clientOf, newUser } = await createWire()
const nuxeo = client()

describe('users', () => {
  test('creates, fetches, updates, saves and deletes', async () => {
    const created = await nuxeo.users().create({
      properties: { username: 'leela', firstName: 'Leela', company: 'Nuxeo', password: 'first' },
    })
    expect([created.id, created.get('firstName')]).toEqual(['leela', 'Leela'])

    const fetched = await nuxeo.users().fetch('leela')
    fetched.set({ company: 'Planet Express' })
    const saved = await fetched.save()
    expect([saved.get('company'), saved.get('firstName')]).toEqual(['Planet Express', 'Leela'])

    const updated = await nuxeo.users().update({ id: 'leela', properties: { password: 'second' } })
    expect(JSON.stringify(updated)).not.toMatch(/second|scrypt/)
    expect((await clientOf('leela', 'second').connect()).user.id).toBe('leela')
    expect((await refusalOf(clientOf('leela', 'first').connect())).status).toBe(401)

    expect((await nuxeo.users().delete('leela')).status).toBe(204)
    expect((await refusalOf(nuxeo.users().fetch('leela'))).status).toBe(404)
  })

  test('refuses what is taken, and callers who manage nobody', async () => {
    const user = { properties: { username: 'Administrator' } }
    expect((await refusalOf(nuxeo.users().create(user))).status).toBe(409)
    const other = await newUser('stranger')
    const { status, entity } = await refusalOf(other.users().create({ properties: { username: 'x' } }))
    expect([status, entity['entity-type']]).toEqual([403, 'exception'])
  })
})

describe('groups', () => {
  const groups = () =>
    nuxeo.groups().fetchProperty('group', 'memberUsers').fetchProperty('group', 'memberGroups')

  test('creates, fetches, updates, saves and deletes', async () => {
    const created = await groups().create({
      groupname: 'crew',
      grouplabel: 'Crew',
      memberUsers: ['Administrator'],
      memberGroups: ['members'],
    })
    expect(created).toMatchObject({
      groupname: 'crew',
      memberUsers: ['Administrator'],
      memberGroups: ['members'],
    })

    const fetched = await groups().fetch('crew')
    fetched.grouplabel = 'The crew'
    fetched.memberGroups = []
    expect(await fetched.save()).toMatchObject({
      grouplabel: 'The crew',
      memberUsers: ['Administrator'],
      memberGroups: [],
    })

    const updated = await groups().update({ groupname: 'crew', memberUsers: [] })
    expect(updated).toMatchObject({ grouplabel: 'The crew', memberUsers: [] })

    expect((await groups().delete('crew')).status).toBe(204)
    expect((await refusalOf(groups().fetch('crew'))).status).toBe(404)
  })
})

describe('directories', () => {
  test('fetches all entries and one', async () => {
    const { entries, resultsCount } = await nuxeo.directory('continent').fetchAll()
    expect([entries.length, resultsCount]).toEqual([7, 7])
    expect(entries[0]).toMatchObject({ id: 'europe', directoryName: 'continent' })
    expect((await nuxeo.directory('country').fetch('France')).get('parent')).toBe('europe')
  })

  test('creates, updates, saves and deletes entries', async () => {
    const nature = nuxeo.directory('nature')
    const created = await nature.create({ properties: { id: 'ballad', label: 'Ballad' } })
    expect(created.id).toBe('ballad')

    created.set({ label: 'Long ballad' })
    expect((await created.save()).get('label')).toBe('Long ballad')

    const updated = await nature.update({ id: 'ballad', properties: { ordering: 1 } })
    expect([updated.get('ordering'), updated.get('label')]).toEqual([1, 'Long ballad'])

    expect((await nature.delete('ballad')).status).toBe(204)
    expect((await refusalOf(nature.fetch('ballad'))).status).toBe(404)
  })

  test('fetches the parent with an entry, and a translated label', async () => {
    const [france] = (
      await nuxeo.directory('l10ncoverage').fetchAll({
        queryParams: { pageSize: 300 },
        fetchProperties: { directoryEntry: ['parent'] },
        headers: { 'translate-directoryEntry': 'label', 'Accept-Language': 'fr' },
      })
    ).entries.filter(({ id }) => id === 'Germany')
    expect(france?.properties).toMatchObject({ label: 'Allemagne', parent: { id: 'europe' } })
  })
})
