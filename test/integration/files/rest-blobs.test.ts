import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { type Ace, EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { MD5_COLLISION } from '../../../storage/contract/md5-collision.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

const config = mkdtempSync(join(tmpdir(), 'archivolt-blobs-'))
writeFileSync(
  join(config, 'scans.yaml'),
  "schemas: {scans: {prefix: scans, fields: {pages: {type: 'complex[]', fields: {scan: {type: blob}}}}}}\nfacets: {Scanned: {schemas: [scans]}}\ntypes: {Scans: {extends: File, facets: [Scanned], schemas: [scans]}}\n",
)
afterAll(() => rmSync(config, { recursive: true, force: true }))

const platform = await createTestPlatform({
  ARCHIVOLT_MAX_UPLOAD_BYTES: '3000000',
  ARCHIVOLT_CONFIG: config,
})
const call = createClient(platform)
const LOGIN = { Authorization: `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}` }
const WORKSPACES = '/api/v1/path/default-domain/workspaces'

const md5 = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('hex')
const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex')

const create = async (properties: object): Promise<Entity> => {
  const entity = { 'entity-type': 'document', name: 'doc', type: 'File', properties }
  const { json, status } = await call('POST', WORKSPACES, { json: entity, headers: { properties: '*' } })
  expect(status).toBe(201)
  return json
}

const leftovers = (): string[] => readdirSync(join(platform.settings.home, 'blobs', 'tmp'))

const form = (
  ...parts: [name: string, content: string | Uint8Array<ArrayBuffer>, type: string, fileName: string][]
): FormData => {
  const body = new FormData()
  for (const [name, content, type, fileName] of parts)
    body.append(name, new Blob([content], { type }), fileName)
  return body
}

test('an inline blob is stored, described, and downloaded at the address in its description', async () => {
  const document = await create({ 'file:content': { name: 'ä b.txt', data: 'grüße' } })
  const blob = document.properties['file:content']
  expect(blob).toEqual({
    name: 'ä b.txt',
    'mime-type': 'text/plain',
    encoding: 'UTF-8',
    digestAlgorithm: 'MD5',
    digest: md5('grüße'),
    length: '7',
    data: `http://localhost/nxbigfile/default/${document.uid}/file%3Acontent`,
  })
  const answer = await call('GET', blob.data)
  expect([answer.status, answer.text]).toEqual([200, 'grüße'])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=UTF-8',
    'content-disposition': "attachment; filename*=UTF-8''%C3%A4%20b.txt",
    etag: `"${sha256('grüße')}"`,
    'accept-ranges': 'bytes',
    'content-length': '7',
  })
})

test('what was read may be written back: blobs keep their bytes, also in lists', async () => {
  const { uid, properties } = await create({
    'file:content': { name: 'a.txt', data: 'A' },
    'files:files': [{ file: { name: 'b.txt', data: 'B' } }, { file: { name: 'c.txt', data: 'C' } }],
  })
  const back = await call('PUT', `/api/v1/id/${uid}`, {
    json: { 'entity-type': 'document', properties },
    headers: { properties: '*' },
  })
  expect(back.status).toBe(200)
  for (const key of ['file:content', 'files:files'])
    expect(back.json.properties[key]).toEqual(properties[key])
})

