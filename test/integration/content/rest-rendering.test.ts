import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Ace, EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const config = mkdtempSync(join(tmpdir(), 'archivolt-rendering-'))
afterAll(() => rmSync(config, { recursive: true, force: true }))
writeFileSync(
  join(config, 'rendering.yaml'),
  `
schemas:
  link:
    prefix: link
    fields:
      target: { type: string, resolver: document }
      parts: { type: 'complex[]', fields: { owner: { type: string, resolver: user }, note: string } }
types:
  Link: { extends: File, schemas: [link] }
enrichers:
  breadcrumb: { categories: [navigation] }
  hasContent: { categories: [navigation] }
`,
)
const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: config })
const call = createClient(platform)
await addUser(platform, 'ann', ['members'])

const WORKSPACES = '/api/v1/path/default-domain/workspaces'

const create = async (
  name: string,
  type: string,
  properties: object = {},
  at = WORKSPACES,
): Promise<Entity> =>
  (await call('POST', at, { json: { 'entity-type': 'document', name, type, properties } })).json

const read = async (uid: string, headers: Record<string, string>, query = ''): Promise<Entity> =>
  (await call('GET', `/api/v1/id/${uid}${query}`, { headers })).json

const setLocalAces = (uid: string, aces: readonly Ace[]) =>
  platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, uid), [{ name: 'local', aces }]),
  )

/** Takes everybody but administrators their rights. */
const close = (uid: string) =>
  setLocalAces(uid, [{ username: EVERYONE, permission: EVERYTHING, granted: false }])

const file = await create('file', 'File', {
  'dc:title': 'File',
  'dc:coverage': 'europe',
  'dc:nature': 'article',
})

test.each<[string, Record<string, string>, string]>([
  ['today’s header', { properties: 'dublincore, file' }, ''],
  ['another case', { PROPERTIES: 'dublincore,file' }, ''],
  ['7.4', { 'X-NXproperties': 'dublincore,file' }, ''],
  ['Python', { 'X-NXDocumentProperties': 'dublincore,file' }, ''],
  ['the query', {}, '?properties=dublincore,file'],
  ['the query twice, in another case', {}, '?Properties=dublincore&PROPERTIES=file'],
  ['header and query together', { properties: 'dublincore' }, '?X-NXproperties=file,unknown'],
])('schemas are chosen by %s', async (_, headers, query) => {
  const { properties } = await read(file.uid, headers, query)
  expect(new Set(Object.keys(properties).map((key) => key.split(':')[0]))).toEqual(new Set(['dc', 'file']))
})

test.each<[string, Record<string, string>, readonly string[] | undefined]>([
  ['/site/api', {}, ['common', 'dc', 'file', 'files', 'nxtag', 'relatedtext', 'uid']],
  ['/nuxeo/site/api', {}, ['common', 'dc', 'file', 'files', 'nxtag', 'relatedtext', 'uid']],
  ['/site/api', { properties: 'file' }, ['file']],
  ['/site/api/v1', {}, undefined],
  ['/api/v1', {}, undefined],
])('%s with %j has the properties of %s', async (base, headers, prefixes) => {
  const { properties } = (await call('GET', `${base}/id/${file.uid}`, { headers })).json
  const found = properties && new Set(Object.keys(properties).map((key) => key.split(':')[0]))
  expect(found && [...found].sort()).toEqual(prefixes)
})

test('the icon of a document is that of its type, unless it has one', async () => {
  const own = await create('own-icon', 'File', { 'common:icon': '/icons/own.png' })
  const icons = await Promise.all(
    [file.uid, own.uid].map(
      async (uid) => (await read(uid, { properties: 'common' })).properties['common:icon'],
    ),
  )
  expect(icons).toEqual(['/icons/file.gif', '/icons/own.png'])
})

test.each([
  'enrichers-document',
  'enrichers.document',
  'X-NXenrichers.document',
  'X-NXenrichers-document',
  'X-NXContext-Category',
])('enrichers are chosen by %s, in a header or the query', async (name) => {
  const expected = { documentURL: expect.stringContaining(file.uid), hasContent: false }
  const value = 'documentURL,unknown,hasContent'
  expect((await read(file.uid, { [name]: value })).contextParameters).toEqual(expected)
  expect((await read(file.uid, {}, `?${name}=${value}`)).contextParameters).toEqual(expected)
})

test('what the enricher documentURL gives leads a browser to a page', async () => {
  const { contextParameters } = await read(file.uid, { 'enrichers-document': 'documentURL' })
  const { pathname } = new URL(String(contextParameters.documentURL))
  for (const address of [pathname, pathname.replace(/\/$/, '')])
    expect(await call('GET', address)).toMatchObject({
      status: 200,
      text: expect.stringContaining('id="target"'),
    })
})

test('a category is what the deployment puts into it', async () => {
  const { contextParameters } = await read(file.uid, { 'X-NXContext-Category': 'navigation' })
  expect(Object.keys(contextParameters).sort()).toEqual(['breadcrumb', 'hasContent'])
  expect((await read(file.uid, { 'X-NXContext-Category': 'none' })).contextParameters).toBeUndefined()
})

