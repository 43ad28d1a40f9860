import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { uniqueName } from '../../support/template.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const configuration = mkdtempSync(join(tmpdir(), 'archivolt-downloads-'))
writeFileSync(
  join(configuration, 'downloads.yaml'),
  `
groups: { lawyers: {} }
downloadPermissions:
  a-broken: { script: "function run() { return Document['dc:source'] != 'broken' || nothing.there }" }
  b-unclear: { script: "function run() { return Document['dc:source'] != 'unclear' || 'maybe' }" }
  picky: { script: "function run() { return Document['dc:source'] != 'picky' || Rendition == 'thumbnail' }" }
  c-off: { enabled: false, script: "function run() { return false }" }
  secret: { script: "function run() { return Document['dc:source'] != 'secret' || CurrentUser.isMemberOf('lawyers') }" }
  sees:
    script: |
      var run = function () {
        if (Document['dc:source'] != 'sees') return true;
        var fields = [Blob.filename, Blob.mimeType, Blob.length, Blob.digest];
        var getters = [Blob.getFilename(), Blob.getMimeType(), Blob.getLength(), Blob.getDigest()];
        var about = [XPath].concat(fields, getters, [Reason, CurrentUser.getName()]).join();
        return about == Document['dc:description'];
      }
  slow: { script: "function run() { while (Document['dc:source'] == 'slow') {} return true }" }
`,
)
const platform = await createTestPlatform({
  ARCHIVOLT_CONFIG: configuration,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:9',
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const create = async (source: string, description = ''): Promise<Entity> => {
  const properties = {
    'dc:title': source,
    'dc:source': source,
    'dc:description': description,
    'file:content': { name: 'a.txt', data: 'text' },
  }
  const entity = { 'entity-type': 'document', name: source, type: 'File', properties }
  return (await call('POST', '/api/v1/path/default-domain/workspaces', { json: entity })).json
}

/** A picture that only lawyers may download, with a view. */
const createPicture = async (): Promise<string> => {
  const file = { name: 'a.txt', data: 'text' }
  const properties = {
    'dc:source': 'secret',
    'file:content': file,
    'picture:views': [{ title: 'Small', content: file }],
  }
  const entity = { 'entity-type': 'document', name: 'picture', type: 'Picture', properties }
  return (await call('POST', '/api/v1/path/default-domain/workspaces', { json: entity })).json.uid
}

const download = async (
  { uid }: Entity,
  { address = `/nxfile/default/${uid}/file:content`, user = 'Administrator' } = {},
) => {
  const { status, json } = await call('GET', address, { user })
  return [status, json?.message ?? '']
}

beforeAll(async () => {
  await addUser(platform, 'lee', ['members', 'lawyers'])
  await addUser(platform, 'ann', ['members'])
})

test('the first script that answers false refuses, administrators too, wherever files are downloaded', async () => {
  const secret = await create('secret')
  for (const address of [
    `/nxfile/default/${secret.uid}/file:content`,
    `/nxfile/default/${secret.uid}`,
    `/nxbigfile/default/${secret.uid}/file:content/a.txt`,
    `/api/v1/id/${secret.uid}/@blob/file:content`,
    `/api/v1/id/${secret.uid}/@blob/blobholder:0`,
    `/api/v1/id/${secret.uid}/@rendition/mainBlob`,
  ]) {
    for (const user of ['ann', 'Administrator'])
      expect(await download(secret, { address, user })).toEqual([
        403,
        expect.stringContaining('may not download'),
      ])
    expect((await download(secret, { address, user: 'lee' }))[0]).toBe(200)
  }
  expect((await call('HEAD', `/nxfile/default/${secret.uid}/file:content`)).status).toBe(403)
})

test.each(['broken', 'unclear'])(
  'a script that is %s denies; a disabled one is not asked',
  async (source) => {
    expect((await download(await create('plain'), { user: 'ann' }))[0]).toBe(200)
    expect(await download(await create(source), { user: 'ann' })).toEqual([
      403,
      expect.stringContaining('could not be decided'),
    ])
  },
)

describe('what is denied leaves its document in no other form', () => {
  let uid: string
  let picture: string
  beforeAll(async () => {
    uid = (await create('secret')).uid
    picture = await createPicture()
  })
  const run = (operation: string, body: object = {}, user = 'ann') =>
    call('POST', `/api/v1/automation/${operation}`, {
      json: { input: uid, params: {}, ...body },
      user,
    })

  test.each([
    ['Document.GetBlob', {}],
    ['Document.GetBlobs', {}],
    ['Blob.ToPDF', {}],
    ['Blob.Convert', { params: { mimeType: 'text/html' } }],
    ['Blob.BulkDownload', { input: 'docs:' }],
    ['Document.Export', { params: { exportAsZip: true } }],
    ['Document.GetRendition', { params: { renditionName: 'pdf' } }],
    ['Document.GetRendition', { params: { renditionName: 'zipExport' } }],
    ['Image.Blob.Resize', { params: { width: 1 } }],
    ['Image.Blob.Crop', { params: { width: 1, height: 1 } }],
    ['Image.Blob.Rotate', { params: { angle: 90 } }],
    ['Image.Blob.Convert', { params: { conversionFormat: 'png' } }],
    ['Image.Blob.Watermark', { params: { watermark: 'x' } }],
    ['Image.Blob.ConvertToPDF', {}],
    ['Blob.SetMetadataFromDocument', { params: { metadata: { Title: 'dc:title' } } }],
  ])('%s %j', async (operation, body) => {
    const input = 'input' in body ? { ...body, input: `docs:${uid}` } : body
    const { status, json } = await run(operation, input)
    expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
  })

  test.each([
    ['by its title', { viewName: 'Small' }],
    ['the picture itself', {}],
  ])('a view of a picture, %s', async (_, params) => {
    const { status, json } = await run('Picture.GetView', { input: picture, params })
    expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
  })

  test.each([
    ['Blob.ReadMetadata', {}],
    ['Blob.SetMetadataFromContext', { metadata: { Title: 'x' } }],
  ])('%s of the file of a document', async (operation, params) => {
    const steps = ['Context.FetchDocument', 'Document.GetBlob', { [operation]: params }]
    const chain = `denied-${operation.split('.').at(-1)}`
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ execution: 'inline', operations: steps })
    const deployed = await call('PUT', `/api/v1/contributions/chains/${chain}`, { headers, body })
    expect(deployed.status, deployed.text).toBe(201)
    const { status, json } = await run(chain)
    expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
  })

  test('the comparison of two pictures, on either side', async () => {
    const plain = (await create('plain')).uid
    for (const [leftDoc, rightDoc] of [
      [uid, plain],
      [plain, uid],
    ]) {
      const { status, json } = await run('Pictures.DiffWithDocs', {
        input: undefined,
        params: { leftDoc, rightDoc },
      })
      expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
    }
  })

  test('a file that is mailed, whoever sends it', async () => {
    const { status, json } = await run(
      'Document.Mail',
      {
        params: {
          ...{ from: 'from@example.org', to: 'to@example.org', subject: 's', message: 'm' },
          files: 'file:content',
        },
      },
      'Administrator',
    )
    expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
    expect(await platform.database.sql`SELECT 1 FROM mails`).toEqual([])
  })

  test.each([
    '@convert?type=text/html',
    '@blob/file:content/@convert?format=pdf',
    '@rendition/pdf',
    '@rendition/zipExport',
  ])('%s', async (adapter) => {
    const { status, json } = await call('GET', `/api/v1/id/${uid}/${adapter}`, { user: 'ann' })
    expect([status, json.message]).toEqual([403, expect.stringContaining('may not download')])
  })

  test.each([
    'http://localhost/nxfile/default/UID/file:content',
    'nxbigfile/default/UID/file%3Acontent',
    'files/UID?path=file%3Acontent',
  ])('nor as the file of another document, named %s', async (address) => {
    const data = address.replace('UID', uid)
    const entity = {
      'entity-type': 'document',
      name: 'copy',
      type: 'File',
      properties: { 'file:content': { data } },
    }
    const answer = await call('POST', '/api/v1/path/default-domain/workspaces', { json: entity })
    expect([answer.status, answer.json.message]).toEqual([403, expect.stringContaining('may not download')])
  })

  test('a script that permits a rendition alone keeps back the others', async () => {
    const picky = await create('picky')
    const statusOf = async (path: string) => (await call('GET', `/api/v1/id/${picky.uid}/${path}`)).status
    expect([await statusOf('@rendition/thumbnail'), await statusOf('@rendition/mainBlob')]).toEqual([
      200, 403,
    ])
    expect(await statusOf('@blob/file:content')).toBe(403)
  })
})