test.each([
  ['nxfile/default/ID/file:content/other.txt', 'main', "attachment; filename*=UTF-8''other.txt"],
  ['nxfile/default/ID/file;content', 'main', "attachment; filename*=UTF-8''main.txt"],
  ['nxfile/default/ID', 'main', "attachment; filename*=UTF-8''main.txt"],
  ['nxfile/default/ID/blobholder:0?inline', 'main', "inline; filename*=UTF-8''main.txt"],
  ['nxbigfile/default/ID/blobholder:1?inline=false', 'second', "attachment; filename*=UTF-8''second.txt"],
  ['nuxeo/nxbigfile/default/ID/files:files/0/file', 'second', "attachment; filename*=UTF-8''second.txt"],
  [
    'nxbigfile/default/ID/files:files/0/file/new%20name.txt',
    'second',
    "attachment; filename*=UTF-8''new%20name.txt",
  ],
  ['nxbigfile/default/ID/files%3Afiles%2F0%2Ffile', 'second', "attachment; filename*=UTF-8''second.txt"],
  ['api/v1/id/ID/@blob/file:content', 'main', "attachment; filename*=UTF-8''main.txt"],
  ['site/api/v1/id/ID/@blob/files:files/0/file', 'second', "attachment; filename*=UTF-8''second.txt"],
  ['api/v1/id/ID/@blob/blobholder:1', 'second', "attachment; filename*=UTF-8''second.txt"],
])('%s', async (path, content, disposition) => {
  const { uid } = await create({
    'file:content': { name: 'main.txt', data: 'main' },
    'files:files': [{ file: { name: 'second.txt', data: 'second' } }],
  })
  const answer = await call('GET', `/${path.replace('ID', uid)}`)
  expect([answer.status, answer.text, answer.headers.get('content-disposition')]).toEqual([
    200,
    content,
    disposition,
  ])
})

test.each([
  'http://localhost/nxfile/default/ID/file:content/main.txt?changeToken=4-2',
  'http://localhost/nuxeo/nxbigfile/default/ID/file%3Acontent',
  'http://localhost/nxfile/default/ID',
  'http://localhost/nxfile/default/ID/blobholder:0',
  'https://elsewhere.example/nuxeo/site/api/v1/repo/default/id/ID/@blob/file:content',
  'http://localhost/api/v1/pathPATH/@blob/blobholder:0',
  'http://localhost/nuxeo/site/automation/files/ID?path=file%3Acontent',
  'files/ID?path=file%3Acontent',
  '/nuxeo/files/ID?path=file%3Acontent',
  'nxbigfile/default/ID/file%3Acontent',
])('the file at %s is taken over, into lists too', async (address) => {
  const source = await create({ 'file:content': { name: 'main.txt', data: 'main' } })
  const data = address.replace('ID', source.uid).replace('PATH', source.path)
  const { uid } = await create({
    'file:content': { data },
    'files:files': [{ file: { data } }, { file: { data } }],
  })
  for (const xpath of ['file:content', 'files:files/0/file', 'files:files/1/file'])
    expect((await call('GET', `/nxfile/default/${uid}/${xpath}`)).text, xpath).toBe('main')
})

test.each([
  [{ data: 'http://elsewhere.example/a.txt' }, 'no blob of this server is at /a.txt'],
  [{ data: 'nxbigfile/default/ID/files:files/7/file' }, 'no blob of this server is at /nxbigfile/'],
  [{ data: 'files/ID?path=files%3Afiles%2F7%2Ffile' }, 'no blob of this server is at /files/'],
  [{ 'upload-batch': 'gone', 'upload-fileId': '0' }, "there is no upload batch 'gone'"],
])('%j is refused, and creates nothing', async (blob, message) => {
  const { uid } = await create({})
  const file = 'data' in blob ? { data: blob.data?.replace('ID', uid) } : blob
  const name = `refused-${uid}`
  const properties = { 'file:content': file }
  const answer = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name, type: 'File', properties },
  })
  expect([answer.status, answer.json.message]).toEqual([
    400,
    expect.stringContaining(`file:content: ${message}`),
  ])
  expect((await call('GET', `${WORKSPACES}/${name}`)).status).toBe(404)
})

test('an address of any length is refused at once', async () => {
  const data = `http://${'中'.repeat(40_000)}/`
  const properties = { 'file:content': { data } }
  const json = { 'entity-type': 'document', name: 'refused', type: 'File', properties }
  const answer = await call('POST', WORKSPACES, { json })
  expect([answer.status, answer.json.message]).toEqual([
    400,
    `file:content: no blob of this server is at http://${'中'.repeat(93)}`,
  ])
})

