import Nuxeo from 'nuxeo'
import { describe, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../support/wire-support.js'

const { baseURL, client, clientOf, newUser } = await createWire()

describe('connect', () => {
  test('signs in, and learns the release and the user', async () => {
    const nuxeo = await client().connect()
    expect(nuxeo.connected).toBe(true)
    expect(nuxeo.serverVersion.gte('10.2')).toBe(true)
    expect(nuxeo.user).toMatchObject({
      'entity-type': 'user',
      id: 'Administrator',
      isAdministrator: true,
      properties: { username: 'Administrator', groups: ['administrators'] },
    })
  })

  test('signs in a user without rights', async () => {
    const nuxeo = await (await newUser('ann', ['members'])).connect()
    expect(nuxeo.user).toMatchObject({ id: 'ann', isAdministrator: false })
  })

  test('signs in by the older name of the call, and through the older roots', async () => {
    for (const apiPath of ['site/api/v1', 'site/api']) {
      expect((await client({ apiPath }).login()).connected).toBe(true)
    }
  })

  test.each([
    ['a wrong password', 'Administrator', 'wrong'],
    ['an unknown user', 'nobody', 'wrong'],
  ])('is refused with %s', async (_case, username, password) => {
    const { status, entity } = await refusalOf(clientOf(username, password).connect())
    expect(status).toBe(401)
    expect(entity).toMatchObject({ 'entity-type': 'exception', status: 401 })
  })
})

test('whether the platform runs is public', async () => {
  const anonymous = new Nuxeo({ baseURL })
  const status = await anonymous.http({ url: `${baseURL}runningstatus` })
  expect(status).toMatchObject({ state: 'up', dependencies: expect.any(Array) })
})

describe('users', () => {
  test('fetches a user, and misses one that is not there', async () => {
    expect(await client().users().fetch('Administrator')).toMatchObject({ id: 'Administrator' })
    expect((await refusalOf(client().users().fetch('nobody'))).status).toBe(404)
  })
})

describe('request', () => {
  const nuxeo = client()

  test('gets, posts, puts and deletes', async () => {
    const folder = await nuxeo.request(`path${WORKSPACES}`).post<Nuxeo.Document>({
      body: { 'entity-type': 'document', type: 'Folder', name: 'requests' },
    })
    expect(folder.path).toBe(`${WORKSPACES}/requests`)

    const changed = await nuxeo
      .request('path')
      .path(`${WORKSPACES}/requests`)
      .put<Nuxeo.Document>({
        body: { 'entity-type': 'document', properties: { 'dc:description': 'put' } },
        schemas: ['dublincore'],
      })
    expect(changed.get('dc:description')).toBe('put')

    const found = await nuxeo.request(`id/${folder.uid}`).get<Nuxeo.Document>()
    expect([found.uid, found.properties]).toEqual([folder.uid, {}])

    expect((await nuxeo.request(`id/${folder.uid}`).delete<Nuxeo.Answer>()).status).toBe(204)
    expect((await refusalOf(nuxeo.request(`id/${folder.uid}`).get())).status).toBe(404)
  })

  test('takes query parameters, and shows the answer itself when asked', async () => {
    const answer = await nuxeo
      .request(`path${WORKSPACES}`)
      .queryParams({ properties: 'dublincore' })
      .get<Nuxeo.Answer>({ resolveWithFullResponse: true })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; nuxeo-entity=document')
    expect(JSON.parse(await answer.text())).toMatchObject({ properties: { 'dc:title': 'Workspaces' } })
  })

  test('reaches the adapters of a document', async () => {
    const children = await nuxeo.request('path/default-domain/@children').get<Nuxeo.Page>()
    expect(children.entries.map(({ title }) => title)).toEqual(['Sections', 'Templates', 'Workspaces'])
    expect(children.entries[0]?.isFolder()).toBe(true)
    expect(await nuxeo.request('path/default-domain/@acl').get()).toMatchObject({ 'entity-type': 'acls' })
  })
})

describe('settings of the client', () => {
  test('reach every document that is fetched through it', async () => {
    const nuxeo = client({ schemas: ['dublincore'], enrichers: { document: ['breadcrumb'] } })
    const document = await nuxeo.repository().fetch(WORKSPACES)
    expect(document.get('dc:title')).toBe('Workspaces')
    expect(document.contextParameters.breadcrumb).toMatchObject({
      entries: [{ title: 'Domain' }, { title: 'Workspaces' }],
    })
  })

  test.each<[string, (repository: Nuxeo.Repository) => Nuxeo.Repository, object]>([
    ['schemas', (of) => of.schemas(['dublincore']), { properties: { 'dc:title': 'Workspaces' } }],
    [
      'header',
      (of) => of.header('X-NXDocumentProperties', '*'),
      { properties: { 'dc:title': 'Workspaces' } },
    ],
    ['headers', (of) => of.headers({ 'X-NXproperties': 'common' }), { properties: { 'common:size': null } }],
    [
      'enrichers',
      (of) => of.enrichers({ document: ['acls', 'permissions'] }),
      { contextParameters: { acls: expect.any(Array), permissions: expect.any(Array) } },
    ],
    [
      'fetchProperties',
      (of) => of.fetchProperties({ document: ['versionLabel', 'lock'] }),
      { versionLabel: '' },
    ],
    ['repositoryName', (of) => of.repositoryName('default'), { path: WORKSPACES }],
  ])('%s reach the documents of a repository', async (_name, set, shown) => {
    expect(await set(client().repository()).fetch(WORKSPACES)).toMatchObject(shown)
  })

  test('a transaction timeout is accepted', async () => {
    const nuxeo = client().transactionTimeout(60)
    expect((await nuxeo.repository().fetch(WORKSPACES)).path).toBe(WORKSPACES)
  })
})
