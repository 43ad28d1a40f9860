import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestService } from '../support/bad-input-support.js'
import { addUser, type Entity } from '../support/rest-client.js'

/**
 * What a deployment contributes: contracts begin at 0.1 and are kept in major versions once they are approved;
 * deeds are versioned by conditions, of which that of leases cannot be decided.
 */
const CONFIGURATION = `
types:
  Contract: { extends: File }
  Deed: { extends: File }
  Lease: { extends: File }
versioningFilters:
  contract: { types: [Contract] }
  template:
    types: [Deed]
    condition: '#{previousDocument == null && currentDocument.title.startsWith("Template")}'
  signed:
    types: [Deed]
    condition: previousDocument["dc:rights"] == null and currentDocument["dc:rights"] == CurrentUser.name
  undecided: { types: [Lease], condition: 'currentDocument.title' }
versioningPolicies:
  contracts: { order: 5, filters: [contract], initialState: { major: 0, minor: 1 } }
  templates: { order: 4, filters: [template], initialState: { major: 3, minor: 0 } }
  signing: { order: 2, filters: [signed], increment: MAJOR }
  leases: { order: 3, beforeUpdate: true, filters: [undecided] }
versioningRestrictions:
  Contract: { options: { approved: [NONE, MAJOR] } }
`

const folder = mkdtempSync(join(tmpdir(), 'archivolt-versions-'))
writeFileSync(join(folder, 'versioning.yaml'), CONFIGURATION)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { platform, call } = await createTestService({ ARCHIVOLT_CONFIG: folder })
await addUser(platform, 'ann')

let count = 0
let parent: string

beforeEach(async () => {
  parent = (await post('/default-domain/workspaces', 'Workspace', `rest-versions-${count++}`)).path
})