test('a file is not taken from a document that its caller may not read', async () => {
  await addUser(platform, 'taker', ['administrators'])
  await addUser(platform, 'outsider')
  const source = await create({ 'file:content': { name: 'secret.txt', data: 'secret' } })
  const own = await create({})
  await platform.withSession(SYSTEM, async (session) => {
    const setAces = async (id: string, aces: readonly Ace[]) =>
      setAcls(session, await getDocument(session, id), [{ name: 'local', aces }])
    await setAces(source.uid, [{ username: EVERYONE, permission: EVERYTHING, granted: false }])
    await setAces(own.uid, [{ username: 'outsider', permission: EVERYTHING, granted: true }])
  })
  const put = (user: string) =>
    call('PUT', `/api/v1/id/${own.uid}`, {
      user,
      json: {
        'entity-type': 'document',
        properties: { 'file:content': { data: `http://localhost/nxfile/default/${source.uid}` } },
      },
    })
  expect((await put('outsider')).status).toBe(404)
  expect((await call('GET', `/nxfile/default/${own.uid}`)).status).toBe(404)
  expect((await put('taker')).status).toBe(200)
})

test.each([
  'blobholder:01',
  'blobholder:2',
  'files:files/1/file',
  'files:files/*/file',
  'dc:title',
  'no:such',
])('no blob at %s', async (xpath) => {
  const { uid } = await create({ 'file:content': { data: 'x' }, 'files:files': [{ file: { data: 'y' } }] })
  for (const path of [`/nxfile/default/${uid}/${xpath}`, `/api/v1/id/${uid}/@blob/${xpath}`])
    expect((await call('GET', path)).status).toBe(404)
})

test('a schema without prefix may be named by its field alone at @blob, not in a download path', async () => {
  const { uid } = await create({ 'file:content': { data: 'x' } })
  expect((await call('GET', `/api/v1/id/${uid}/@blob/content`)).text).toBe('x')
  expect((await call('GET', `/nxfile/default/${uid}/content`)).status).toBe(404)
})

test('a file in a field of any name is downloaded at its address, and taken from there', async () => {
  const made = await call('POST', WORKSPACES, {
    json: {
      'entity-type': 'document',
      ...{
        name: 'scans',
        type: 'Scans',
        properties: { 'scans:pages': [{ scan: { name: 's.txt', data: 'scan' } }] },
      },
    },
    headers: { properties: '*' },
  })
  const { data } = made.json.properties['scans:pages'][0].scan
  expect((await call('GET', data)).text).toBe('scan')
  const named = await call('GET', `/nxfile/default/${made.json.uid}/scans:pages/0/scan/other.txt`)
  expect([named.text, named.headers.get('content-disposition')]).toEqual([
    'scan',
    "attachment; filename*=UTF-8''other.txt",
  ])
  const { uid } = await create({ 'file:content': { data } })
  expect((await call('GET', `/nxfile/default/${uid}`)).text).toBe('scan')
})

test('two files of the same MD5 are two files, under one digest: each document keeps its own bytes', async () => {
  const uids: string[] = []
  for (const [at, bytes] of MD5_COLLISION.entries()) {
    const { uid } = await create({})
    uids.push(uid)
    const body = form(['content', new Uint8Array(bytes), 'application/octet-stream', `${at}.bin`])
    expect((await call('PUT', `/api/v1/id/${uid}/@blob/file:content`, { body })).status).toBe(200)
  }
  const digests: string[] = []
  const etags: (string | null)[] = []
  for (const [at, uid] of uids.entries()) {
    const { json } = await call('GET', `/api/v1/id/${uid}`, { headers: { properties: '*' } })
    digests.push(json.properties['file:content'].digest)
    const file = await createApp(platform).request(`/nxfile/default/${uid}/file:content`, { headers: LOGIN })
    etags.push(file.headers.get('etag'))
    expect(Buffer.from(await file.arrayBuffer())).toEqual(MD5_COLLISION[at])
  }
  expect(digests).toEqual(Array(2).fill(md5(MD5_COLLISION[0])))
  expect(new Set(etags).size).toBe(2)
})

test('ranges, validators and HEAD', async () => {
  const { uid } = await create({ 'file:content': { name: 'n.txt', data: '0123456789' } })
  const get = (headers: Record<string, string>, method = 'GET') =>
    call(method, `/nxfile/default/${uid}/file:content`, { headers })
  const part = await get({ Range: 'bytes=2-4' })
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10'])
  expect((await get({ Range: 'bytes=-3' })).text).toBe('789')
  const beyond = await get({ Range: 'bytes=99-' })
  expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, 'bytes */10'])
  expect(beyond.json).toMatchObject({ 'entity-type': 'exception', code: 'rangeNotSatisfiable' })
  const etag = `"${sha256('0123456789')}"`
  const same = await get({ 'If-None-Match': etag })
  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
  const head = await get({}, 'HEAD')
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
})