test('scripts see the document, where the file is, what it is, why, and who asks', async () => {
  const file = `a.txt,text/plain,4,${createHash('md5').update('text').digest('hex')}`
  const right = await create('sees', `file:content,${file},${file},download,ann`)
  expect((await download(right, { user: 'ann' }))[0]).toBe(200)
  expect((await download(right, { user: 'lee' }))[0]).toBe(403)
  const address = `/nxfile/default/${right.uid}/file;content`
  expect((await download(right, { address, user: 'ann' }))[0]).toBe(200)
})

test.each([
  '/files/ID?path=file%3Acontent',
  '/nuxeo/site/api/files/ID',
  '/site/automation/files/ID?path=file:content',
])('the file is at %s too, as older clients have kept it', async (address) => {
  const { uid } = await create('plain')
  const answer = await call('GET', address.replace('ID', uid), { user: 'ann' })
  expect([answer.status, answer.text]).toEqual([200, 'text'])
  const secret = await create('secret')
  expect((await call('GET', address.replace('ID', secret.uid), { user: 'ann' })).status).toBe(403)
})

test('a script that takes too long denies', async () => {
  expect(await download(await create('slow'))).toEqual([403, expect.stringContaining('could not be decided')])
})

test('a file that is not there is not found, before any script is asked', async () => {
  const secret = await create('secret')
  const address = `/nxfile/default/${secret.uid}/files:files/0/file`
  expect((await download(secret, { address }))[0]).toBe(404)
})

