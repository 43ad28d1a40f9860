import type Nuxeo from 'nuxeo'
import { beforeAll, describe, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { client, newUser } = await createWire()
const repository = client().repository({ schemas: ['dublincore'] })
const ROOT = `${WORKSPACES}/repository`
let reader: Nuxeo

beforeAll(async () => {
  reader = await newUser('reader', ['members'])
  await repository.create(WORKSPACES, { type: 'Workspace', name: 'repository' })
})

describe('fetch', () => {
  test('by path, by id, and as part of a named repository', async () => {
    const byPath = await repository.fetch('/default-domain')
    const byId = await client().repository('default').fetch(byPath.uid)
    expect([byId.uid, byId.path]).toEqual([byPath.uid, '/default-domain'])
    expect((await repository.fetch('/')).type).toBe('Root')
  })

  test('paths with every kind of character', async () => {
    const names = [
      'a b',
      'é ü 漢字',
      'plus+and&',
      'per%20cent',
      'semi;colon=',
      'quote\'"',
      '(round)[square]',
      'at@sign',
      'q?#',
    ]
    for (const name of names) {
      const made = await repository.create(ROOT, { type: 'File', name })
      expect(made.path).toBe(`${ROOT}/${name}`)
      expect((await repository.fetch(`${ROOT}/${name}`)).uid).toBe(made.uid)
    }
  })

  test.each(['schemas', 'enrichers', 'fetchProperties'] as const)(
    'without %s shows none',
    async (selection) => {
      const plain = await client().repository().fetch(ROOT)
      const shown = {
        schemas: plain.properties,
        enrichers: plain.contextParameters,
        fetchProperties: plain.versionLabel,
      }
      expect(shown[selection] ?? {}).toEqual({})
    },
  )

  test('with schemas, enrichers, depth and properties to fetch', async () => {
    const document = await client()
      .repository()
      .schemas(['dublincore'])
      .enricher('document', 'children')
      .enricher('document', 'permissions')
      .fetchProperty('document', 'versionLabel')
      .depth('children')
      .fetch('/default-domain')
    expect(document.get('dc:title')).toBe('Domain')
    // A domain has no version numbers.
    expect(document.versionLabel).toBe('')
    expect(document.contextParameters.permissions).toContain('Everything')
    expect(document.contextParameters.children).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({
          title: 'Workspaces',
          properties: expect.objectContaining({ 'dc:title': 'Workspaces' }),
        }),
      ]),
    })
  })

  test.each([
    ['an unknown path', () => repository.fetch('/no/such')],
    ['an unknown id', () => repository.fetch('00000000-0000-0000-0000-000000000000')],
    ['what is no id', () => repository.fetch('nothing')],
    ['an unknown repository', () => client().repository('other').fetch('/')],
  ])('of %s is refused with 404', async (_case, call) => {
    const { status, entity } = await refusalOf(call())
    expect(status).toBe(404)
    expect(entity).toMatchObject({ 'entity-type': 'exception', status: 404, message: expect.any(String) })
  })
})