test('a document comes with its file in one multipart request', async () => {
  const bytes = randomBytes(2_500_000)
  const entity = JSON.stringify({
    'entity-type': 'document',
    name: 'multi',
    type: 'File',
    properties: { 'dc:title': 'M' },
  })
  const made = await call('POST', WORKSPACES, {
    body: form(['document', entity, 'application/json', ''], ['file', bytes, 'image/png', 'c:\\pics\\a.png']),
    headers: { properties: '*' },
  })
  expect(made.status).toBe(201)
  expect(made.json.properties).toMatchObject({
    'dc:title': 'M',
    'file:content': { name: 'a.png', 'mime-type': 'image/png', length: '2500000', digest: md5(bytes) },
  })
})

test('properties take the parts that they name', async () => {
  const entity = JSON.stringify({
    'entity-type': 'document',
    name: 'parts',
    type: 'File',
    properties: {
      'file:content': { 'upload-part': 'two' },
      'files:files': [{ file: { 'upload-part': 'one' } }, { file: { 'upload-part': 'two' } }],
    },
  })
  const made = await call('POST', WORKSPACES, {
    body: form(
      ['json', entity, 'application/json', ''],
      ['one', 'eins', 'text/plain', '1.txt'],
      ['two', 'zwei', 'text/plain', '2.txt'],
    ),
    headers: { properties: '*' },
  })
  expect(made.json.properties).toMatchObject({
    'file:content': { name: '2.txt', digest: md5('zwei') },
    'files:files': [{ file: { name: '1.txt', digest: md5('eins') } }, { file: { digest: md5('zwei') } }],
  })
})

test('@blob is replaced and removed, with a version when asked for', async () => {
  const { uid } = await create({ 'files:files': [{ file: { data: 'old' } }, { file: { data: 'other' } }] })
  const at = `/api/v1/id/${uid}/@blob`
  const put = await call('PUT', `${at}/files:files/0/file`, {
    body: form(['f', 'new', 'text/plain', 'n.txt']),
  })
  expect([put.status, put.text]).toEqual([200, 'blob updated'])
  expect((await call('GET', `${at}/files:files/0/file`)).text).toBe('new')
  expect((await call('GET', `${at}/files:files/1/file`)).text).toBe('other')
  const main = await call('PUT', `${at}/file:content`, {
    body: form(['f', 'main', 'text/plain', 'm.txt']),
    headers: { 'X-Versioning-Option': 'MAJOR' },
  })
  expect(main.status).toBe(200)
  const live = await call('GET', `/api/v1/id/${uid}?fetch-document=versionLabel`)
  expect(live.json.versionLabel).toBe('1.0')
  expect((await call('DELETE', `${at}/file:content`)).status).toBe(204)
  expect((await call('GET', `${at}/file:content`)).status).toBe(404)
  expect((await call('DELETE', `${at}/file:content`)).status).toBe(404)
  expect((await call('PUT', `${at}/file:content`, { json: {} })).status).toBe(415)
})

test('an upload that is too large or breaks off leaves nothing behind', async () => {
  const { uid } = await create({})
  const large = await call('PUT', `/api/v1/id/${uid}/@blob/file:content`, {
    body: form(['f', randomBytes(3_000_001), 'image/png', 'l.png']),
  })
  expect([large.status, large.json.code]).toEqual([413, 'tooLarge'])
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(
        Buffer.from('--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nabc'),
      )
      controller.error(new Error('gone'))
    },
  })
  const gone = await call('PUT', `/api/v1/id/${uid}/@blob/file:content`, {
    body: broken,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  })
  expect(gone.status).toBe(400)
  expect((await call('GET', `/api/v1/id/${uid}`)).json.changeToken).toBe('0-0')
  expect(leftovers()).toEqual([])
})
