import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createContributionRoutes } from '../../../../api/contributions/index.js'
import type { Environment } from '../../../../api/edge/index.js'
import { errorHandler } from '../../../../api/errors/index.js'
import { principalOf } from '../../../../core/access/security/index.js'
import { createChainHandler, createChainRegistry } from '../../../../core/automation/chains/index.js'
import { defineOperation } from '../../../../core/automation/language/index.js'
import { namesOfYaml } from '../../../../core/automation/lint/names.fixture.js'
import {
  createContributionDeployments,
  createContributionFeed,
  type PointHandler,
} from '../../../../core/platform/contributions/index.js'
import { createContributionStore } from '../../../../storage/postgres/contributions/index.js'
import { createDatabase } from '../../../../storage/postgres/index.js'
import { createTestDatabase } from '../../../support/index.js'

const { url } = await createTestDatabase()
const database = createDatabase({ url })
const operation = defineOperation({
  id: 'Test.Say',
  label: 'Say',
  category: 'Test',
  description: 'Says something',
  params: { text: { type: 'string', isRequired: true }, times: { type: 'integer', default: 1 } },
  methods: ({ method }) => [method('document', 'documents', async () => ({ type: 'void' }))],
})
const loop = defineOperation({
  id: 'Test.Loop',
  label: 'Loop',
  category: 'Test',
  description: '',
  params: { id: { type: 'string', isRequired: true } },
  callsTarget: 'list',
  boundary: 'loop',
  methods: ({ method }) => [method('void', 'void', async () => ({ type: 'void' }))],
})
const store = createContributionStore(database)
const feed = await createContributionFeed({
  store,
  onError: (error) => {
    throw error
  },
})
const registry = createChainRegistry({ operations: [operation, loop], defaults: [], feed })
const namesOf = () => namesOfYaml()
const handlers = [createChainHandler(registry, { namesOf }) as PointHandler]
const routes = createContributionRoutes({
  deployments: createContributionDeployments({ store, feed, handlers }),
  feed,
})
const app = new Hono<Environment>()
app.use(async (c, next) => {
  const name = c.req.header('X-User') ?? 'Administrator'
  c.set('principal', principalOf(name, [], name === 'Administrator'))
  await next()
})
app.route('/api/v1/contributions', routes)
app.onError(errorHandler(pino({ level: 'silent' })))

afterAll(async () => {
  await feed.close()
  await database.close()
})

let count = 0
let id = ''
beforeEach(() => {
  count += 1
  id = `chain${count}`
})

type Call = {
  headers?: { [name: string]: string }
  body?: string | Uint8Array<ArrayBuffer>
  query?: string
  of?: string
}

