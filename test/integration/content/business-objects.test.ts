import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../core/content/documents/index.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const config = mkdtempSync(join(tmpdir(), 'archivolt-adapters-'))
afterAll(() => rmSync(config, { recursive: true, force: true }))
writeFileSync(
  join(config, 'adapters.yaml'),
  `
schemas:
  bill:
    prefix: bill
    fields:
      number: { type: string, required: true, maxLength: 8 }
      net: double
      lines: { type: 'complex[]', fields: { text: string, amount: double } }
      gross: double
types:
  Bill: { extends: File, schemas: [bill] }
  CreditNote: { extends: Bill }
adapters:
  Invoice:
    type: Bill
    fields:
      number: bill:number
      title: { xpath: dc:title, type: string }
      net: bill:net
      lines: bill:lines
      scan: file:content
      created: { xpath: dc:created, readOnly: true }
      label: { value: 'This.number + " / " + Document.title' }
      firstLine: bill:lines/0/text
    onWrite:
      bill:gross: 'Math.round(This.net * 119) / 100'
  Broken:
    type: File
    fields:
      bad: { value: 'Document.nothing.at.all' }
      missing: no:such
`,
)
const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
const engine = await createEngine(platform)
const call = createClient(platform, engine)
afterAll(() => engine.close())
await addUser(platform, 'ann', ['members'])

const WORKSPACES = '/api/v1/path/default-domain/workspaces'
const invoice = (value: object, entityType = 'Invoice') => ({ json: { 'entity-type': entityType, value } })
const make = async (name: string, value: object = {}) =>
  call('POST', `${WORKSPACES}/@bo/Invoice/${name}`, invoice({ number: '7', title: name, net: 100, ...value }))

test('versions are asked for as with documents', async () => {
  const versioning = (option: string) => ({ headers: { 'X-Versioning-Option': option } })
  const made = await call('POST', `${WORKSPACES}/@bo/Invoice/versioned`, {
    ...invoice({ number: '8', net: 1 }),
    ...versioning('MINOR'),
  })
  expect(made.status).toBe(200)
  const labelOf = async () =>
    (await call('GET', `${WORKSPACES}/versioned?fetch-document=versionLabel`)).json.versionLabel
  expect(await labelOf()).toBe('0.1')
  const changed = await call('PUT', `${WORKSPACES}/versioned/@bo/Invoice`, {
    ...invoice({ net: 2 }),
    ...versioning('MAJOR'),
  })
  expect([changed.status, changed.json.value.net, await labelOf()]).toEqual([200, 2, '1.0'])
  const wrong = await call('PUT', `${WORKSPACES}/versioned/@bo/Invoice`, {
    ...invoice({}),
    ...versioning('HUGE'),
  })
  expect([wrong.status, wrong.json.message]).toEqual([400, expect.stringContaining('X-Versioning-Option')])
})

test('the document of an object is removed with it, by those who may', async () => {
  await call('POST', `${WORKSPACES}/@bo/Invoice/removed`, invoice({ number: '9' }))
  const at = `${WORKSPACES}/removed/@bo`
  expect((await call('DELETE', `${at}/Broken`)).status).toBe(204)
  await call('POST', `${WORKSPACES}/@bo/Invoice/removed`, invoice({ number: '9' }))
  expect((await call('DELETE', `${at}/Nothing`)).status).toBe(404)
  expect((await call('DELETE', `${at}/Invoice`, { user: 'ann' })).status).toBe(403)
  expect((await call('DELETE', `${at}/Invoice`)).status).toBe(204)
  expect((await call('GET', `${WORKSPACES}/removed`)).status).toBe(404)
})

