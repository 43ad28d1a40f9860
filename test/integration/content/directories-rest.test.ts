import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { type EntryQuery, findEntries } from '../../../core/content/directories/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const CONFIGURATION = `
schemas:
  staff: { fields: { id: string, name: string, teams: "string[]", secret: string, since: date, rank: long } }
  team: { fields: { id: string, name: string, staff: "string[]" } }
  numbered: { fields: { id: long, label: string } }
  joined: { fields: { id: string, name: string, title: string } }
  titles: { fields: { id: string, text: string } }
  kept: { fields: { by: { type: string, resolver: { directory: secrets } } } }
types: { Kept: { extends: Document, schemas: [kept] } }
groups: { legal: {}, auditors: {}, writers: {} }
directories:
  staff:
    schema: staff
    passwordField: secret
    types: [people, test]
    substringMatchType: subany
    references: { teams: { directory: team } }
    dataFile: staff.csv
    dataFileCharacterSeparator: ";"
    dataLoadingPolicy: skip_duplicate
  team: { schema: team, references: { staff: { directory: staff, inverseOf: teams } } }
  numbered: { schema: numbered, autoincrementIdField: true }
  frozen: { extends: template-vocabulary, readOnly: true }
  restricted:
    extends: template-vocabulary
    permissions: { Read: { groups: [auditors] }, Write: { groups: [legal], users: [scribe] } }
  onlyRead: { extends: template-vocabulary, permissions: { Read: { groups: [Everyone] } } }
  small: { extends: template-vocabulary, querySizeLimit: 2, filters: { obsolete: 1 } }
  guarded: { extends: template-vocabulary, deleteConstraints: [{ directory: restricted, field: label }] }
  titles: { schema: titles }
  secrets: { extends: template-vocabulary, permissions: { Read: { groups: [auditors] } } }
  half:
    backend: multi
    schema: joined
    sources: { main: { creation: true, subDirectories: { staff: {}, secrets: { optional: true, fields: { label: title } } } } }
  leaking:
    backend: multi
    schema: staff
    sources: { main: { subDirectories: { staff: {} } } }
  closedTeam:
    schema: team
    references: { staff: { directory: closedStaff, inverseOf: teams } }
    permissions: { Write: { groups: [Everyone] } }
  closedStaff:
    schema: staff
    references: { teams: { directory: closedTeam } }
    permissions: { Read: { groups: [auditors] } }
  used: { extends: template-vocabulary, deleteConstraints: [{ directory: secrets, field: label }] }
  joined:
    backend: multi
    schema: joined
    sources:
      main:
        creation: true
        subDirectories:
          staff: {}
          titles: { optional: true, fields: { text: title } }