describe('create', () => {
  test('under a path or an id, with properties of every kind', async () => {
    const parent = await repository.fetch(ROOT)
    const made = await repository.create(
      parent.uid,
      {
        type: 'File',
        name: 'kinds',
        properties: {
          'dc:title': 'Kinds',
          'dc:subjects': ['art', 'music'],
          'dc:issued': '2020-02-03',
          'file:content': { name: 'k.txt', 'mime-type': 'text/plain', data: 'kinds' },
          'files:files': [{ file: { name: 'one.txt', data: 'one' } }],
        },
      },
      { schemas: ['*'] },
    )
    expect(made).toMatchObject({
      path: `${ROOT}/kinds`,
      parentRef: parent.uid,
      state: 'project',
      title: 'Kinds',
    })
    expect(made.properties).toMatchObject({
      'dc:subjects': ['art', 'music'],
      'dc:issued': '2020-02-03T00:00:00.000Z',
      'dc:creator': 'Administrator',
      'file:content': { name: 'k.txt', 'mime-type': 'text/plain', length: '5' },
      'files:files': [{ file: { name: 'one.txt' } }],
    })
    expect(made.isFolder()).toBe(false)
    expect(made.hasFacet('Downloadable')).toBe(true)
  })

  test('of a name that is taken makes another name', async () => {
    const first = await repository.create(ROOT, { type: 'Note', name: 'twice' })
    const second = await repository.create(ROOT, { type: 'Note', name: 'twice' })
    expect(second.uid).not.toBe(first.uid)
    expect(second.path).toMatch(/\/twice\.\d+$/)
  })

  test.each([
    ['without a type', () => repository.create(ROOT, { name: 'x' }), 400],
    ['without a name', () => repository.create(ROOT, { type: 'File' }), 400],
    ['of an unknown type', () => repository.create(ROOT, { type: 'Nothing', name: 'x' }), 400],
    [
      'with a value of a wrong type',
      () => repository.create(ROOT, { type: 'File', name: 'x', properties: { 'dc:issued': 'soon' } }),
      400,
    ],
    [
      'under a parent that is not there',
      () => repository.create('/no/such', { type: 'File', name: 'x' }),
      404,
    ],
    ['without the right to', () => reader.repository().create(ROOT, { type: 'File', name: 'x' }), 403],
  ])('%s is refused', async (_case, call, expected) => {
    const { status, entity } = await refusalOf(call())
    expect(status).toBe(expected)
    expect(entity).toMatchObject({ 'entity-type': 'exception', status: expected })
  })
})

describe('update', () => {
  test('changes only what it names', async () => {
    const made = await repository.create(ROOT, {
      type: 'File',
      name: 'update',
      properties: { 'dc:title': 'Before', 'dc:rights': 'kept' },
    })
    const updated = await repository.update({ uid: made.uid, properties: { 'dc:title': 'After' } })
    expect(updated.properties).toMatchObject({ 'dc:title': 'After', 'dc:rights': 'kept' })
  })

  test('takes back the whole of what was fetched, files included', async () => {
    const made = await repository.create(ROOT, {
      type: 'File',
      name: 'whole',
      properties: {
        'file:content': { name: 'w.txt', data: 'whole' },
        'files:files': [{ file: { data: 'one' } }],
      },
    })
    const fetched = await repository.fetch(made.uid, { schemas: ['*'] })
    fetched.properties['dc:title'] = 'Whole'
    const updated = await repository.update(fetched, { schemas: ['*'] })
    expect(updated.title).toBe('Whole')
    expect(updated.properties['file:content']).toMatchObject({ name: 'w.txt', length: '5' })
    expect(await (await updated.fetchBlob('files:files/0/file')).text()).toBe('one')
  })

  test('makes a version when asked, and answers with it', async () => {
    const made = await repository.create(ROOT, { type: 'File', name: 'versioned' })
    const options = {
      headers: { 'X-Versioning-Option': 'MINOR' },
      fetchProperties: { document: ['versionLabel'] },
    }
    const version = await repository.update({ uid: made.uid, properties: { 'dc:title': 'One' } }, options)
    expect(version).toMatchObject({ isVersion: true, versionLabel: '0.1' })
    expect(version.uid).not.toBe(made.uid)
  })

  test('is refused without the right to, of what is not there, and with a stale change token', async () => {
    const made = await repository.create(ROOT, { type: 'File', name: 'refused' })
    const change = { uid: made.uid, properties: { 'dc:title': 'Changed' } }
    expect((await refusalOf(reader.repository().update(change))).status).toBe(403)
    expect(
      (await refusalOf(repository.update({ ...change, uid: '00000000-0000-0000-0000-000000000000' }))).status,
    ).toBe(404)
    const body = { 'entity-type': 'document', changeToken: '9-9', properties: change.properties }
    expect((await refusalOf(client().request(`id/${made.uid}`).put({ body }))).status).toBe(409)
    expect((await repository.fetch(made.uid)).get('dc:title')).toBe(null)
  })
})

