import { afterAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createPlatform } from '../../../runtime/index.js'
import { withArchive } from '../../support/archive.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ...withArchive(), TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann', ['members'])

const ARCHIVE = '/api/v1/repo/archive'

const create = (repository: string, name: string, properties: object = {}) =>
  call('POST', `/api/v1/repo/${repository}/path/default-domain/workspaces`, {
    json: { 'entity-type': 'document', name, type: 'File', properties },
  })

test('each repository has its own documents, default content included', async () => {
  const { status, json: made } = await create('archive', 'here', { 'dc:title': 'Here' })
  expect([status, made.repository]).toEqual([201, 'archive'])
  expect((await call('GET', `${ARCHIVE}/path${made.path}`)).json.uid).toBe(made.uid)
  expect((await call('GET', `/api/v1/path${made.path}`)).status).toBe(404)
  expect((await call('GET', `/api/v1/id/${made.uid}`)).status).toBe(404)
  const query = `/query?query=${encodeURIComponent(`SELECT * FROM File WHERE dc:title = 'Here'`)}`
  expect((await call('GET', `${ARCHIVE}${query}`)).json.entries[0].repository).toBe('archive')
  expect((await call('GET', `/api/v1${query}`)).json.resultsCount).toBe(0)
})

test('the address wins over the header, the header over the parameter', async () => {
  const uid = (await create('archive', 'chosen')).json.uid
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await call('GET', path, { headers })).status
  expect(await ask(`/api/v1/id/${uid}`, { 'X-NXRepository': 'archive' })).toBe(200)
  expect(await ask(`/api/v1/id/${uid}?nxrepository=archive`)).toBe(200)
  expect(await ask(`/api/v1/id/${uid}?nxrepository=default`, { 'X-NXRepository': 'archive' })).toBe(200)
  expect(await ask(`/api/v1/repo/default/id/${uid}`, { 'X-NXRepository': 'archive' })).toBe(404)
  expect(await ask(`${ARCHIVE}/id/${uid}`, { 'X-NXRepository': 'default' })).toBe(200)
})

test('an unknown repository is not found, whoever names it, and only by those who are known', async () => {
  for (const path of ['/api/v1/repo/nowhere/path/', '/api/v1/me?nxrepository=nowhere', '/nxfile/nowhere/1']) {
    const { status, json } = await call('GET', path)
    expect([status, json.message]).toEqual([404, 'No such repository: nowhere'])
  }
  expect((await call('GET', '/api/v1/repo/nowhere/path/', { user: null })).status).toBe(401)
  expect((await call('GET', '/~archive/api/v1/path/')).status).toBe(404)
})

test('users belong to all repositories, their rights to each', async () => {
  expect((await call('GET', `${ARCHIVE}/me`, { user: 'ann' })).json.id).toBe('ann')
  const { json: secret } = await create('archive', 'members-read')
  expect((await call('GET', `${ARCHIVE}/id/${secret.uid}`, { user: 'ann' })).status).toBe(200)
  const denied = await call('DELETE', `${ARCHIVE}/id/${secret.uid}`, { user: 'ann' })
  expect(denied.status).toBe(403)
})

test('files are downloaded from the repository of their document and may be taken over into another', async () => {
  const content = { data: 'from the archive', name: 'a.txt' }
  const { json: source } = await create('archive', 'with-file', { 'file:content': content })
  const read = await call('GET', `${ARCHIVE}/id/${source.uid}`, { headers: { properties: 'file' } })
  const blob = read.json.properties['file:content']
  expect(blob.data).toContain(`/nxbigfile/archive/${source.uid}/`)
  expect((await call('GET', new URL(blob.data).pathname)).text).toBe('from the archive')
  const { json: copy } = await create('default', 'copy', { 'file:content': blob })
  expect((await call('GET', `/api/v1/id/${copy.uid}/@blob/file:content`)).text).toBe('from the archive')
})

test('clients learn of every repository', async () => {
  expect(Object.keys((await call('GET', '/json/cmis')).json)).toEqual(['default', 'archive'])
})

test('addresses that are given out lead back to the repository', async () => {
  const { json: made } = await create('archive', 'addressed', {
    'file:content': { data: 'x', name: 'a.txt' },
  })
  const headers = { 'enrichers-document': 'renditions,thumbnail' }
  const { contextParameters } = (await call('GET', `${ARCHIVE}/id/${made.uid}`, { headers })).json
  const urls = [
    contextParameters.thumbnail.url,
    ...contextParameters.renditions.map(({ url }: Entity) => url),
  ]
  for (const url of urls.filter((address: string) => !address.endsWith('/pdf'))) {
    const { pathname, search } = new URL(url)
    expect((await call('GET', `${pathname}${search}`)).status, url).toBe(200)
  }
})

test('operations act on the repository that the call names', async () => {
  const { json: made } = await create('archive', 'operated')
  const run = (path: string, headers: Record<string, string> = {}) =>
    call('POST', path, {
      json: { input: `doc:${made.uid}`, params: { xpath: 'dc:title', value: 'By operation' } },
      headers,
    })
  const named = { 'X-NXRepository': 'archive' }
  expect((await run('/site/automation/Document.SetProperty')).status).toBe(404)
  const { status, json } = await run('/site/automation/Document.SetProperty', named)
  expect([status, json.title, json.repository]).toEqual([200, 'By operation', 'archive'])
  expect((await run(`${ARCHIVE}/id/${made.uid}/@op/Document.SetProperty`)).status).toBe(200)
})

test('directories and users are looked up for the documents of every repository', async () => {
  const { json: made, status } = await create('archive', 'referring', { 'dc:coverage': 'europe' })
  expect(status).toBe(201)
  const headers = { properties: 'dublincore', 'fetch-document': 'properties' }
  const { properties } = (await call('GET', `${ARCHIVE}/id/${made.uid}`, { headers })).json
  expect([properties['dc:coverage'].id, properties['dc:creator'].id]).toEqual(['europe', 'Administrator'])
  expect((await call('GET', `${ARCHIVE}/directory/l10ncoverage/europe`)).status).toBe(200)
})

test('a repository whose database cannot be used stops the start, and is named', async () => {
  const settings = {
    ...platform.settings,
    repositories: [{ name: 'far', databaseUrl: 'postgres://nobody@127.0.0.1:1/far' }],
  }
  await expect(createPlatform(settings, platform.logger)).rejects.toThrow(
    /^ARCHIVOLT_REPOSITORIES: the database of far cannot be used: /,
  )
})