const post = async (path: string, type: string, name: string, headers = {}): Promise<Entity> => {
  const json = { 'entity-type': 'document', type, name, properties: { 'dc:title': 'First' } }
  const answer = await call('POST', `/api/v1/path${path}`, { json, headers })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

const put = (uid: string, headers: Record<string, string> = {}, user?: string) =>
  call('PUT', `/api/v1/id/${uid}`, {
    json: { 'entity-type': 'document', properties: { 'dc:title': 'Second' } },
    headers,
    ...(user && { user }),
  })

const get = async (uid: string): Promise<Entity> => {
  const headers = { properties: '*', 'fetch-document': 'versionLabel' }
  return (await call('GET', `/api/v1/id/${uid}`, { headers })).json
}

const operate = async (operation: string, uid: string, params: object = {}) =>
  call('POST', `/api/v1/automation/${operation}`, { json: { input: uid, params } })

describe('X-Versioning-Option', () => {
  it.each([
    ['major', '1.0'],
    ['MINOR', '0.1'],
  ])('%s on PUT answers the new version', async (option, label) => {
    const { uid } = await post(parent, 'File', 'file')
    const { status, json } = await put(uid, {
      'X-Versioning-Option': option,
      'fetch-document': 'versionLabel',
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ isVersion: true, versionableId: uid, versionLabel: label, title: 'Second' })
    expect(json.uid).not.toBe(uid)
    expect(await get(uid)).toMatchObject({ isCheckedOut: false, versionLabel: label })
  })

  it.each([undefined, 'NONE', 'none'])('%s on PUT answers the live document', async (option) => {
    const { uid } = await post(parent, 'File', 'file')
    const { json } = await put(uid, option === undefined ? {} : { 'X-Versioning-Option': option })
    expect(json).toMatchObject({ uid, isVersion: false, isCheckedOut: true })
  })

  it('on POST makes the version and answers the live document', async () => {
    const made = await post(parent, 'File', 'file', { 'X-Versioning-Option': 'MAJOR' })
    expect(made).toMatchObject({ isVersion: false, isCheckedOut: false })
    expect(await get(made.uid)).toMatchObject({ versionLabel: '1.0' })
  })

  it('of any other value is refused', async () => {
    const { uid } = await post(parent, 'File', 'file')
    expect((await put(uid, { 'X-Versioning-Option': 'HUGE' })).status).toBe(400)
    expect(await get(uid)).toMatchObject({ title: 'First' })
  })

  it('that is not allowed is refused, naming what is, and nothing is changed', async () => {
    const { uid } = await post(parent, 'Contract', 'contract')
    await operate('Document.SetLifeCycle', uid, { value: 'approve' })
    const refused = await put(uid, { 'X-Versioning-Option': 'MINOR' })
    expect(refused.status).toBe(400)
    expect(refused.json.message).toMatch(
      /X-Versioning-Option: MINOR is not allowed .* allowed are NONE, MAJOR/,
    )
    expect(await get(uid)).toMatchObject({ title: 'First', isCheckedOut: true })
    expect((await operate('Document.CreateVersion', uid, { increment: 'Minor' })).status).toBe(400)
    expect((await put(uid, { 'X-Versioning-Option': 'MAJOR' })).status).toBe(200)
  })

  it('on a folder is refused, and nothing is made', async () => {
    const json = { 'entity-type': 'document', type: 'Folder', name: 'folder' }
    const headers = { 'X-Versioning-Option': 'MAJOR' }
    expect((await call('POST', `/api/v1/path${parent}`, { json, headers })).status).toBe(400)
    expect((await call('GET', `/api/v1/path${parent}/folder`)).status).toBe(404)
  })
})

describe('policies of the deployment', () => {
  it('keep a note after each PUT, in one transaction', async () => {
    const { uid } = await post(parent, 'Note', 'note')
    expect(await get(uid)).toMatchObject({ versionLabel: '0.0' })
    const { json } = await put(uid)
    expect(json).toMatchObject({ uid, isVersion: false, isCheckedOut: false })
    expect(await get(uid)).toMatchObject({ versionLabel: '0.1', title: 'Second' })
  })

  it('keep a file before somebody else changes it', async () => {
    const { uid } = await post(parent, 'File', 'file')
    await operate('Document.AddPermission', uid, { username: 'ann', permission: 'ReadWrite' })
    expect((await put(uid, {}, 'ann')).status).toBe(200)
    expect(await get(uid)).toMatchObject({ versionLabel: '0.1+', title: 'Second' })
    const versions = (await operate('Document.GetVersions', uid)).json.entries
    expect(versions.map(({ title }: Entity) => title)).toEqual(['First'])
  })

  it('can be deployed while the product runs, and taken back', async () => {
    const at = '/api/v1/contributions/versioningPolicies/keep-files'
    const headers = { 'Content-Type': 'application/yaml' }
    const deployed = await call('PUT', at, { body: '{ increment: MAJOR, order: 200 }', headers })
    expect(deployed.status, deployed.text).toBe(201)
    const { uid } = await post(parent, 'File', 'file')
    await put(uid)
    expect(await get(uid)).toMatchObject({ versionLabel: '1.0' })
    expect((await call('DELETE', at)).status).toBe(204)
    await put(uid)
    expect(await get(uid)).toMatchObject({ versionLabel: '1.0+' })
    const refused = await call('PUT', at, { body: '{ increment: HUGE }', headers })
    expect([refused.status, refused.text.includes('increment')]).toEqual([422, true])
  })

  it('say where numbers begin', async () => {
    const { uid } = await post(parent, 'Contract', 'contract')
    expect(await get(uid)).toMatchObject({ versionLabel: '0.1+' })
    await put(uid, { 'X-Versioning-Option': 'MINOR' })
    expect(await get(uid)).toMatchObject({ versionLabel: '0.2' })
  })
})

describe('conditions of filters', () => {
  const change = (uid: string, properties: object) =>
    call('PUT', `/api/v1/id/${uid}`, { json: { 'entity-type': 'document', properties } })

  it('see the document before and after a change, and who makes it', async () => {
    const { uid } = await post(parent, 'Deed', 'deed')
    for (const [properties, versionLabel] of [
      [{ 'dc:source': 'x' }, '0.0'],
      [{ 'dc:rights': 'Administrator' }, '1.0'],
      [{ 'dc:rights': 'Administrator', 'dc:source': 'y' }, '1.0+'],
    ] as const) {
      expect((await change(uid, properties)).status).toBe(200)
      expect(await get(uid)).toMatchObject({ versionLabel })
    }
  })

  it('see nothing before what is made', async () => {
    const json = {
      'entity-type': 'document',
      type: 'Deed',
      name: 't',
      properties: { 'dc:title': 'Template 1' },
    }
    const { uid } = (await call('POST', `/api/v1/path${parent}`, { json })).json
    expect(await get(uid)).toMatchObject({ versionLabel: '3.0+' })
    expect(await get((await post(parent, 'Deed', 'deed')).uid)).toMatchObject({ versionLabel: '0.0' })
  })

  it('that give neither true nor false refuse the change, naming the filter', async () => {
    const { uid } = await post(parent, 'Lease', 'lease')
    const refused = await change(uid, { 'dc:title': 'Second' })
    expect([refused.status, refused.json.message]).toEqual([
      400,
      'versioningFilters.undecided.condition: must evaluate to true or false',
    ])
    expect(await get(uid)).toMatchObject({ title: 'First' })
  })
})

describe('entities', () => {
  it('of versions and proxies name what they belong to and show', async () => {
    const { uid } = await post(parent, 'File', 'file')
    const version = (await put(uid, { 'X-Versioning-Option': 'MAJOR' })).json
    const sections = '/default-domain/sections'
    const proxy = (await operate('Document.PublishToSection', uid, { target: sections })).json
    expect(proxy).toMatchObject({
      isProxy: true,
      isVersion: false,
      path: `${sections}/file`,
      title: 'Second',
      proxyTargetId: version.uid,
      versionableId: uid,
    })
    expect(version).toMatchObject({ isVersion: true, versionableId: uid })
    const live = await get(uid)
    for (const field of ['proxyTargetId', 'versionableId']) expect(live).not.toHaveProperty(field)
    expect(version).not.toHaveProperty('proxyTargetId')
    expect(Object.keys(proxy).slice(10, 16)).toEqual([
      'hasLegalHold',
      'isUnderRetentionOrLegalHold',
      'isVersion',
      'isProxy',
      'proxyTargetId',
      'versionableId',
    ])
  })

  it('of the trash say so; DELETE is for good', async () => {
    const { uid } = await post(parent, 'File', 'file')
    const { status, json } = await operate('Document.Trash', uid)
    expect([status, json.isTrashed, json.state]).toEqual([200, true, 'project'])
    expect((await call('GET', `/api/v1/id/${uid}`)).status).toBe(200)
    const emptied = { json: { params: { parent } } }
    expect((await call('POST', '/api/v1/automation/Document.EmptyTrash', emptied)).status).toBe(204)
    expect((await call('GET', `/api/v1/id/${uid}`)).status).toBe(404)
    const { uid: other } = await post(parent, 'File', 'file')
    expect((await call('DELETE', `/api/v1/id/${other}`)).status).toBe(204)
    expect((await call('DELETE', `/api/v1/id/${other}`)).status).toBe(404)
  })

  it('of a write through a live proxy are the proxy', async () => {
    const { uid } = await post(parent, 'File', 'file')
    const params = { 'Destination Path': '/default-domain/workspaces' }
    const proxy = (await operate('Document.CreateLiveProxy', uid, params)).json
    const written = (await put(proxy.uid)).json
    expect(written).toMatchObject({ uid: proxy.uid, isProxy: true, title: 'Second', proxyTargetId: uid })
    expect(await get(uid)).toMatchObject({ title: 'Second' })
  })
})

it('a refused lock, a bad transition and a write to a version answer what the caller can correct', async () => {
  const { uid } = await post(parent, 'File', 'file')
  const version = (await put(uid, { 'X-Versioning-Option': 'MAJOR' })).json
  expect((await put(version.uid)).status).toBe(400)
  expect((await operate('Document.Lock', uid)).status).toBe(200)
  expect((await operate('Document.Lock', uid)).status).toBe(409)
  const refused = await operate('Document.FollowLifecycleTransition', uid, { value: 'backToProject' })
  expect([refused.status, refused.json['entity-type']]).toEqual([400, 'exception'])
  expect(refused.json.message).toContain('Not allowed to follow transition backToProject from state project')
})

it('the comment of a transition comes with the context of the call', async () => {
  const { uid } = await post(parent, 'File', 'file')
  await call('POST', '/api/v1/automation/Document.FollowLifecycleTransition', {
    json: { input: uid, params: { value: 'approve' }, context: { comment: 'Good' } },
  })
  const [event] = await platform.database.sql<{ payload: { comment: string } }[]>`
    SELECT payload FROM outbox WHERE document_id = ${uid} AND event = 'lifecycle_transition_event'`
  expect(event?.payload.comment).toBe('Good')
})