test('documents inside enrichers are as plain as the depth says', async () => {
  const folder = await create('deep', 'Folder')
  const inner = await create('inner', 'Folder', {}, `/api/v1/id/${folder.uid}`)
  await create('leaf', 'File', {}, `/api/v1/id/${inner.uid}`)
  const at = async (headers: Record<string, string>, query = '') => {
    const document = await read(
      folder.uid,
      { properties: 'dublincore', 'enrichers-document': 'children', ...headers },
      query,
    )
    const levels = [document]
    for (let next = document; next.contextParameters?.children.entries.length > 0; ) {
      next = next.contextParameters.children.entries[0]
      levels.push(next)
    }
    return levels.map(({ properties }) => properties !== undefined)
  }
  expect(await at({})).toEqual([true, false])
  expect(await at({ depth: 'nonsense' })).toEqual([true, false])
  expect(await at({ depth: 'children' })).toEqual([true, true, false])
  expect(await at({ depth: 'max' })).toEqual([true, true, true])
  expect(await at({}, '?depth=children')).toEqual([true, true, false])
})

test('references are expanded where they are asked for, and nowhere else', async () => {
  const fetched = async (fetch: string, extra: Record<string, string> = {}) =>
    (await read(file.uid, { properties: 'dublincore', 'fetch-document': fetch, ...extra })).properties
  const creator = await fetched('dc:creator')
  expect(creator['dc:creator']).toMatchObject({ 'entity-type': 'user', id: 'Administrator' })
  expect(creator['dc:coverage']).toBe('europe')
  const all = await fetched('properties')
  expect(all['dc:lastContributor']['entity-type']).toBe('user')
  expect(all['dc:contributors'].map(({ id }: Entity) => id)).toEqual(['Administrator'])
  expect(all['dc:coverage']).toMatchObject({
    'entity-type': 'directoryEntry',
    directoryName: 'l10ncoverage',
    id: 'europe',
    properties: { label_en: 'Europe' },
  })
  expect((await fetched('dc'))['dc:nature'].id).toBe('article')
  expect((await fetched('dc:title,lock,versionLabel'))['dc:creator']).toBe('Administrator')
  const french = { 'translate-directoryEntry': 'label', 'Accept-Language': 'fr' }
  expect((await fetched('dc:coverage', french))['dc:coverage'].properties.label).toBe('Europe')
})

test('parents of directory entries are expanded too', async () => {
  const spanish = await create('spain', 'File', { 'dc:coverage': 'europe/Spain' })
  const { properties } = await read(spanish.uid, {
    properties: 'dublincore',
    'fetch-document': 'dc:coverage',
    'fetch-directoryEntry': 'parent',
  })
  expect(properties['dc:coverage']).toMatchObject({ properties: { parent: { id: 'europe' } } })
})

test('references in lists of complex values, to documents, and to nothing', async () => {
  await addUser(platform, 'gone')
  const link = await create('link', 'Link', {
    'link:target': file.uid,
    'link:parts': [
      { owner: 'ann', note: 'x' },
      { owner: 'gone', note: 'y' },
    ],
  })
  expect((await call('DELETE', '/api/v1/user/gone')).status).toBe(204)
  const fetched = async (fetch: string) =>
    (await read(link.uid, { properties: 'link', 'fetch-document': fetch })).properties
  for (const fetch of ['link:parts/*/owner', 'link:parts/0/owner', 'link:parts', 'link'])
    expect((await fetched(fetch))['link:parts']).toMatchObject([
      { owner: { id: 'ann' }, note: 'x' },
      { owner: 'gone' },
    ])
  const { 'link:target': target, 'link:parts': parts } = await fetched('link:target')
  expect([target.uid, target.properties, parts[0].owner]).toEqual([file.uid, undefined, 'ann'])
})

test('a referenced document that the caller may not read is not named', async () => {
  const secret = await create('secret', 'File', { 'dc:title': 'Secret' })
  const link = await create('to-secret', 'Link', { 'link:target': secret.uid })
  await close(secret.uid)
  const headers = { properties: 'link', 'fetch-document': 'properties' }
  const { json } = await call('GET', `/api/v1/id/${link.uid}`, { user: 'ann', headers })
  expect(json.properties['link:target']).toBe(secret.uid)
})

test('what folders hold is reported by enrichers', async () => {
  const folder = await create('holder', 'Folder')
  const ask = async () =>
    (await read(folder.uid, { 'enrichers-document': 'hasContent,hasFolderishChild' })).contextParameters
  expect(await ask()).toEqual({ hasContent: false, hasFolderishChild: false })
  await create('f', 'File', {}, `/api/v1/id/${folder.uid}`)
  expect(await ask()).toEqual({ hasContent: true, hasFolderishChild: false })
  await create('d', 'Folder', {}, `/api/v1/id/${folder.uid}`)
  expect(await ask()).toEqual({ hasContent: true, hasFolderishChild: true })
})