const call = async (method: string, { headers = {}, body, query = '', of = id }: Call = {}) => {
  const response = await app.request(`/api/v1/contributions/chains/${encodeURIComponent(of)}${query}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  }
}

const YAML = '# says hello\n- Test.Say:\n    text: hello\n'
const put = (body: string, more: Call = {}) =>
  call('PUT', { ...more, body, headers: { 'Content-Type': 'application/yaml', ...more.headers } })

describe('PUT', () => {
  test('warns of what is probably not meant so, and deploys it', async () => {
    const text = 'params:\n- who:\noperations:\n- Test.Say:\n    text: expr:ChainParameters["woh"]\n'
    const warnings = [
      {
        line: 5,
        column: 16,
        field: 'operations[0].text',
        message: 'ChainParameters.woh: the chain declares no parameter "woh", did you mean "who"?',
      },
    ]
    expect((await put(text, { query: '?dryRun=true' })).json).toMatchObject({ segments: [{}], warnings })
    expect(await put(text)).toMatchObject({ status: 201, json: { version: 1, warnings } })
    expect((await put(YAML)).json).not.toHaveProperty('warnings')
    expect((await call('GET', { headers: { Accept: 'application/json' } })).json).not.toHaveProperty(
      'warnings',
    )
  })

  test('answers 201 first and 200 later, with version and tag', async () => {
    const first = await put(YAML)
    expect(first.status).toBe(201)
    expect(first.headers.get('etag')).toBe('"1"')
    expect(first.json).toMatchObject({
      'entity-type': 'chain',
      id,
      version: 1,
      etag: '"1"',
      author: 'Administrator',
    })
    const second = await put(`${YAML}# again\n`)
    expect([second.status, second.json.version, second.headers.get('etag')]).toEqual([200, 2, '"2"'])
  })

  test.each([
    ['application/yaml', YAML],
    ['text/yaml; charset=utf-8', YAML],
    ['', YAML],
    ['application/json', '[{"Test.Say":{"text":"hello"}}]'],
    [
      'application/xml',
      '<chain><operation id="Test.Say"><param name="text">hello</param></operation></chain>',
    ],
    ['text/xml', '<chain><operation id="Test.Say"><param name="text">hello</param></operation></chain>'],
  ])('takes %s', async (type, body) => {
    expect(
      (
        await call('PUT', {
          body: new TextEncoder().encode(body),
          headers: type ? { 'Content-Type': type } : {},
        })
      ).status,
    ).toBe(201)
    expect((await call('GET', { headers: { Accept: 'application/json' } })).json.operations).toEqual([
      { 'Test.Say': { text: 'hello' } },
    ])
  })

  test('refuses a chain with line, column, field and message of each problem, and keeps nothing', async () => {
    const { status, json } = await put('- Test.Sai\n- Test.Say:\n    times: often\n')
    expect(status).toBe(422)
    expect(json).toEqual({
      'entity-type': 'exception',
      code: 'invalid',
      status: 422,
      message: `Chain '${id}' is refused: unknown operation "Test.Sai", did you mean "Test.Say"? (line 1, column 3), and 2 more`,
      details: [
        {
          line: 1,
          column: 3,
          field: 'operations[0]',
          message: 'unknown operation "Test.Sai", did you mean "Test.Say"?',
        },
        { line: 2, column: 3, field: 'operations[1].text', message: 'Test.Say needs the parameter "text"' },
        { line: 3, column: 12, field: 'operations[1].times', message: 'expected an integer, found "often"' },
      ],
    })
    expect((await call('GET')).status).toBe(404)
  })

  test.each([
    ['malformed YAML', '- [', {}, 422],
    ['a loop over what an expression names', '- Test.Loop:\n    id: expr:x\n', {}, 422],
    ['another media type', YAML, { headers: { 'Content-Type': 'text/plain' } }, 415],
    ['another charset', YAML, { headers: { 'Content-Type': 'text/yaml; charset=latin1' } }, 415],
    ['somebody without rights', YAML, { headers: { 'X-User': 'ann' } }, 403],
    ['an id with a slash', YAML, { of: '../x' }, 422],
    ['an id of the wire', YAML, { of: 'Chain.x' }, 422],
    ['the id of an operation', YAML, { of: 'Test.Say' }, 422],
    ['a condition that is no tag', YAML, { headers: { 'If-Match': '1' } }, 400],
    ['an unclear dry run', YAML, { query: '?dryRun=maybe' }, 400],
    ['a text over the limit', ' '.repeat(300_000), {}, 413],
    ['a body over the limit', ' '.repeat(2_000_000), {}, 413],
  ])('refuses %s', async (_, body, more, status) => {
    const answer = await put(body, more)
    expect({ status: answer.status, entity: answer.json?.['entity-type'] }).toEqual({
      status,
      entity: 'exception',
    })
    expect((await call('GET')).status).toBe(404)
  })

  test('refuses a body that is not UTF-8', async () => {
    expect((await call('PUT', { body: new Uint8Array([0x2d, 0x20, 0xff, 0xfe]) })).status).toBe(400)
  })

  test('honours If-Match and If-None-Match', async () => {
    let texts = 0
    const status = async (headers: { [name: string]: string }) =>
      (await put(`${YAML}# ${texts++}\n`, { headers })).status
    expect(await status({ 'If-Match': '*' })).toBe(412)
    expect(await status({ 'If-Match': '"1"' })).toBe(412)
    expect(await status({ 'If-None-Match': '*' })).toBe(201)
    expect(await status({ 'If-None-Match': '*' })).toBe(412)
    expect(await status({ 'If-Match': 'W/"1"' })).toBe(412)
    expect(await status({ 'If-Match': '"0", "1.json"' })).toBe(200)
    expect(await status({ 'If-Match': '"1"' })).toBe(412)
    expect(await status({ 'If-Match': '*' })).toBe(200)
  })

  test('of parallel creations one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => put(YAML, { headers: { 'If-None-Match': '*' } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412, 412, 412])
  })

  test('does not replace when the XML says so', async () => {
    const xml = { body: '<chain replace="false"/>', headers: { 'Content-Type': 'text/xml' } }
    expect((await call('PUT', xml)).status).toBe(201)
    expect((await call('PUT', xml)).status).toBe(409)
  })

  test('plans without deploying', async () => {
    await put(YAML, { of: `${id}.inner` })
    const { status, json } = await put(`- Test.Say:\n    text: a\n- Test.Loop:\n    id: ${id}.inner\n`, {
      query: '?dryRun=true',
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ 'entity-type': 'chainPlan', chainId: id, boundaries: 1 })
    expect(json.segments.map(({ kind }: { kind: string }) => kind)).toEqual(['segment', 'loop'])
    expect(json.signatures).toContainEqual({ input: 'document', output: 'documents' })
    expect((await call('GET')).status).toBe(404)
    expect((await put('- Nope\n', { query: '?dryRun=true' })).status).toBe(422)
    expect((await put(YAML, { query: '?dryRun=true', headers: { 'X-User': 'ann' } })).status).toBe(403)
  })
})

