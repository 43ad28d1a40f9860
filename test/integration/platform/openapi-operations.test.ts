import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { operations } from '../../../core/automation/operations/index.js'
import { createValidator } from '../../support/json-schema.js'
import { createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

/** Each operation and chain among the paths of the OpenAPI document, as the registry describes it. */

const platform = await createTestPlatform()
// Connects to nothing until something is run.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const OPENAPI = '/api/v1/openapi.json'

const deploy = async (id: string, body: string) => {
  const headers = { 'Content-Type': 'application/yaml' }
  const path = `/api/v1/contributions/chains/${encodeURIComponent(id)}`
  const { status, text } = await call('PUT', path, { headers, body })
  expect(status, text).toBe(201)
}

let document: Entity
let text: string
let registry: Entity
let validate: ReturnType<typeof createValidator>
beforeAll(async () => {
  await deploy(
    'my chain',
    'params:\n- to: {type: document, required: true}\noperations: [Context.FetchDocument]\n',
  )
  // The address of this one is taken by a route, for GET.
  await deploy('runs', '- Context.FetchDocument\n')
  const answer = await call('GET', OPENAPI)
  document = answer.json
  text = answer.text
  registry = (await call('GET', '/api/v1/automation')).json
  validate = createValidator(document)
})

const itemOf = (id: string): Entity => document.paths[`/automation/${encodeURIComponent(id)}`]
const bodyOf = (id: string): Entity => itemOf(id).post.requestBody.content['application/json'].schema

test('every operation and chain is there with its parameters', () => {
  expect(registry.operations.length).toBeGreaterThan(150)
  for (const { id, label, category, params } of registry.operations) {
    const { post } = itemOf(id)
    expect([post.summary, post.tags], id).toEqual([label, [`operations: ${category}`]])
    const { properties, required = [] } = bodyOf(id).properties.params
    expect(Object.keys(properties).sort(), id).toEqual(params.map(({ name }: Entity) => name).sort())
    const declared = Object.entries(operations.find((operation) => operation.id === id)?.params ?? {})
    const needed = declared.filter(([, param]) => param.isRequired && param.default === undefined)
    if (category !== 'Chain') expect([...required].sort(), id).toEqual(needed.map(([name]) => name).sort())
  }
})

test('names and references are sound', () => {
  const ids = Object.values(document.paths as Entity).flatMap((item: Entity) =>
    Object.values(item).flatMap(({ operationId }: Entity) => operationId ?? []),
  )
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(ids).toContain('call.my~20chain')
  expect(ids.filter((id) => !/^[\w.~-]+$/.test(id))).toEqual([])
  const refs = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref]) => ref ?? ''))
  const missing = [...refs].filter(
    (ref) => ref.split('/').reduce((at: Entity, key: string) => at?.[key], document) === undefined,
  )
  expect(missing).toEqual([])
  const tags = document.tags.map(({ name }: Entity) => name)
  expect(tags).toContain('operations: Document')
  expect(new Set(tags).size).toBe(tags.length)
})

test('the document stays small enough to be read by tools at once', () => {
  expect(text.length).toBeLessThan(900_000)
})

test.each<[string, unknown, boolean]>([
  ['Document.Create', { params: { type: 'File', properties: { 'dc:title': 'x' } } }, true],
  [
    'Document.Create',
    { input: 'doc:/', params: { type: 'File', properties: 'dc:title=x' }, context: {} },
    true,
  ],
  ['Document.Create', { params: {} }, false],
  ['Document.Create', {}, false],
  ['Document.Create', { params: { type: 'File', properties: 1 } }, false],
  ['Document.Update', { params: { properties: {}, save: 'often' } }, false],
  ['Context.FetchDocument', {}, true],
  ['my chain', { params: { to: '/a' } }, true],
  ['my chain', { params: {} }, false],
])('the body of %s: %j is right: %s', (id, body, isRight) => {
  expect(validate(bodyOf(id), body).length === 0).toBe(isRight)
})

test('those that take files say so', () => {
  expect(
    Object.keys(
      itemOf('Blob.Attach')?.post.requestBody.content ??
        itemOf('Blob.AttachOnDocument').post.requestBody.content,
    ),
  ).toContain('multipart/form-data')
  expect(Object.keys(itemOf('Document.Lock').post.requestBody.content)).toEqual(['application/json'])
})

test('a chain whose address is that of a route is beside it', () => {
  expect(itemOf('runs').post.summary).toBe('runs')
})

test('a chain that is deployed is there from then on, under another tag', async () => {
  const before = await call('GET', OPENAPI)
  await deploy('later', '- Context.FetchDocument\n')
  const after = await call('GET', OPENAPI, { headers: { 'If-None-Match': before.headers.get('etag') ?? '' } })
  expect([before.json.paths['/automation/later'], after.status]).toEqual([undefined, 200])
  expect(after.json.paths['/automation/later'].post.tags).toEqual(['operations: Chain'])
  const again = await call('GET', OPENAPI, { headers: { 'If-None-Match': after.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test.each([
  ['User.Get', { login: {} }],
  ['User.Get', { login: ['Administrator'] }],
  ['Traces.ToggleRecording', { enableTrace: 'often' }],
])('%s with %j is refused, as it is described', async (id, params) => {
  expect(validate(bodyOf(id), { params })).not.toEqual([])
  const { status, json } = await call('POST', `/api/v1/automation/${id}`, { json: { params } })
  expect([status, json.message]).toEqual([
    400,
    expect.stringMatching(/^Parameter \w+: expected (a text|true or false), found/),
  ])
})