test('the adapter that clients use in their examples is there', async () => {
  const bean = (value: object) => ({ json: { 'entity-type': 'BusinessBeanAdapter', value } })
  const made = await call(
    'POST',
    `${WORKSPACES}/@bo/BusinessBeanAdapter/bean`,
    bean({ type: 'Note', title: 'A bean', description: 'simple' }),
  )
  expect([made.status, made.json]).toEqual([
    200,
    {
      'entity-type': 'BusinessBeanAdapter',
      value: { id: expect.any(String), type: 'Note', title: 'A bean', description: 'simple' },
    },
  ])
  const put = await call(
    'PUT',
    `${WORKSPACES}/bean/@bo/BusinessBeanAdapter`,
    bean({ ...made.json.value, title: 'B' }),
  )
  expect([put.status, put.json.value.title]).toEqual([200, 'B'])
})

test('a document is made from an object, read as one, and changed by its fields', async () => {
  const { status, headers, json } = await make('one', { lines: [{ text: 'paper', amount: 2 }] })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; nuxeo-entity=Invoice'])
  expect(json).toMatchObject({
    'entity-type': 'Invoice',
    value: { type: 'Bill', number: '7', net: 100, lines: [{ text: 'paper', amount: 2 }], firstLine: 'paper' },
  })
  expect(json.value.label).toBe('7 / one')
  expect(json.value.created).toMatch(/^\d{4}-/)
  const { id } = json.value
  const changed = await call(
    'PUT',
    `/api/v1/id/${id}/@bo/Invoice`,
    invoice({ ...json.value, title: 'First', created: '2001-01-01', label: 'ignored' }),
  )
  expect(changed.json.value).toMatchObject({
    title: 'First',
    label: '7 / First',
    created: json.value.created,
  })
  const read = await call('GET', `/api/v1/id/${id}/@bo/Invoice`)
  expect(read.json).toEqual(changed.json)
  const document = await call('GET', `/api/v1/id/${id}`, { headers: { properties: 'bill' } })
  expect([document.json.title, document.json.properties['bill:gross']]).toEqual(['First', 119])
})

test('fields that are not sent stay as they are', async () => {
  const { json } = await make('partial', { net: 5 })
  const changed = await call(
    'PUT',
    `/api/v1/id/${json.value.id}/@bo/Invoice`,
    invoice({ title: 'Only', net: 5 }),
  )
  expect(changed.json.value).toMatchObject({ title: 'Only', number: '7', net: 5 })
  const position = await call(
    'PUT',
    `/api/v1/id/${json.value.id}/@bo/Invoice`,
    invoice({ firstLine: 'a', net: 5 }),
  )
  expect(position.json.value.lines).toEqual([{ text: 'a', amount: null }])
})

test('files are given inline, described with an address, and kept when they come back', async () => {
  const { json } = await make('scan', { scan: { data: 'bytes', name: 'scan.txt' } })
  const { scan, id } = json.value
  expect(scan).toMatchObject({ name: 'scan.txt', length: '5' })
  expect((await call('GET', new URL(scan.data).pathname)).text).toBe('bytes')
  const kept = await call('PUT', `/api/v1/id/${id}/@bo/Invoice`, invoice({ scan, net: 1 }))
  expect(kept.json.value.scan.digest).toBe(scan.digest)
  const cleared = await call('PUT', `/api/v1/id/${id}/@bo/Invoice`, invoice({ scan: null, net: 1 }))
  expect(cleared.json.value.scan).toBeNull()
})

test('a list of documents is a list of objects, of those that have one', async () => {
  const { json: folder } = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'bills', type: 'Folder' },
  })
  const at = `/api/v1/id/${folder.uid}`
  for (const name of ['b', 'a'])
    await call('POST', `${at}/@bo/Invoice/${name}`, invoice({ number: name, title: name }))
  await call('POST', at, { json: { 'entity-type': 'document', name: 'note', type: 'Note' } })
  const { status, json } = await call('GET', `${at}/@children/@bo/Invoice?pageSize=10`)
  expect([status, json['entity-type'], json.pageSize]).toEqual([200, 'adapters', 10])
  expect(json.entries.map(({ value }: { value: { title: string } }) => value.title)).toEqual(['a', 'b'])
  const last = await call('GET', `${at}/@children/@bo/Invoice?pageSize=2&currentPageIndex=1`)
  expect(last.json).toMatchObject({ currentPageSize: 0, isNextPageAvailable: false, entries: [] })
  expect((await call('GET', `${at}/@children/@bo/Invoice?pageSize=10`)).json).toMatchObject({
    currentPageSize: 2,
    isNextPageAvailable: false,
  })
  const query = encodeURIComponent("SELECT * FROM Bill WHERE bill:number = 'b'")
  const found = await call('GET', `${at}/@search/@bo/Invoice?query=${query}`)
  expect(found.json.entries).toHaveLength(1)
})

