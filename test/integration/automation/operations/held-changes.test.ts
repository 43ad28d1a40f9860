import { afterAll, expect, inject, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { uniqueName } from '../../../support/template.js'
import { addUser, createClient } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const platform = await createTestPlatform({
  ARCHIVOLT_HOLD_SECONDS: '1',
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann', ['members'])

const run = (operation: string, params: object, more: { user: string; context?: object; input?: string }) => {
  const { user, ...rest } = more
  return call('POST', `/site/automation/${operation}`, { user, json: { params, ...rest } })
}
const made = await call('POST', '/api/v1/path/', {
  json: { 'entity-type': 'document', type: 'File', name: 'held', properties: { 'dc:title': 'held' } },
})
const { uid } = made.json
await run(
  'Document.AddPermission',
  { user: 'ann', permission: 'ReadWrite' },
  { user: 'Administrator', input: `doc:${uid}` },
)

/** An operation as often as two loops, one in the other, say; all of it in one transaction. */
const nested = (operation: string, parameters: object, { user, times }: { user: string; times: number }) =>
  run(
    'RunOperationOnList',
    {
      id: 'RunOperationOnList',
      list: 'outer',
      parameters: { id: operation, list: 'inner', item: 'it', parameters },
    },
    { user, input: `doc:${uid}`, context: { outer: Array(times).fill('x'), inner: Array(times).fill('y') } },
  )

const described = async (): Promise<unknown> =>
  (await call('GET', `/api/v1/id/${uid}`, { headers: { 'X-NXproperties': '*' } })).json.properties[
    'dc:description'
  ]

test('what a call changes is held for no longer than others may be kept waiting, and undone then', async () => {
  const begun = performance.now()
  const call = nested(
    'Document.SetProperty',
    { xpath: 'dc:description', value: 'long' },
    { user: 'ann', times: 1_000 },
  )
  const answer = await call
  expect(answer.status).toBe(504)
  expect(answer.json.message).toContain('was rolled back')
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(await described()).toBeNull()
})

test('an administrator, and a caller who only reads, may take longer', async () => {
  const begun = performance.now()
  const read = await nested('Document.Fetch', { value: uid }, { user: 'ann', times: 80 })
  expect(read.status).toBe(200)
  const written = await nested(
    'Document.SetProperty',
    { xpath: 'dc:description', value: 'done' },
    { user: 'Administrator', times: 45 },
  )
  expect(written.status).toBe(200)
  expect(await described()).toBe('done')
  expect(performance.now() - begun).toBeGreaterThan(1_500)
})