test.each([
  ['without a function run', '{ "script": "function ran() { return true }" }', /no function run/],
  ['in another language', '{ "language": "Groovy", "script": "function run() {}" }', /language/],
  ['that cannot be read', '{ "script": "function run() { return (" }', /script/],
  ['that is missing', '{}', /script/],
])('a script %s is refused when it is deployed', async (_, text, message) => {
  const runtime = await createAutomationRuntime(platform)
  const call = { principal: SYSTEM, point: 'downloadPermissions', name: 'new', format: 'json' as const }
  try {
    await expect(runtime.deployments.deploy({ ...call, text, precondition: {} })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
  } finally {
    await runtime.close()
  }
})

test('a document is not copied with a file that its copier may not download, nor is a folder that holds one', async () => {
  const folder = { 'entity-type': 'document', name: 'copied', type: 'Folder' }
  await call('POST', '/api/v1/path/default-domain/workspaces', { json: folder })
  const properties = { 'dc:source': 'secret', 'file:content': { name: 'a.txt', data: 'text' } }
  const below = '/api/v1/path/default-domain/workspaces/copied'
  const { json: inner } = await call('POST', below, {
    json: { 'entity-type': 'document', name: 'inner', type: 'File', properties },
  })
  const copy = (id: string) =>
    call('POST', '/api/v1/automation/Document.Copy', {
      json: { input: id, params: { target: '/default-domain/workspaces', name: 'the-copy' } },
    })
  for (const id of [inner.uid, '/default-domain/workspaces/copied']) {
    const { status, json } = await copy(id)
    expect([status, json.message]).toEqual([
      403,
      `Failed to invoke operation: Document.Copy: User 'Administrator' may not download file:content of ${inner.uid}`,
    ])
  }
  expect((await call('GET', '/api/v1/path/default-domain/workspaces/the-copy')).status).toBe(404)
  await call('PUT', `${below}/inner`, {
    json: { 'entity-type': 'document', properties: { 'dc:source': 'open' } },
  })
  expect((await copy('/default-domain/workspaces/copied')).status).toBe(200)
})