test('an object may say that it is of a type below the adapter', async () => {
  const { json } = await make('credit', { type: 'CreditNote' })
  expect(json.value.type).toBe('CreditNote')
  const { status, json: refused } = await make('file', { type: 'Note' })
  expect([status, refused.message]).toEqual([400, 'value.type: must be Bill or a type below it'])
})

test('mistakes are reported by the name of the field', async () => {
  const { json } = await make('mistakes')
  const put = async (value: object, entityType?: string) => {
    const answer = await call('PUT', `/api/v1/id/${json.value.id}/@bo/Invoice`, invoice(value, entityType))
    return [answer.status, answer.json.message ?? answer.json.violations]
  }
  expect(await put({ title: 3 })).toEqual([400, 'value.title: a value of type string is expected'])
  expect(await put({ net: 'x' })).toEqual([400, 'value.net: a value of type double is expected'])
  expect(await put({ lines: {} })).toEqual([400, 'value.lines: a value of type complex[] is expected'])
  expect(await put({ colour: 1 })).toEqual([400, 'value.colour: Invoice has no such field'])
  expect((await put({}, 'Other'))[0]).toBe(400)
  const [status, violations] = await put({ number: '123456789', net: 1 })
  expect([status, violations[0].path]).toEqual([422, [{ field_name: 'number', is_list_item: false }]])
})

test('what is not there is not found, what fails says so', async () => {
  const { json } = await make('errors')
  const { json: file } = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'plain', type: 'File' },
  })
  const statusOf = async (method: string, path: string, request = {}) =>
    (await call(method, path, request)).status
  expect(await statusOf('GET', `/api/v1/id/${json.value.id}/@bo/Nothing`)).toBe(404)
  expect(await statusOf('GET', `/api/v1/id/${file.uid}/@bo/Invoice`)).toBe(404)
  expect(await statusOf('GET', `${WORKSPACES}/@children/@bo/Nothing`)).toBe(404)
  expect(await statusOf('GET', `${WORKSPACES}/plain/@children/@bo/Nothing`)).toBe(404)
  expect(await statusOf('PUT', `/api/v1/id/${file.uid}/@bo/Invoice`, invoice({ title: 'x' }))).toBe(404)
  expect(await statusOf('POST', `${WORKSPACES}/@bo/Nothing/x`, invoice({}, 'Nothing'))).toBe(404)
  expect(await statusOf('POST', `${WORKSPACES}/@bo/Invoice`, invoice({}))).toBe(405)
  expect(await statusOf('PUT', `${WORKSPACES}/@children/@bo/Invoice`, invoice({}))).toBe(405)
  const broken = await call('GET', `/api/v1/id/${file.uid}/@bo/Broken`)
  expect([broken.status, broken.json.message]).toEqual([400, expect.stringContaining('bad: ')])
})

test('the rights of the document are the rights of its object', async () => {
  const { json } = await make('rights')
  const path = `/api/v1/id/${json.value.id}/@bo/Invoice`
  expect((await call('GET', path, { user: 'ann' })).status).toBe(200)
  expect((await call('PUT', path, { user: 'ann', ...invoice({ title: 'x' }) })).status).toBe(403)
  expect(
    (await call('POST', `${WORKSPACES}/@bo/Invoice/x`, { user: 'ann', ...invoice({ title: 3 }) })).status,
  ).toBe(403)
})

