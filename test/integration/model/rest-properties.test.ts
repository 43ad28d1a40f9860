import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const PLACE = '/api/v1/path/default-domain/workspaces'

const create = async (type: string, properties: object): Promise<Entity> => {
  const json = { 'entity-type': 'document', name: 'p', type, properties }
  const answer = await call('POST', PLACE, { json, headers: { properties: '*' } })
  expect(answer.status).toBe(201)
  const read = await call('GET', `/api/v1/id/${answer.json.uid}`, { headers: { properties: '*' } })
  expect(read.json.properties).toEqual(answer.json.properties)
  return read.json
}

test.each([
  ['File', 'dc:title', 'Tïtle 😀 \\ "quoted"', 'Tïtle 😀 \\ "quoted"'],
  ['File', 'dc:title', 7, '7'],
  ['File', 'dc:title', true, 'true'],
  ['File', 'dc:title', '', ''],
  ['File', 'dc:title', null, null],
  ['File', 'dc:issued', '2015-07-01', '2015-07-01T00:00:00.000Z'],
  ['File', 'dc:issued', '2015-07-01T10:00:00.5+02:00', '2015-07-01T08:00:00.500Z'],
  ['File', 'dc:issued', '', null],
  ['File', 'dc:subjects', ['a', 'b'], ['a', 'b']],
  ['File', 'dc:subjects', [], []],
  ['File', 'dc:subjects', null, []],
  ['File', 'uid:major_version', '12', 12],
  ['File', 'common:size', 9_007_199_254_740_991, 9_007_199_254_740_991],
  ['Workspace', 'webc:isWebContainer', 'TRUE', true],
  ['Workspace', 'webc:isWebContainer', 0, false],
  ['Note', 'note:note', '<p>x</p>', '<p>x</p>'],
  [
    'Video',
    'vid:info',
    { duration: '1.5', width: 3 },
    { duration: 1.5, width: 3, height: null, format: null, frameRate: null, streams: [] },
  ],
  [
    'File',
    'relatedtext:relatedtextresources',
    [{ relatedtextid: 'a' }],
    [{ relatedtextid: 'a', relatedtext: null }],
  ],
])('%s %s: %j is read back as %j', async (type, name, sent, expected) => {
  const { properties } = await create(type, { [name]: sent })
  expect(properties[name]).toEqual(expected)
})

test('parts of a complex value that are not sent become null, a null clears', async () => {
  const { uid } = await create('Video', { 'vid:info': { width: 3, format: 'x' }, 'dc:title': 'v' })
  const put = async (properties: object) =>
    (
      await call('PUT', `/api/v1/id/${uid}`, {
        json: { 'entity-type': 'document', properties },
        headers: { properties: '*' },
      })
    ).json.properties
  expect((await put({ 'vid:info': { height: 2 } }))['vid:info']).toMatchObject({
    width: null,
    height: 2,
    format: null,
  })
  expect(await put({ 'vid:info': null, 'dc:title': null })).toMatchObject({
    'dc:title': null,
    'vid:info': { height: null },
  })
})

test('what only the repository writes is ignored from others than administrators', async () => {
  const { uid } = await create('File', { 'dc:creator': 'somebody', 'dc:source': 'here' })
  expect((await call('GET', `/api/v1/id/${uid}?properties=dublincore`)).json.properties['dc:creator']).toBe(
    'somebody',
  )
  await addUser(platform, 'writer', ['members'])
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, uid), [
      { name: 'local', aces: [{ username: 'writer', permission: 'ReadWrite', granted: true }] },
    ]),
  )
  const put = await call('PUT', `/api/v1/id/${uid}`, {
    user: 'writer',
    json: {
      'entity-type': 'document',
      properties: {
        'dc:creator': 'writer',
        'dc:created': '2000-01-01',
        'dc:lastContributor': 'other',
        'dc:source': 'there',
      },
    },
    headers: { properties: 'dublincore' },
  })
  expect(put.status).toBe(200)
  expect(put.json.properties).toMatchObject({
    'dc:creator': 'somebody',
    'dc:lastContributor': 'writer',
    'dc:source': 'there',
  })
  expect(put.json.properties['dc:created']).not.toContain('2000')
})

test.each([
  ['dc:nothing', 1],
  ['nothing:at', [1]],
  ['nothing', {}],
  ['', 'x'],
  ['webc:name', 5],
  ['__proto__', { a: 1 }],
])('the property %j, which documents of the type do not have, is ignored', async (name, value) => {
  const made = await create('File', JSON.parse(JSON.stringify({ [name]: value, 'dc:title': 'kept' })))
  expect(made.properties['dc:title']).toBe('kept')
  expect(Object.hasOwn(made.properties, name)).toBe(false)
})

test.each([
  ['dc:title', [], 'a text, not a list'],
  ['dc:issued', 1, 'a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not 1'],
  ['dc:issued', 'yesterday', 'a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "yesterday"'],
  ['dc:subjects', 'a', 'a list, each of it a text, not "a"'],
  ['common:size', 1.5, 'an integer, not 1.5'],
  ['common:size', 'x', 'an integer, not "x"'],
  ['files:files', {}, 'a list, each of it a map, not a map'],
  ['file:content', 'x', 'a file, not "x"'],
])('%s: %j is of a wrong type, and refused by name', async (name, value, misfit) => {
  const json = { 'entity-type': 'document', name: 'w', type: 'File', properties: { [name]: value } }
  const { status, json: answer } = await call('POST', PLACE, { json })
  expect([status, answer.message]).toEqual([
    400,
    `Unable to deserialize property: ${name}: it holds ${misfit}`,
  ])
})

test('texts of no length are null to the legacy reader', async () => {
  const json = { 'entity-type': 'document', name: 'l', type: 'File', properties: { 'dc:title': '' } }
  const { json: made } = await call('POST', PLACE, {
    json,
    headers: { properties: '*', 'X-NXDocumentJsonLegacy': 'true' },
  })
  expect(made.properties['dc:title']).toBeNull()
})