describe('delete', () => {
  test('by path and by id, once', async () => {
    const byPath = await repository.create(ROOT, { type: 'Folder', name: 'gone' })
    const child = await repository.create(byPath.path, { type: 'File', name: 'child' })
    expect((await repository.delete(byPath.path)).status).toBe(204)
    expect((await refusalOf(repository.delete(child.uid))).status).toBe(404)
    const byId = await repository.create(ROOT, { type: 'Folder', name: 'gone' })
    expect((await repository.delete(byId.uid)).status).toBe(204)
  })

  test('is refused without the right to', async () => {
    expect((await refusalOf(reader.repository().delete(ROOT))).status).toBe(403)
    expect((await repository.fetch(ROOT)).path).toBe(ROOT)
  })
})

describe('query', () => {
  const titles = (page: Nuxeo.Page) => page.entries.map(({ title }) => title)
  const query = "SELECT * FROM Note WHERE dc:source = 'query'"

  beforeAll(async () => {
    for (const title of ['b', 'a', "it's", 'c']) {
      await repository.create(ROOT, {
        type: 'Note',
        name: `query-${title}`,
        properties: { 'dc:title': title, 'dc:source': 'query' },
      })
    }
  })

  test('pages through sorted results', async () => {
    const first = await repository.query({ query, pageSize: 3, sortBy: 'dc:title', sortOrder: 'asc' })
    expect(titles(first)).toEqual(['a', 'b', 'c'])
    expect(first).toMatchObject({ resultsCount: 4, numberOfPages: 2, isNextPageAvailable: true, pageSize: 3 })
    const second = await repository.query({
      query,
      pageSize: 3,
      currentPageIndex: 1,
      sortBy: 'dc:title',
      sortOrder: 'asc',
    })
    expect(titles(second)).toEqual(["it's"])
    expect(second).toMatchObject({ currentPageIndex: 1, isNextPageAvailable: false })
    expect(second.entries[0]?.get('dc:source')).toBe('query')
  })

  test('sorts downwards without an order, and keeps the order of the query', async () => {
    expect(titles(await repository.query({ query, sortBy: 'dc:title' }))).toEqual(["it's", 'c', 'b', 'a'])
    expect(titles(await repository.query({ query: `${query} ORDER BY dc:title` }))).toEqual([
      'a',
      'b',
      'c',
      "it's",
    ])
  })

  test('takes parameters by place and by name', async () => {
    const byPlace = await repository.query({
      query: `${query} AND dc:title IN (?, ?)`,
      queryParams: ['a', "it's"],
      sortBy: 'dc:title',
      sortOrder: 'asc',
    })
    expect(titles(byPlace)).toEqual(['a', "it's"])
    const byName = await repository.query({ query: `${query} AND dc:title = :wanted`, wanted: "it's" })
    expect(titles(byName)).toEqual(["it's"])
  })

  test('asks a page provider, with the values of its search form', async () => {
    const found = await repository.query({ pageProvider: 'default_search', ecm_path: [ROOT], pageSize: 1 })
    expect(titles(found)).toHaveLength(1)
    const misspelt = repository.query({ pageProvider: 'default_search', ecm_pth: [ROOT] })
    expect((await refusalOf(misspelt)).entity).toMatchObject({ message: expect.stringContaining('ecm_pth') })
  })

  test('shows each caller what it may see', async () => {
    const folder = await repository.create(ROOT, { type: 'Folder', name: 'closed' })
    await client().operation('Document.BlockPermissionInheritance').input(folder).execute()
    await repository.create(folder.path, {
      type: 'Note',
      name: 'secret',
      properties: { 'dc:title': 'secret', 'dc:source': 'query' },
    })
    expect((await repository.query({ query })).resultsCount).toBe(5)
    expect((await reader.repository().query({ query })).resultsCount).toBe(4)
  })

  test.each([
    ['NXQL that is none', { query: 'SELECT FROM' }, 400],
    ['a page size that is no number', { query, pageSize: 'many' }, 400],
    ['a page provider that is not there', { pageProvider: 'nothing' }, 404],
  ])('is refused with %s', async (_case, given, expected) => {
    const { status, entity } = await refusalOf(repository.query(given))
    expect(status).toBe(expected)
    expect(entity).toMatchObject({ 'entity-type': 'exception', status: expected })
  })
})