test('operations take and give business objects', async () => {
  const run = (operation: string, value: object, params: object = {}) =>
    call('POST', `/api/v1/automation/${operation}`, {
      json: { input: { 'entity-type': 'Invoice', value }, params },
    })
  const made = await run(
    'Business.BusinessCreateOperation',
    { number: '9', title: 'By operation', net: 10 },
    { parentPath: '/default-domain/workspaces', name: 'by-operation' },
  )
  expect([made.status, made.json['entity-type'], made.json.value.label]).toEqual([
    200,
    'Invoice',
    '9 / By operation',
  ])
  const { id } = made.json.value
  const updated = await run('Business.BusinessUpdateOperation', { id, title: 'Changed', net: 10 })
  expect(updated.json.value.title).toBe('Changed')
  const fetched = await run('Business.BusinessFetchOperation', { id })
  expect(fetched.json).toEqual(updated.json)
  expect((await run('Business.BusinessFetchOperation', {})).status).toBe(400)
  const text = await call('POST', '/api/v1/automation/Business.BusinessFetchOperation', {
    json: { input: {} },
  })
  expect(text.status).toBe(400)
})

test('operations on business objects keep to the rights on their documents', async () => {
  const { json } = await make('guarded')
  const { id } = json.value
  const run = async (operation: string, user: string, params: object = {}) => {
    const input = { 'entity-type': 'Invoice', value: { id, number: '1' } }
    return (await call('POST', `/api/v1/automation/${operation}`, { user, json: { input, params } })).status
  }
  expect(await run('Business.BusinessFetchOperation', 'ann')).toBe(200)
  expect(await run('Business.BusinessUpdateOperation', 'ann')).toBe(403)
  const place = { parentPath: '/default-domain/workspaces', name: 'no' }
  expect(await run('Business.BusinessCreateOperation', 'ann', place)).toBe(403)
  const ace = { username: EVERYONE, permission: EVERYTHING, granted: false }
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, id), [{ name: 'local', aces: [ace] }]),
  )
  for (const operation of ['Business.BusinessFetchOperation', 'Business.BusinessUpdateOperation'])
    expect(await run(operation, 'ann')).toBe(404)
})

test('an operation is called on a document, and on each of a list', async () => {
  const { json } = await make('operated')
  const set = { json: { params: { xpath: 'dc:title', value: 'By @op' }, input: 'doc:/' } }
  const one = await call('POST', `/api/v1/id/${json.value.id}/@op/Document.SetProperty`, set)
  expect([one.status, one.json.title]).toEqual([200, 'By @op'])
  const { json: folder } = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'list-op', type: 'Folder' },
  })
  for (const name of ['a', 'b'])
    await call('POST', `/api/v1/id/${folder.uid}`, {
      json: { 'entity-type': 'document', name, type: 'File' },
    })
  const many = await call('POST', `/api/v1/id/${folder.uid}/@children/@op/Document.SetProperty`, set)
  expect(many.json.entries.map(({ title }: { title: string }) => title)).toEqual(['By @op', 'By @op'])
  expect((await call('POST', `/api/v1/id/${folder.uid}/@op/No.Such`, set)).status).toBe(404)
  expect((await call('GET', `/api/v1/id/${folder.uid}/@op/Document.SetProperty`)).status).toBe(405)
})

test('an adapter comes and goes at run time', async () => {
  const { json } = await make('runtime')
  const path = `/api/v1/id/${json.value.id}/@bo/Memo`
  const at = '/api/v1/contributions/adapters/Memo'
  const yaml = { 'Content-Type': 'application/yaml' }
  expect((await call('GET', path)).status).toBe(404)
  const deployed = await call('PUT', at, {
    headers: yaml,
    body: 'type: File\nfields: { subject: dc:title }\n',
  })
  expect(deployed.status, deployed.text).toBe(201)
  expect((await call('GET', path)).json.value.subject).toBe('runtime')
  const refused = await call('PUT', at, { headers: yaml, body: 'type: File\nfields: { id: dc:title }\n' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('cannot be declared')])
  expect((await call('DELETE', at)).status).toBe(204)
  expect((await call('GET', path)).status).toBe(404)
})