`
const configuration = mkdtempSync(join(tmpdir(), 'archivolt-directories-'))
writeFileSync(join(configuration, 'test.yaml'), CONFIGURATION)
writeFileSync(
  join(configuration, 'staff.csv'),
  'id;name;teams;secret;since;rank\nann;"Ann; Lee";red|blue;pw;2020-01-02T03:04:05Z;7\nbob;Bob;red;;;\n',
)

const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: configuration })
const call = createClient(platform)
const DIRECTORY = '/api/v1/directory'

const entry = (directoryName: string, properties: object, more: object = {}) => ({
  'entity-type': 'directoryEntry',
  directoryName,
  properties,
  ...more,
})
const add = (directory: string, properties: object, user = 'Administrator') =>
  call('POST', `${DIRECTORY}/${directory}`, { json: entry(directory, properties), user })
const get = async (path: string, more: object = {}) => (await call('GET', `${DIRECTORY}/${path}`, more)).json
const ids = ({ entries }: Entity): string[] => entries.map(({ id }: Entity) => id)

beforeAll(async () => {
  await addUser(platform, 'power', ['powerusers'])
  await addUser(platform, 'plain')
  await addUser(platform, 'lawyer', ['legal', 'members'])
  await addUser(platform, 'clerk', ['legal'])
  await addUser(platform, 'auditor', ['auditors'])
  await addUser(platform, 'scribe')
})

describe('the vocabularies of the product', () => {
  test.each<[string, number, object]>([
    [
      'continent',
      7,
      {
        id: 'europe',
        properties: { label: 'label.directories.continent.europe', obsolete: 0, ordering: 10 },
      },
    ],
    [
      'country',
      249,
      { id: 'France', properties: { label: 'label.directories.country.France', parent: 'europe' } },
    ],
    [
      'l10ncoverage',
      256,
      { id: 'France', properties: { parent: 'europe', label_fr: 'France', label_en: 'France' } },
    ],
    [
      'l10nsubjects',
      73,
      { id: 'cinema', properties: { parent: 'art', label_en: 'Cinema', label_fr: 'Cinéma' } },
    ],
    ['language', 183, { id: 'fr', properties: { label: 'label.directories.language.fr' } }],
    ['nature', 33, { id: 'invoice', properties: { label: 'label.directories.nature.invoice' } }],
    ['topic', 6, { id: 'art' }],
    ['subtopic', 67, { id: 'music', properties: { parent: 'art' } }],
    ['locale', 67, { id: 'fr_FR', properties: { label: 'label.directories.locale.fr_FR' } }],
  ])('%s has %i entries', async (name, count, one) => {
    const { id } = one as { id: string }
    expect((await get(`${name}?pageSize=1000`)).resultsCount).toBe(count)
    expect(await get(`${name}/${id}`)).toMatchObject({
      'entity-type': 'directoryEntry',
      directoryName: name,
      ...one,
    })
  })

  test('every parent is there, and every reference of the content model has its directory', async () => {
    const rows = await platform.database.sql`
      SELECT c.directory, c.id FROM directory_entries c
      WHERE c.properties ? 'parent' AND NOT EXISTS (
        SELECT 1 FROM directory_entries p WHERE p.id = c.properties->>'parent' AND p.directory =
          CASE c.directory WHEN 'country' THEN 'continent' WHEN 'subtopic' THEN 'topic' ELSE c.directory END)`
    expect([...rows]).toEqual([])
    const { registry } = platform.readSession((await platform.authenticator.principal('plain'))!).directories
    for (const name of ['nature', 'l10nsubjects', 'l10ncoverage']) expect(registry.has(name)).toBe(true)
  })

  test('are brought in once: what was removed stays removed at later starts', async () => {
    expect((await call('DELETE', `${DIRECTORY}/nature/fax`)).status).toBe(204)
    const { createPlatform } = await import('../../../runtime/index.js')
    const again = await createPlatform(platform.settings, platform.logger)
    await again.close()
    expect((await call('GET', `${DIRECTORY}/nature/fax`)).status).toBe(404)
    expect((await call('GET', `${DIRECTORY}/nature/form`)).status).toBe(200)
  })
})

describe('lists', () => {
  test('directories, without those of the system', async () => {
    const list = await get('')
    const names = list.entries.map(({ name }: Entity) => name)
    expect(list['entity-type']).toBe('directories')
    expect(names).toEqual([...names].sort())
    expect(names).toContain('country')
    expect(names).not.toContain('userDirectory')
    expect(names).not.toContain('template-vocabulary')
    expect(list.entries.find(({ name }: Entity) => name === 'country')).toEqual({
      'entity-type': 'directory',
      name: 'country',
      schema: 'xvocabulary',
      idField: 'id',
      parent: 'continent',
    })
    const people = (await call('GET', `${DIRECTORY}?types=people,nothing`)).json
    expect(people.entries.map(({ name }: Entity) => name)).toEqual(['staff'])
  })

  test('entries by ordering, then id, fifty to a page', async () => {
    const first = await get('country')
    expect(first).toMatchObject({
      'entity-type': 'directoryEntries',
      pageSize: 50,
      currentPageSize: 50,
      resultsCount: 249,
      numberOfPages: 5,
      isNextPageAvailable: true,
    })
    expect(ids(first).slice(0, 2)).toEqual(['Afghanistan', 'Aland_Islands'])
    const last = await get('country?pageSize=100&currentPageIndex=2')
    expect(last).toMatchObject({ currentPageSize: 49, isNextPageAvailable: false })
    expect(ids(await get('continent')).slice(0, 3)).toEqual(['europe', 'africa', 'north-america'])
    expect(await get('country?pageSize=10&currentPageIndex=99')).toMatchObject({
      entries: [],
      resultsCount: 249,
    })
    expect((await call('GET', `${DIRECTORY}/country?pageSize=x`)).status).toBe(400)
    expect((await call('GET', `${DIRECTORY}/nowhere`)).status).toBe(404)
  })

  test('labels of the product are keys of messages, and texts when they are translated', async () => {
    const shown = (headers = {}) => get('nature/invoice', { headers })
    const { properties } = await shown()
    expect(properties.label).toBe('label.directories.nature.invoice')
    expect((await shown({ 'translate-directoryEntry': 'label' })).properties.label).toBe('Invoice')
    const back = await call('PUT', `${DIRECTORY}/nature/invoice`, {
      json: entry('nature', properties, { id: 'invoice' }),
    })
    expect([back.status, back.json.properties]).toEqual([200, properties])
    expect((await shown({ 'translate.directoryEntry': 'label' })).properties.label).toBe('Invoice')
  })

  test('expanded parents and translated labels', async () => {
    const expanded = await get('country/France', { headers: { 'fetch-directoryEntry': 'parent' } })
    expect(expanded.properties.parent).toMatchObject({
      'entity-type': 'directoryEntry',
      directoryName: 'continent',
      id: 'europe',
    })
    const headers = { 'translate-directoryEntry': 'label', 'Accept-Language': 'fr' }
    expect((await get('l10nsubjects/cinema', { headers })).properties.label).toBe('Cinéma')
  })
})

describe('entries', () => {
  test('are created, changed and removed', async () => {
    const created = await add('nature', { id: 'haiku', label: 'Haiku', unknown: 1, ordering: '5' })
    expect([created.status, created.json]).toEqual([
      201,
      {
        'entity-type': 'directoryEntry',
        directoryName: 'nature',
        id: 'haiku',
        properties: { id: 'haiku', label: 'Haiku', obsolete: 0, ordering: 5 },
      },
    ])
    expect(ids(await get('nature'))[0]).toBe('haiku')
    const json = entry('nature', { label: 'Poem', obsolete: null }, { id: 'haiku' })
    const changed = await call('PUT', `${DIRECTORY}/nature/haiku`, { json })
    expect([changed.status, changed.json.properties]).toEqual([
      200,
      { id: 'haiku', label: 'Poem', obsolete: null, ordering: 5 },
    ])
    expect((await call('DELETE', `${DIRECTORY}/nature/haiku`)).status).toBe(204)
    expect((await call('DELETE', `${DIRECTORY}/nature/haiku`)).status).toBe(404)
  })

  test('may have slashes in their ids', async () => {
    expect((await add('nature', { id: 'a/b c', label: 'x' })).status).toBe(201)
    for (const path of ['nature/a/b%20c', 'nature/a%2Fb%20c']) expect((await get(path)).id).toBe('a/b c')
    expect((await call('DELETE', `${DIRECTORY}/nature/a/b%20c`)).status).toBe(204)
    expect((await add('nature', { id: 'end/', label: 'x' })).status).toBe(201)
    for (const path of ['nature/end/', 'nature/end%2F']) expect((await get(path)).id).toBe('end/')
    expect((await call('DELETE', `${DIRECTORY}/nature/end/`)).status).toBe(204)
  })

  test.each<[string, string, unknown, number, RegExp]>([
    ['POST', 'nature', entry('nature', { id: 'form' }), 409, /'form' already exists/],
    ['POST', 'nature', entry('nature', { label: 'no id' }), 400, /properties\.id/],
    ['POST', 'nature', entry('nature', { id: ' ' }), 400, /properties\.id/],
    ['POST', 'nature', entry('country', { id: 'x' }), 400, /directoryName/],
    ['POST', 'nature', entry('nature', { id: 'x', ordering: 'many' }), 400, /ordering/],
    ['POST', 'nature', { 'entity-type': 'document' }, 400, /entity-type/],
    ['POST', 'nature', { 'entity-type': 'directoryEntry' }, 400, /properties/],
    ['POST', 'nowhere', entry('nowhere', { id: 'x' }), 404, /nowhere/],
    ['POST', 'userDirectory', entry('userDirectory', { username: 'x' }), 400, /userDirectory/],
    ['POST', 'groupDirectory', entry('groupDirectory', { groupname: 'x' }), 400, /groupDirectory/],
    ['GET', 'userDirectory', undefined, 400, /userDirectory/],
    ['GET', 'nature/nothing', undefined, 404, /nothing/],
    ['GET', 'nature/no%00thing', undefined, 404, /./],
    [
      'PUT',
      'nature/form',
      { 'entity-type': 'directoryEntry', id: 'form', properties: {} },
      400,
      /directoryName/,
    ],
    ['PUT', 'nature/form', entry('nature', { label: 'x' }), 400, /id: is missing/],
    ['PUT', 'nature/form', entry('nature', {}, { id: 'fax' }), 400, /id/],
    ['PUT', 'nature/form', entry('nature', { id: 'fax' }, { id: 'form' }), 400, /cannot be changed/],
    ['PUT', 'nature/nothing', entry('nature', { id: 'nothing' }), 404, /nothing/],
    ['DELETE', 'continent/europe', undefined, 409, /'europe' is used by entry '.*' of directory 'country'/],
    ['DELETE', 'l10nsubjects/art', undefined, 409, /is used by/],
    ['PUT', 'l10nsubjects/art', entry('l10nsubjects', { id: 'art', parent: 'music' }), 400, /own parent/],
  ])('%s %s is refused', async (method, path, json, status, message) => {
    const answer = await call(method, `${DIRECTORY}/${path}`, json === undefined ? {} : { json })
    expect([answer.status, answer.json['entity-type']], answer.text).toEqual([status, 'exception'])
    expect(answer.json.message).toMatch(message)
  })

  test('get the next number as their id where the directory counts', async () => {
    const first = (await add('numbered', { label: 'a' })).json
    const second = (await add('numbered', { label: 'b', id: 77 })).json
    expect([first.id, second.id, second.properties.id]).toEqual(['1', '2', 2])
    await call('DELETE', `${DIRECTORY}/numbered/2`)
    expect((await add('numbered', { label: 'c' })).json.id).toBe('3')
  })

  test('of many writers at once get each their own number', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => add('numbered', { label: `p${n}` })))
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(8)
  })

  test('are guarded by constraints', async () => {
    await add('guarded', { id: 'used' })
    await add('restricted', { id: 'user', label: 'used' })
    expect((await call('DELETE', `${DIRECTORY}/guarded/used`)).status).toBe(409)
    await call('DELETE', `${DIRECTORY}/restricted/user`)
    expect((await call('DELETE', `${DIRECTORY}/guarded/used`)).status).toBe(204)
  })

  test('have the fixed values of their directory', async () => {
    expect((await add('small', { id: 's1', obsolete: 0 })).json.properties.obsolete).toBe(1)
  })
})

describe('data files, passwords and references', () => {
  test('a data file with lists, dates and quotes', async () => {
    expect((await get('staff/ann')).properties).toEqual({
      id: 'ann',
      name: 'Ann; Lee',
      teams: ['red', 'blue'],
      secret: '',
      since: '2020-01-02T03:04:05.000Z',
      rank: 7,
    })
  })

  test('passwords are hashed and never shown', async () => {
    const stored = async () =>
      (
        await platform.database.sql`
        SELECT properties->>'secret' AS secret FROM directory_entries WHERE directory = 'staff' AND id = 'ann'`
      )[0]!.secret
    const before = await stored()
    expect(before).toMatch(/^\{scrypt-15-8-3\}/)
    const json = entry('staff', { secret: '' }, { id: 'ann' })
    const answer = await call('PUT', `${DIRECTORY}/staff/ann`, { json })
    expect([answer.json.properties.secret, await stored()]).toEqual(['', before])
    await call('PUT', `${DIRECTORY}/staff/ann`, { json: entry('staff', { secret: 'new' }, { id: 'ann' }) })
    expect(await stored()).not.toBe(before)
    expect((await get('staff')).entries[0].properties.secret).toBe('')
  })

  test('references are seen and written from both sides', async () => {
    await add('team', { id: 'red', name: 'Red' })
    const created = (await add('team', { id: 'green', staff: ['bob'] })).json
    expect(created.properties.staff).toEqual(['bob'])
    expect((await get('team/red')).properties.staff).toEqual(['ann', 'bob'])
    expect((await get('staff/bob')).properties.teams).toEqual(['red', 'green'])
    await call('PUT', `${DIRECTORY}/team/red`, { json: entry('team', { staff: ['ann'] }, { id: 'red' }) })
    expect((await get('staff/bob')).properties.teams).toEqual(['green'])
    await call('DELETE', `${DIRECTORY}/team/green`)
    expect((await get('staff/bob')).properties.teams).toEqual(expect.not.arrayContaining(['green']))
  })

  test('a directory that joins others', async () => {
    expect((await add('titles', { id: 'ann', text: 'Director' })).status).toBe(201)
    expect((await get('joined/ann')).properties).toEqual({ id: 'ann', name: 'Ann; Lee', title: 'Director' })
    expect((await get('joined/bob')).properties).toEqual({ id: 'bob', name: 'Bob', title: null })
    expect((await add('joined', { id: 'cid', name: 'Cid', title: 'Clerk' })).status).toBe(201)
    expect((await get('staff/cid')).properties.name).toBe('Cid')
    expect((await get('titles/cid')).properties.text).toBe('Clerk')
    const json = entry('joined', { title: 'Boss', name: 'Bobby' }, { id: 'bob' })
    expect((await call('PUT', `${DIRECTORY}/joined/bob`, { json })).json.properties.title).toBe('Boss')
    expect((await get('titles/bob')).properties.text).toBe('Boss')
    expect(ids(await get('joined?pageSize=2'))).toEqual(['ann', 'bob'])
    expect((await add('joined', { id: 'cid' })).status).toBe(409)
    expect((await call('DELETE', `${DIRECTORY}/joined/cid`)).status).toBe(204)
    expect((await call('GET', `${DIRECTORY}/titles/cid`)).status).toBe(404)
  })
})

test('conditions on single values, on lists and on what is absent', async () => {
  const session = platform.readSession((await platform.authenticator.principal('Administrator'))!)
  const found = async (filter: EntryQuery['filter'], more: EntryQuery = {}) =>
    (await findEntries(session, 'staff', { filter, ...more })).entries.map(({ id }) => id)
  await add('staff', { id: 'zed', name: 'Zed 100%', rank: 9 })
  expect(await found({ teams: 'red' })).toContain('ann')
  expect(await found({ rank: 9 })).toEqual(['zed'])
  expect(await found({ rank: 9, teams: 'red' })).toEqual([])
  expect(await found({ teams: null })).toContain('zed')
  expect(await found({ teams: null })).not.toContain('ann')
  expect(await found({ name: '0%' }, { fulltext: ['name'] })).toEqual(['zed'])
  expect(await found({ name: '0_' }, { fulltext: ['name'] })).toEqual([])
  expect(await found({}, { orderBy: [{ field: 'rank', isDescending: true }], limit: 2 })).toEqual([
    'zed',
    'ann',
  ])
  await expect(found({ secret: 'x' })).rejects.toMatchObject({ code: 'badRequest' })
  await expect(findEntries(session, 'language')).resolves.toMatchObject({ total: 183 })
  for (const id of ['s2', 's3']) await add('small', { id })
  await expect(findEntries(session, 'small')).rejects.toMatchObject({ code: 'badRequest' })
  await expect(findEntries(session, 'small', { limit: 2 })).resolves.toMatchObject({ total: 3 })
})

describe('rights (reference: security.md §8)', () => {
  const WRITERS: [string, { [user: string]: number }][] = [
    ['nature', { plain: 403, power: 201, Administrator: 201 }],
    [
      'restricted',
      { plain: 403, power: 403, lawyer: 201, clerk: 201, scribe: 201, auditor: 403, Administrator: 201 },
    ],
    ['onlyRead', { plain: 403, power: 403, Administrator: 201 }],
    ['frozen', { power: 403, Administrator: 403 }],
  ]
  test.each(WRITERS)('writing %s', async (directory, statuses) => {
    for (const [user, status] of Object.entries(statuses)) {
      const answer = await add(directory, { id: `by-${user}` }, user)
      expect([user, answer.status, answer.text]).toEqual([user, status, expect.anything()])
    }
  })

  test('who may not read sees an empty directory; write implies read', async () => {
    await add('restricted', { id: 'hidden' })
    for (const [user, sees] of [
      ['plain', false],
      ['power', false],
      ['auditor', true],
      ['clerk', true],
      ['scribe', true],
      ['Administrator', true],
    ] as const) {
      const list = await get('restricted', { user })
      expect([user, list.resultsCount > 0, list.entries.length > 0]).toEqual([user, sees, sees])
      expect((await call('GET', `${DIRECTORY}/restricted/hidden`, { user })).status).toBe(sees ? 200 : 404)
    }
    const hidden = await call('GET', `${DIRECTORY}/restricted/hidden`, { user: 'plain' })
    const missing = await call('GET', `${DIRECTORY}/restricted/missin`, { user: 'plain' })
    expect(hidden.text.replaceAll('hidden', 'missin')).toBe(missing.text)
  })

  test.each(['PUT', 'DELETE'])('%s needs the right too', async (method) => {
    const json = entry('nature', { label: 'x' }, { id: 'form' })
    const more = method === 'PUT' ? { json } : {}
    expect((await call(method, `${DIRECTORY}/nature/form`, { user: 'plain', ...more })).status).toBe(403)
    expect((await call(method, `${DIRECTORY}/frozen/x`, more)).status).toBe(403)
  })
})

describe('what a directory keeps from a caller, others do not reveal or change', () => {
  beforeAll(async () => {
    await add('secrets', { id: 'ann', label: 'paid' })
    await add('used', { id: 'paid' })
    await add('closedTeam', { id: 'red' })
    await add('closedStaff', { id: 'eve', teams: ['red'] })
  })

  test('a directory that joins it shows its part to its readers alone, and takes no writes for it', async () => {
    expect((await get('half/ann', { user: 'auditor' })).properties.title).toBe('paid')
    expect((await get('half/ann', { user: 'power' })).properties).toMatchObject({
      name: 'Ann; Lee',
      title: null,
    })
    const change = { json: entry('half', { id: 'ann', title: 'broke' }), user: 'power' }
    expect((await call('PUT', `${DIRECTORY}/half/ann`, change)).status).toBe(403)
    expect((await call('DELETE', `${DIRECTORY}/half/ann`, { user: 'power' })).status).toBe(403)
    expect((await get('secrets/ann')).properties.label).toBe('paid')
    expect((await get('staff/ann')).properties.name).toBe('Ann; Lee')
  })

  test('a directory that joins one with passwords never shows them', async () => {
    const { properties } = await get('leaking/ann')
    expect(properties).toMatchObject({ name: 'Ann; Lee', secret: null })
  })

  test('references are seen from the other side by readers alone, and not changed from there', async () => {
    expect((await get('closedTeam/red', { user: 'auditor' })).properties.staff).toEqual(['eve'])
    const shown = await get('closedTeam/red', { user: 'power' })
    expect(shown.properties.staff).toEqual([])
    const put = (properties: object) =>
      call('PUT', `${DIRECTORY}/closedTeam/red`, { json: entry('closedTeam', properties), user: 'power' })
    expect((await put({ ...shown.properties, name: 'Reds' })).status).toBe(200)
    expect((await put({ id: 'red', staff: ['ann'] })).status).toBe(403)
    expect((await get('closedStaff/eve')).properties.teams).toEqual(['red'])
  })

  test('who uses an entry is named to readers alone', async () => {
    const refused = async (user: string) => {
      const { status, json } = await call('DELETE', `${DIRECTORY}/used/paid`, { user })
      return [status, json.message]
    }
    expect(await refused('power')).toEqual([409, "Entry 'paid' is used by another one"])
    expect(await refused('Administrator')).toEqual([
      409,
      "Entry 'paid' is used by entry 'ann' of directory 'secrets'",
    ])
  })

  test('a value of a field is no way to ask which entries there are', async () => {
    const write = async (kept: string, user: string) => {
      const json = { 'entity-type': 'document', type: 'Kept', name: 'kept', properties: { 'kept:by': kept } }
      const { status, text } = await call('POST', '/api/v1/path/default-domain/workspaces', { json, user })
      expect(text).not.toContain('Privilege')
      return status
    }
    expect(await write('ann', 'Administrator')).toBe(201)
    await platform.withSession(SYSTEM, async (session) => {
      const workspaces = await getDocument(session, '/default-domain/workspaces')
      const ace = { username: 'power', permission: 'ReadWrite', granted: true }
      await setAcls(session, workspaces, [{ name: 'local', aces: [ace] }])
    })
    expect([await write('ann', 'power'), await write('nobody', 'power')]).toEqual([422, 422])
  })
})