describe('GET', () => {
  test('gives back what was deployed, comments included', async () => {
    await put(YAML)
    expect((await call('GET', { headers: { 'X-User': 'ann' } })).status).toBe(403)
    const { text, headers } = await call('GET')
    expect(text).toBe(YAML)
    expect(headers.get('content-type')).toBe('application/yaml; charset=UTF-8')
    expect([headers.get('etag'), headers.get('vary')]).toEqual(['"1"', 'Accept'])
  })

  test.each([
    ['application/json', 'application/json', '"1.json"'],
    ['text/xml', 'application/xml', '"1.xml"'],
    ['*/*', 'application/yaml', '"1"'],
    ['text/html, application/json;q=0.5, application/yaml;q=0.4', 'application/json', '"1.json"'],
  ])('Accept: %s', async (Accept, type, etag) => {
    await put(YAML)
    const { headers, text } = await call('GET', { headers: { Accept } })
    expect(headers.get('content-type')).toBe(`${type}; charset=UTF-8`)
    expect(headers.get('etag')).toBe(etag)
    const again = await call('PUT', { body: text, headers: { 'Content-Type': type, 'If-Match': etag } })
    expect(again.status).toBe(200)
  })

  test('answers 406 for what it cannot give, and 304 for what the caller has', async () => {
    await put(YAML)
    expect((await call('GET', { headers: { Accept: 'image/png, application/yaml;q=0' } })).status).toBe(406)
    expect((await call('GET', { headers: { 'If-None-Match': '"7", W/"1"' } })).status).toBe(304)
    expect((await call('GET', { headers: { 'If-None-Match': '"1.json"' } })).status).toBe(200)
  })

  test('reads versions', async () => {
    await put(YAML)
    await put('[]')
    expect((await call('GET', { query: '?version=1' })).text).toBe(YAML)
    expect((await call('GET', { query: '?version=2' })).text).toBe('[]')
    expect((await call('GET', { query: '?version=3' })).status).toBe(404)
    expect((await call('GET', { query: '?version=x' })).status).toBe(400)
    expect((await call('GET', { query: '?version=99999999999' })).status).toBe(400)
  })

  test.each(['missing', '\u0000', 'a/b', '__proto__'])('an unknown id is not found: %j', async (of) => {
    expect((await call('GET', { of })).status).toBe(404)
    expect((await call('DELETE', { of })).status).toBe(404)
  })

  test('lists the chains in force', async () => {
    await put('description: Listed\noperations: []\n')
    await put('[]', { of: `${id}.gone` })
    await call('DELETE', { of: `${id}.gone` })
    const response = await app.request('/api/v1/contributions/chains')
    const { entries, ...list } = (await response.json()) as { entries: { id: string }[] }
    expect(list).toEqual({ 'entity-type': 'chains' })
    expect(entries.filter((entry) => entry.id.startsWith(id))).toEqual([
      expect.objectContaining({ 'entity-type': 'chain', id, version: 1, description: 'Listed' }),
    ])
  })

  test('publishes the schema of all chains', async () => {
    await put('[]')
    const { status, json, headers } = await call('GET', { of: 'schema.json' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/schema+json; charset=UTF-8')
    expect(Object.keys(json.$defs)).toEqual(expect.arrayContaining(['call.Test.Say', `call.${id}`]))
  })
})

describe('DELETE', () => {
  test('takes the chain away and keeps its versions and numbers', async () => {
    await put(YAML)
    expect((await call('DELETE', { headers: { 'X-User': 'ann' } })).status).toBe(403)
    expect((await call('DELETE', { headers: { 'If-Match': '"2"' } })).status).toBe(412)
    expect((await call('DELETE', { headers: { 'If-Match': '"1"' } })).status).toBe(204)
    expect((await call('DELETE')).status).toBe(404)
    expect((await call('GET')).status).toBe(404)
    expect((await call('GET', { query: '?version=1' })).text).toBe(YAML)
    const again = await put(YAML, { headers: { 'If-None-Match': '*' } })
    expect([again.status, again.json.version]).toEqual([201, 3])
  })

  test('refuses while others call it, and names them', async () => {
    await put('aliases: [old.name]\noperations: []')
    await put(`- ${id}`, { of: `${id}.direct` })
    await put('- Test.Loop:\n    id: old.name\n', { of: `${id}.loop` })
    const { status, json } = await call('DELETE')
    expect([status, json.message]).toEqual([409, `Chain '${id}' is called by ${id}.direct, ${id}.loop`])
  })
})
