import { expect, test } from 'vitest'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_REST_STACK: 'true' })
const call = createClient(platform)

const WORKSPACES = '/api/v1/path/default-domain/workspaces'

test('in extended mode an error includes its stack and cause', async () => {
  const { status, json } = await call('GET', `${WORKSPACES}/nothing`)
  expect(status).toBe(404)
  expect(json).toMatchObject({
    'entity-type': 'exception',
    code: 'notFound',
    status: 404,
    message: '/default-domain/workspaces/nothing',
    stacktrace: expect.stringContaining('at '),
    exception: { className: 'ArchivoltError', message: '/default-domain/workspaces/nothing' },
  })
})

test('nobody but who is logged in sees a stack', async () => {
  for (const [method, path, headers] of [
    ['GET', WORKSPACES, {}],
    ['GET', WORKSPACES, { Authorization: 'Basic bm9ib2R5Ondyb25n' }],
    ['POST', WORKSPACES, { Origin: 'https://evil.example' }],
    ['POST', '/health/ready', {}],
  ] as const) {
    const { status, json } = await call(method, path, { user: null, headers })
    expect([path, status >= 400, Object.keys(json)]).toEqual([
      path,
      true,
      ['entity-type', 'code', 'status', 'message'],
    ])
  }
})

test('a validation report lists every violation', async () => {
  const properties = { 'dc:description': 'x'.repeat(2_001) }
  const { status, json } = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'long', type: 'File', properties },
  })
  expect([status, json['entity-type'], json.has_error, json.number]).toEqual([
    422,
    'validation_report',
    true,
    1,
  ])
  expect(json.violations[0]).toMatchObject({
    messageKey: 'label.schema.constraint.violation.LengthConstraint.dublincore.description',
    invalid_value: properties['dc:description'],
    constraint: { 'entity-type': 'validation_constraint', name: 'LengthConstraint' },
    path: [{ field_name: 'dc:description', is_list_item: false }],
  })
})

test('nothing of a request that fails is done', async () => {
  const refused = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'half', type: 'Folder' },
    headers: { 'X-Versioning-Option': 'MINOR' },
  })
  expect(refused.status).toBe(400)
  expect((await call('GET', `${WORKSPACES}/half`)).status).toBe(404)
  const { json: made } = await call('POST', WORKSPACES, {
    json: { 'entity-type': 'document', name: 'whole', type: 'File', properties: { 'dc:title': 'before' } },
  })
  const properties = { 'dc:title': 'after', 'dc:subjects': 'no list' }
  const put = await call('PUT', `/api/v1/id/${made.uid}`, { json: { 'entity-type': 'document', properties } })
  expect(put.status).toBe(400)
  const { json: read } = await call('GET', `/api/v1/id/${made.uid}`)
  expect([read.title, read.changeToken]).toEqual(['before', '0-0'])
})
