import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { archiveOf } from '../../../core/content/export/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann')

const TITLE = 'A <b> & "c" ]]> \u0001\u00e9'
let file: Entity

beforeAll(async () => {
  const properties = {
    'dc:title': TITLE,
    'dc:subjects': ['art', 'law'],
    'dc:issued': '2015-07-01',
    'file:content': { data: 'x', name: 'a & b.txt' },
    'relatedtext:relatedtextresources': [{ relatedtextid: 'r', relatedtext: 'text' }],
  }
  const json = { 'entity-type': 'document', name: 'exported', type: 'File', properties }
  file = (await call('POST', '/api/v1/path/default-domain/workspaces', { json })).json
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, file.uid), [
      {
        name: 'local',
        aces: [
          { username: 'ann', permission: 'ReadSecurity', granted: false },
          { username: 'ann', permission: 'Read', granted: true },
          { username: 'Everyone', permission: 'Write', granted: false },
        ],
      },
    ]),
  )
})

const exported = async (user = 'Administrator') => {
  const answer = await call('GET', `/api/v1/id/${file.uid}/@rendition/xmlExport`, { user })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/xml/),
  ])
  return new DOMParser().parseFromString(answer.text, 'text/xml')
}

test('a document is reported as XML: where it is, what it is, and its values', async () => {
  const xml = await exported()
  const texts = (name: string) => [...xml.getElementsByTagName(name)].map(({ textContent }) => textContent)
  expect(xml.documentElement?.getAttribute('id')).toBe(file.uid)
  expect(xml.documentElement?.getAttribute('repository')).toBe('default')
  expect([texts('type')[0], texts('path'), texts('lifecycle-state'), texts('lifecycle-policy')]).toEqual([
    'File',
    ['default-domain/workspaces/exported'],
    ['project'],
    ['default'],
  ])
  expect(texts('facet')).toEqual([...file.facets].sort())
  expect(texts('dc:title')).toEqual([TITLE.replace('\u0001', '')])
  expect(texts('dc:issued')).toEqual(['2015-07-01T00:00:00.000Z'])
  expect(
    [...(xml.getElementsByTagName('dc:subjects')[0]?.childNodes ?? [])].map((item) => item.textContent),
  ).toEqual(['art', 'law'])
  expect([texts('relatedtextid'), texts('relatedtext')]).toEqual([['r'], ['text']])
  expect([texts('filename'), texts('mime-type'), texts('digest')]).toEqual([
    ['a & b.txt'],
    ['text/plain'],
    ['9dd4e461268c8034f5c8564e155c67a6'],
  ])
  expect(texts('dc:description')).toEqual([])
  const schemas = [...xml.getElementsByTagName('schema')].map((schema) => schema.getAttribute('name'))
  expect(schemas).toEqual(file.schemas.map(({ name }: Entity) => name).sort())
})

test('its rights are reported to those who may see them', async () => {
  const entries = async (user?: string) =>
    [...(await exported(user)).getElementsByTagName('entry')].map((entry) => [
      entry.getAttribute('principal'),
      entry.getAttribute('permission'),
      entry.getAttribute('grant'),
    ])
  expect(await entries()).toEqual([
    ['ann', 'ReadSecurity', 'false'],
    ['ann', 'Read', 'true'],
    ['Everyone', 'Write', 'false'],
  ])
  expect(await entries('ann')).toEqual([])
})

test('a document and a folder are given as archives, a folder with what the caller may read', async () => {
  const make = async (parent: string, type: string, name: string): Promise<Entity> =>
    (
      await call('POST', `/api/v1/path${parent}`, {
        json: { 'entity-type': 'document', name, type, properties: { 'dc:title': name } },
      })
    ).json
  const folder = await make('/default-domain/workspaces', 'Folder', 'archived')
  await make(folder.path, 'Note', 'shown')
  const hidden = await make(folder.path, 'Note', 'hidden')
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, hidden.uid), [
      { name: 'local', aces: [{ username: 'Everyone', permission: 'Everything', granted: false }] },
    ]),
  )
  const archived = async ({ uid }: Entity, rendition: string, user: string) => {
    const { status, headers, text } = await call('GET', `/api/v1/id/${uid}/@rendition/${rendition}`, { user })
    // Names stand in an archive as they are, beside each file and once more in the list at its end.
    const names = text.match(/default-domain\/workspaces\/[\w./-]*document\.xml/g) ?? []
    return [status, headers.get('content-type'), [...new Set(names)].sort()]
  }
  const at = (...paths: string[]) => paths.map((path) => `default-domain/workspaces/${path}/document.xml`)
  const zip = 'application/zip'
  expect(await archived(file, 'zipExport', 'ann')).toEqual([200, zip, at('exported')])
  expect(await archived(folder, 'zipTreeExport', 'ann')).toEqual([200, zip, at('archived', 'archived/shown')])
  const all = at('archived', 'archived/hidden', 'archived/shown')
  expect(await archived(folder, 'zipTreeExport', 'Administrator')).toEqual([200, zip, all])
  expect((await archived(folder, 'zipExport', 'ann'))[0]).toBe(404)
  expect((await archived(file, 'zipTreeExport', 'ann'))[0]).toBe(404)
  expect((await archived(hidden, 'zipExport', 'ann'))[0]).toBe(404)
})

test('an archive has no more documents, XML and files than its limits', async () => {
  const limits = { documents: 2, text: 100_000, bytes: 1 }
  const build = (path: string, changed: Partial<typeof limits>) =>
    platform.withSession(SYSTEM, async (session) => {
      const source = { session, blobs: platform.blobs }
      const archive = archiveOf(source, await getDocument(session, `/default-domain/${path}`), {
        isTree: true,
        limits: { ...limits, ...changed },
      })
      for await (const _ of archive);
    })
  const refused = (what: string) => ({
    code: 'tooLarge',
    message: `The archive would have more than ${what}: export a smaller folder`,
  })
  await expect(build('workspaces/archived', {})).rejects.toMatchObject(refused('2 documents'))
  await expect(build('workspaces/exported', { text: 9 })).rejects.toMatchObject(refused('9 bytes of XML'))
  await expect(build('workspaces/exported', { bytes: 0 })).rejects.toMatchObject(refused('0 bytes of files'))
  await build('workspaces/exported', {})
})

test('who may not read the document gets nothing', async () => {
  await addUser(platform, 'eve')
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, '/default-domain/workspaces'), [
      { name: 'local', aces: [{ username: 'Everyone', permission: 'Everything', granted: false }] },
    ]),
  )
  expect((await call('GET', `/api/v1/id/${file.uid}/@rendition/xmlExport`, { user: 'eve' })).status).toBe(404)
})