test('the enrichers of places, files and types', async () => {
  const document = await create('all', 'File', {
    'dc:subjects': ['art'],
    'dc:coverage': 'europe',
    'file:content': { data: 'text', name: 'a.txt' },
  })
  const names =
    'breadcrumb,firstAccessibleAncestor,thumbnail,preview,renditions,subtypes,vocabularies,publications'
  const { contextParameters: found } = await read(document.uid, { 'enrichers-document': names })
  expect(found.breadcrumb.entries.map(({ path }: Entity) => path)).toEqual([
    '/default-domain',
    '/default-domain/workspaces',
    '/default-domain/workspaces/all',
  ])
  expect(found.firstAccessibleAncestor.path).toBe('/default-domain/workspaces')
  expect(found.thumbnail.url).toContain(
    `/api/v1/repo/default/id/${document.uid}/@rendition/thumbnail?changeToken=0-0`,
  )
  expect(found.preview.url).toContain(`/id/${document.uid}/@preview/?changeToken=0-0`)
  expect(found.renditions.map(({ name }: Entity) => name)).toEqual([
    'thumbnail',
    'mainBlob',
    'pdf',
    'xmlExport',
    'zipExport',
  ])
  expect(found.subtypes).toEqual([])
  expect(found.vocabularies).toBeUndefined()
  expect(found['dc:coverage']).toEqual([{ id: 'europe', label_en: 'Europe', label_fr: 'Europe' }])
  expect(found['dc:subjects'][0].id).toBe('art')
  expect(found.publications).toEqual({ resultsCount: 0 })
  const folder = await create('types', 'Folder')
  const { subtypes, preview } = (await read(folder.uid, { 'enrichers-document': 'subtypes,preview' }))
    .contextParameters
  expect(subtypes).toContainEqual({ type: 'Folder', facets: ['Folderish'] })
  expect(preview).toEqual({ url: null })
  const root = await call('GET', '/api/v1/path/', {
    headers: { 'enrichers-document': 'firstAccessibleAncestor' },
  })
  expect(root.json.contextParameters).toBeUndefined()
})

test('the nearest ancestor that may be read is reported', async () => {
  const closed = await create('closed', 'Folder')
  const open = await create('open', 'File', {}, `/api/v1/id/${closed.uid}`)
  await close(closed.uid)
  await setLocalAces(open.uid, [{ username: 'ann', permission: 'Read', granted: true }])
  const { json } = await call('GET', `/api/v1/id/${open.uid}`, {
    user: 'ann',
    headers: { 'enrichers-document': 'firstAccessibleAncestor,breadcrumb' },
  })
  expect(json.contextParameters.firstAccessibleAncestor.path).toBe('/default-domain/workspaces')
  expect(json.contextParameters.breadcrumb.entries.map(({ path }: Entity) => path)).not.toContain(closed.path)
})

test('a document with a hundred thousand references is read as others are', async () => {
  const subjects = Array.from({ length: 99_999 }, (_, index) => `art/x${index}`)
  const { uid } = await create('many-references', 'File', {
    'dc:subjects': ['art/architecture', ...subjects],
  })
  const { status, json } = await call('GET', `/api/v1/id/${uid}?properties=*`, {
    headers: {
      'fetch-document': 'dc:subjects',
      'enrichers-document': 'vocabularies',
      'translate-directoryEntry': 'label',
    },
  })
  expect(status).toBe(200)
  const [first, second] = json.properties['dc:subjects']
  expect([first.id, second]).toEqual(['architecture', 'art/x0'])
  expect(json.properties['dc:subjects']).toHaveLength(100_000)
  expect(json.contextParameters['dc:subjects']).toMatchObject([{ id: 'architecture' }])
})

test('to each document of a page is added what is added to it alone', async () => {
  const page = await create('page', 'Folder')
  const at = (uid: string) => `/api/v1/id/${uid}`
  const closed = await create('closed-within', 'Folder', {}, at(page.uid))
  const hidden = await create('hidden', 'File', {}, at(closed.uid))
  const shown = await create('shown', 'File', { 'dc:coverage': 'europe' }, at(closed.uid))
  await create('beside', 'File', {}, at(page.uid))
  const written = await create('written', 'File', {}, at(page.uid))
  await close(closed.uid)
  await setLocalAces(shown.uid, [{ username: 'ann', permission: 'Read', granted: true }])
  await setLocalAces(written.uid, [{ username: 'ann', permission: 'Write', granted: true }])
  const headers = {
    'enrichers-document':
      'acls,breadcrumb,children,collections,documentURL,favorites,firstAccessibleAncestor,hasContent,permissions,tags,vocabularies',
    depth: 'children',
  }
  const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:path STARTSWITH '${page.path}'`)
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${query}`, {
    user: 'ann',
    headers,
  })
  expect(json.entries.map(({ uid }: Entity) => uid)).toEqual(expect.arrayContaining([shown.uid, written.uid]))
  expect(json.entries.map(({ uid }: Entity) => uid)).not.toContain(hidden.uid)
  const permissions = new Set<string>()
  for (const entry of json.entries) {
    const alone = await call('GET', at(entry.uid), { user: 'ann', headers })
    expect(entry.contextParameters).toEqual(alone.json.contextParameters)
    permissions.add(entry.contextParameters.permissions.join())
  }
  expect(permissions.size).toBe(2)
})
