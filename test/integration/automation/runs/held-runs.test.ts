import { expect, test } from 'vitest'
import { createTestService } from '../../support/bad-input-support.js'
import { addUser } from '../../support/rest-client.js'

const { call, platform } = await createTestService({
  ARCHIVOLT_LARGE_SUBTREE: '100',
  ARCHIVOLT_HOLD_SECONDS: '1',
})
await addUser(platform, 'ann', ['members'])

/** A list of this length is kept apart from the run, by what its documents were named: their paths. */
const MANY = 600

test('a run that copies a list is one transaction for no longer than a call may be, and leaves no copy', async () => {
  const create = async (parent: string, type: string, name: string): Promise<string> => {
    const json = { 'entity-type': 'document', type, name }
    return (await call('POST', `/api/v1/path${parent}`, { json })).json.path
  }
  const folder = await create('/default-domain/workspaces', 'Folder', 'listed')
  const copies = await create('/default-domain/workspaces', 'Folder', 'copies')
  for (let file = 0; file < 150; file++) await create(folder, 'File', `file-${file}`)
  const params = { user: 'ann', permission: 'ReadWrite' }
  for (const path of [folder, copies])
    await call('POST', '/api/v1/automation/Document.AddPermission', {
      json: { input: `doc:${path}`, params },
    })
  const { status, headers, json } = await call('POST', '/api/v1/automation/Document.Copy', {
    user: 'ann',
    json: { input: `docs:${Array(MANY).fill(folder).join(',')}`, params: { target: copies } },
  })
  expect([status, headers.has('archivolt-workflow-id')]).toEqual([504, true])
  expect(json.message).toContain('was rolled back')
  expect((await call('GET', `/api/v1/path${copies}/@children`)).json.resultsCount).toBe(0)
})

test('a run takes the documents of a long list that names them by their paths', async () => {
  const json = { 'entity-type': 'document', type: 'Folder', name: 'by-path' }
  const { path } = (await call('POST', '/api/v1/path/default-domain/workspaces', { json })).json
  const { status, headers } = await call('POST', '/api/v1/automation/Document.Trash', {
    json: { input: `docs:${Array(MANY).fill(path).join(',')}`, params: {} },
  })
  expect([status, headers.has('archivolt-workflow-id')]).toEqual([200, true])
  expect((await call('GET', `/api/v1/path${path}`)).status).toBe(404)
})
