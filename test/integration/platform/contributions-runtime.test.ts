import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { createContributionRoutes } from '../../../api/contributions/index.js'
import type { Environment } from '../../../api/edge/index.js'
import { errorHandler } from '../../../api/errors/index.js'
import { policyRestrictions, principalOf } from '../../../core/access/security/index.js'
import { createAutomationRuntime, createPlatform, type Platform } from '../../../runtime/index.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

// biome-ignore lint/suspicious/noExplicitAny: what is tested is the shape of JSON
type Json = any

const here = await createTestPlatform()
/** Another process on the same database. */
const there = await createPlatform(here.settings, pino({ level: 'silent' }))

const contributionsOf = async (platform: Platform) => {
  const runtime = await createAutomationRuntime(platform)
  afterAll(runtime.close)
  const app = new Hono<Environment>()
  app.use(async (c, next) => {
    const name = c.req.header('X-User') ?? 'Administrator'
    c.set('principal', principalOf(name, [], name === 'Administrator'))
    await next()
  })
  app.route('/', createContributionRoutes({ deployments: runtime.deployments, feed: platform.deployed.feed }))
  app.onError(errorHandler(pino({ level: 'silent' })))
  return app
}

const [deploying, other] = [await contributionsOf(here), await contributionsOf(there)]
afterAll(() => there.close())
const documents = { here: createApp(here), there: createApp(there) }

type Call = { body?: string; headers?: { [name: string]: string }; from?: typeof deploying }

const call = async (method: string, path: string, { body, headers = {}, from = deploying }: Call = {}) => {
  const response = await from.request(path, {
    method,
    headers: { 'Content-Type': 'application/yaml', ...headers },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const json: Json = isJson ? JSON.parse(text) : undefined
  return { status: response.status, text, json, headers: response.headers }
}

const deploy = async (path: string, body: string) => {
  const answer = await call('PUT', path, { body })
  expect(answer.text === '' ? answer.status : answer.text).not.toContain('exception')
  expect([200, 201]).toContain(answer.status)
  return answer
}

const authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`

const rest = async (
  method: string,
  path: string,
  { json, headers = {}, at = 'here' }: { json?: object; headers?: object; at?: 'here' | 'there' } = {},
) => {
  const response = await documents[at].request(`http://x/nuxeo/api/v1${path}`, {
    method,
    headers: {
      Authorization: authorization,
      'Content-Type': 'application/json',
      properties: '*',
      ...headers,
    },
    ...(json && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const body: Json = isJson ? JSON.parse(text) : text
  return { status: response.status, body }
}

const create = (type: string, properties: object = {}, at: 'here' | 'there' = 'here') =>
  rest('POST', '/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name: `${type}-doc`, type, properties },
    at,
  })

const CONTRACT = `
prefix: ct
fields:
  number: { type: string, required: true, pattern: '[A-Z]{2}-\\d+' }
  amount: { type: double, minimum: 0, maximum: 1000 }
  signed: { type: date, minimum: '2000-01-01' }
  kind: { type: string, values: [sale, lease], default: sale }
  owner: { type: string, resolver: { user: user } }
  related: { type: string, resolver: document }
  country: { type: string, resolver: { directory: country } }
  parties:
    type: complex[]
    fields: { name: { type: string, required: true }, share: long, user: { type: string, resolver: user } }
`

describe('a type contributed at run time', () => {
  test('is there for documents of every process', async () => {
    await deploy('/schemas/contract', CONTRACT)
    await deploy('/types/Contract', 'extends: File\nschemas: [contract]\n')
    const made = await create('Contract', { 'dc:title': 'One', 'ct:number': 'AB-1' })
    expect(made.status).toBe(201)
    expect(made.body.properties).toMatchObject({
      'ct:number': 'AB-1',
      'ct:kind': 'sale',
      'ct:parties': [],
      'ct:amount': null,
    })
    expect((await rest('GET', '/config/types/Contract')).body).toMatchObject({ parent: 'File' })
    await expect.poll(() => there.snapshot().model.types.has('Contract')).toBe(true)
    expect((await create('Contract', { 'ct:number': 'AB-2' }, 'there')).status).toBe(201)
  })

  test('a session keeps the model that it began with', async () => {
    await here.withSession(principalOf('Administrator', [], true), async ({ model }) => {
      await deploy('/facets/Late', '')
      expect(model.facets.has('Late')).toBe(false)
    })
    expect(here.snapshot().model.facets.has('Late')).toBe(true)
    expect((await call('DELETE', '/facets/Late')).status).toBe(204)
    expect(here.snapshot().model.facets.has('Late')).toBe(false)
  })

  test('every violation is reported at once, in the report that clients know', async () => {
    const { status, body } = await create('Contract', {
      'ct:amount': -1,
      'ct:signed': '1999-12-31',
      'ct:kind': 'gift',
      'ct:owner': 'nobody',
      'ct:country': 'Atlantis',
      'ct:related': '/no/such/place',
      'ct:parties': [
        { name: 'A', user: 'Administrator' },
        { share: 2, user: 'ghost' },
      ],
      'dc:description': 'x'.repeat(2001),
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ 'entity-type': 'validation_report', has_error: true, number: 10 })
    const found = Object.fromEntries(
      body.violations.map((violation: Json) => [violation.messageKey, violation]),
    )
    const prefix = 'label.schema.constraint.violation.'
    expect(Object.keys(found).sort()).toEqual(
      [
        'LengthConstraint.dublincore.description',
        'NotNullConstraint.contract.number',
        'NumericIntervalConstraint.contract.amount',
        'DateIntervalConstraint.contract.signed',
        'EnumConstraint.contract.kind',
        'NotNullConstraint.contract.parties.name',
        'userManagerResolver.contract.owner',
        'userManagerResolver.contract.parties.user',
        'directoryResolver.contract.country',
        'documentResolver.contract.related',
      ]
        .map((key) => prefix + key)
        .sort(),
    )
    expect(found[`${prefix}NumericIntervalConstraint.contract.amount`]).toEqual({
      messageKey: `${prefix}NumericIntervalConstraint.contract.amount`,
      message: 'This value must be at least 0 and at most 1000',
      invalid_value: -1,
      constraint: {
        'entity-type': 'validation_constraint',
        name: 'NumericIntervalConstraint',
        parameters: { Minimum: '0', MinimumInclusive: 'true', Maximum: '1000', MaximumInclusive: 'true' },
      },
      path: [{ field_name: 'ct:amount', is_list_item: false }],
    })
    expect(found[`${prefix}userManagerResolver.contract.parties.user`].path).toEqual([
      { field_name: 'ct:parties', is_list_item: true, index: 1 },
      { field_name: 'user', is_list_item: false },
    ])
  })

  test('its texts are searched like those of any other', async () => {
    const { body: made } = await create('Contract', { 'ct:number': 'ZZ-77', 'ct:kind': 'lease' })
    const query = "SELECT * FROM Contract WHERE ecm:fulltext = 'lease'"
    const { body } = await rest('GET', `/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
    expect(body.entries.map(({ uid }: Json) => uid)).toEqual([made.uid])
    expect((await rest('DELETE', `/id/${made.uid}`)).status).toBe(204)
  })

  test('an update is held to the same rules, and what is right goes through', async () => {
    const { body: contract } = await create('Contract', { 'ct:number': 'AB-3' })
    const put = (properties: object) =>
      rest('PUT', `/id/${contract.uid}`, { json: { 'entity-type': 'document', properties } })
    expect((await put({ 'ct:number': null })).status).toBe(422)
    expect((await put({ 'ct:owner': 'ghost', 'ct:number': 'bad' })).body.number).toBe(2)
    const right = {
      'ct:owner': 'Administrator',
      'ct:country': 'France',
      'ct:related': `default:${contract.uid}`,
      'ct:amount': '12.5',
      'ct:signed': '2024-02-29',
    }
    const { status, body } = await put(right)
    expect(status).toBe(200)
    expect(body.properties).toMatchObject({
      ...right,
      'ct:amount': 12.5,
      'ct:signed': '2024-02-29T00:00:00.000Z',
    })
  })

  test('what is in use is not taken away, and the documents are counted', async () => {
    const refused = async (method: string, path: string, body?: string) => {
      const answer = await call(method, path, body === undefined ? {} : { body })
      expect(answer.status).toBe(409)
      return answer.json.message as string
    }
    expect(await refused('DELETE', '/types/Contract')).toContain('3 documents of type Contract')
    expect(await refused('DELETE', '/schemas/contract')).toContain('types/Contract: schemas[0]')
    expect(await refused('PUT', '/types/Contract', 'extends: File\n')).toContain(
      '3 documents with a value of ct:number',
    )
    expect(await refused('PUT', '/schemas/contract', CONTRACT.replace('[A-Z]{2}-', '[A-Z]{3}-'))).toContain(
      '3 documents with a value of ct:number that would no longer be allowed',
    )
    expect(
      await refused(
        'PUT',
        '/schemas/contract',
        CONTRACT.replace('amount: { type: double', 'amount: { type: long'),
      ),
    ).toContain('1 document with a value of ct:amount that would no longer be allowed')
    expect(
      await refused(
        'PUT',
        '/schemas/contract',
        CONTRACT.replace("minimum: '2000-01-01'", "minimum: '2000-01-01', required: true"),
      ),
    ).toContain('2 documents with a value of ct:signed')
    expect(
      await refused('PUT', '/types/Contract', 'extends: File\nschemas: [contract]\nabstract: true'),
    ).toContain('3 documents')
    expect((await create('Contract', { 'ct:number': 'AB-4' })).status).toBe(201)
  })

  test('what nobody uses may be narrowed or taken away', async () => {
    await deploy('/schemas/contract', CONTRACT.replace('share: long,', ''))
    await deploy('/schemas/contract', CONTRACT.replace('maximum: 1000', 'maximum: 12.5'))
    await deploy('/types/Unused', 'extends: Contract')
    expect((await call('DELETE', '/types/Unused')).status).toBe(204)
    expect((await create('Unused')).status).toBe(400)
  })

  test('states that documents are in are not taken from a life cycle', async () => {
    const cycle = 'initial: open\nstates: { open: [close], closed: [] }\ntransitions: { close: closed }\n'
    await deploy('/lifecycles/simple', cycle)
    await deploy('/types/Case', 'schemas: [dublincore]\nlifecycle: simple\n')
    const { body } = await create('Case')
    expect(body.state).toBe('open')
    const { status, json } = await call('PUT', '/lifecycles/simple', {
      body: 'replace: true\ninitial: closed\nstates: { closed: [] }\ntransitions: {}\n',
    })
    expect([status, json.message]).toEqual([409, expect.stringContaining('1 document of type Case')])
  })

  test('permissions that entries name do not begin to grant Browse', async () => {
    await deploy('/permissions/Audit', 'includes: [ReadSecurity]\n')
    await deploy('/permissions/Inspect', 'includes: [Browse]\n')
    expect(here.snapshot().permissions.accepted('Browse').has('Inspect')).toBe(true)
    const { status, json } = await call('PUT', '/permissions/CanAskForPublishing', {
      body: 'includes: [Browse]',
    })
    expect([status, json.message]).toEqual([409, expect.stringContaining('CanAskForPublishing')])
  })
})

describe('what is broken is refused and stops nobody', () => {
  test.each([
    ['an unknown schema', '/types/Bad', 'extends: File\nschemas: [contrat]', 2, 11, 'schemas[0]'],
    ['an unknown key', '/types/Bad', 'extend: File', 1, 1, 'extend'],
    ['an unknown type of field', '/schemas/bad', 'fields:\n  a: strin', 2, 6, 'fields.a'],
    ['a type that extends itself', '/types/Bad', 'extends: Bad', 1, 10, 'extends'],
    [
      'a rule that no value could break',
      '/schemas/bad',
      'fields: { a: { type: long, maxLength: 2 } }',
      1,
      39,
      'fields.a.maxLength',
    ],
    ['a broken text', '/schemas/bad', 'fields: [', 1, 10, undefined],
    ['a life cycle without a state', '/lifecycles/bad', 'initial: x', 1, 10, 'initial'],
  ])('%s: line, column and field', async (_, path, body, line, column, field) => {
    const { status, json } = await call('PUT', path, { body })
    expect(status).toBe(422)
    expect(json.details[0]).toMatchObject({ line, column, ...(field && { field }) })
    expect(json.details[0].file).toBeUndefined()
    expect(here.snapshot().model.types.has('File')).toBe(true)
  })

  test.each([
    ['an unknown point', 'PUT', '/nothing/x', '', 404],
    ['a name that cannot be one', 'PUT', '/types/a%20b', '', 422],
    ['what is made of files at a start', 'PUT', '/users/ann', 'firstName: Ann', 409],
    ['XML of another element', 'PUT', '/types/X', '<a/>', 422],
    ['the configuration', 'DELETE', '/types/File', undefined, 409],
    ['what is not there', 'DELETE', '/types/Nothing', undefined, 404],
  ])('%s', async (what, method, path, body, status) => {
    const headers = what.startsWith('XML') ? { 'Content-Type': 'application/xml' } : undefined
    const answer = await call(method, path, {
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    })
    expect(answer.status).toBe(status)
  })

  test('a security policy asks for properties that there are, as long as it is there', async () => {
    const policy = 'permissions: [Browse]\nquery: "embargo:until IS NULL"\n'
    const refused = await call('PUT', '/securityPolicies/embargo', { body: policy })
    expect(refused.status).toBe(422)
    expect(refused.json.message).toBe(
      'securityPolicies/embargo is refused: query: No such property: embargo:until at offset 0 (line 2, column 8)',
    )
    await deploy('/schemas/embargo', 'fields: { until: date }\n')
    await deploy('/securityPolicies/embargo', policy)
    const needed = await call('DELETE', '/schemas/embargo')
    expect(needed.status).toBe(409)
    expect(needed.json.message).toContain('still needed: securityPolicies/embargo: query: No such property')
    expect((await call('DELETE', '/securityPolicies/embargo')).status).toBe(204)
    expect((await call('DELETE', '/schemas/embargo')).status).toBe(204)
  })

  test('two processes cannot leave a type without its schema, whichever comes first', async () => {
    for (let round = 0; round < 4; round++) {
      await deploy('/schemas/loose', 'fields: { a: string }')
      await other.request('/schemas/loose')
      const [removal, use] = await Promise.all([
        call('DELETE', '/schemas/loose'),
        call('PUT', '/types/UsesLoose', { body: 'schemas: [loose]', from: other }),
      ])
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([removal.status, use.status])
      if (use.status !== 201) continue
      expect((await call('DELETE', '/types/UsesLoose')).status).toBe(204)
      expect((await call('DELETE', '/schemas/loose')).status).toBe(204)
    }
  })

  test('others than administrators neither read nor write', async () => {
    const headers = { 'X-User': 'ann' }
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/types'],
      ['GET', '/types/File'],
      ['GET', '/types/schema.json'],
      ['GET', '/chains'],
      ['PUT', '/types/Mine'],
      ['DELETE', '/types/Contract'],
    ] as const)
      expect((await call(method, path, { headers, ...(method === 'PUT' && { body: '' }) })).status).toBe(403)
    expect((await call('GET', '/chains/schema.json', { headers })).status).toBe(200)
  })

  test('a deployed contribution that no longer fits is left out, the rest goes on', async () => {
    await here.database.sql`
      INSERT INTO contributions (point, name, version, source, format, content, author)
      VALUES ('types', 'Orphan', 1, 'extends: Gone', 'yaml', '{}', 'ann')`
    const late = await createPlatform(here.settings, pino({ level: 'silent' }))
    expect(late.snapshot().model.types.has('Orphan')).toBe(false)
    expect(late.snapshot().model.types.has('Contract')).toBe(true)
    await late.close()
    await here.deployed.feed.current()
    await deploy('/facets/AfterOrphan', '')
    expect((await call('DELETE', '/types/Orphan')).status).toBe(204)
  })

  test('a security policy that no longer fits goes on to deny', async () => {
    await here.database.sql`
      INSERT INTO contributions (point, name, version, source, format, content, author)
      VALUES ('securityPolicies', 'embargoed', 1, 'permissions: [Remove]\nquery: "gone:until IS NULL"', 'yaml', '{}', 'ann')`
    const late = await createPlatform(here.settings, pino({ level: 'silent' }))
    const { policies } = late.snapshot().permissions
    await late.close()
    const ann = principalOf('ann', [], false)
    expect(policyRestrictions(policies, ann, 'Remove')).toContain('ecm:uuid IS NULL')
    expect(policyRestrictions(policies, ann, 'Browse')).toEqual([])
    await here.deployed.feed.current()
    expect((await call('DELETE', '/securityPolicies/embargoed')).status).toBe(204)
  })
})

describe('versions', () => {
  test('each deployment is one, with its author and its text', async () => {
    const first = await deploy('/facets/Marked', '# once\nschemas: [dublincore]\n')
    expect(first.status).toBe(201)
    expect(first.json).toMatchObject({
      'entity-type': 'contribution',
      id: 'Marked',
      point: 'facets',
      version: 1,
      author: 'Administrator',
    })
    const second = await call('PUT', '/facets/Marked', {
      body: '{"schemas": []}',
      headers: { 'Content-Type': 'application/json', 'If-Match': '"1"' },
    })
    expect([second.status, second.headers.get('ETag')]).toEqual([200, '"2"'])
    expect((await call('GET', '/facets/Marked?version=1')).text).toBe('# once\nschemas: [dublincore]\n')
    expect((await call('GET', '/facets/Marked', { headers: { Accept: 'application/json' } })).json).toEqual({
      schemas: [],
    })
    const versions = await call('GET', '/facets/Marked?versions=true', { from: other })
    expect(versions.json.entries.map(({ version }: Json) => version)).toEqual([2, 1])
    const stale = { body: '', headers: { 'If-Match': '"1"' } }
    expect((await call('PUT', '/facets/Marked', stale)).status).toBe(412)
    expect((await call('GET', '/facets/Marked', { headers: { 'If-None-Match': '"2"' } })).status).toBe(304)
  })

  test('a dry run checks and keeps nothing', async () => {
    const { status, json } = await call('PUT', '/types/Note?dryRun=true', { body: 'facets: [Orderable]' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ 'entity-type': 'contributionPlan', point: 'types', name: 'Note' })
    expect(json.content.facets).toContain('Orderable')
    expect(json.content.facets).toContain('Versionable')
    expect(here.snapshot().model.types.get('Note')?.facets).not.toContain('Orderable')
    expect((await call('PUT', '/types/Note?dryRun=true', { body: 'x: 1' })).status).toBe(422)
  })

  test('what the configuration says can be extended, replaced and come back', async () => {
    await deploy('/types/Note', 'facets: [Orderable]')
    expect(here.snapshot().model.types.get('Note')?.facets).toEqual(
      expect.arrayContaining(['Orderable', 'Versionable']),
    )
    expect((await call('DELETE', '/types/Note')).status).toBe(204)
    expect(here.snapshot().model.types.get('Note')?.facets).not.toContain('Orderable')
    expect((await call('GET', '/types/Note')).text).toContain('Versionable')
  })

  test('a directory that values are held to is there as long as they are', async () => {
    const field = (resolver: string) => `fields:
  lines: { type: complex, fields: { place: { type: string, resolver: ${resolver} } } }
`
    const held = field('{ directory: rooms }')
    const early = await call('PUT', '/schemas/booking', { body: held })
    expect([early.status, early.json.details]).toEqual([
      422,
      [
        expect.objectContaining({
          line: 2,
          field: 'fields.lines.fields.place.resolver.directory',
          message: '"rooms" is not among the directories',
        }),
      ],
    ])
    await deploy('/directories/rooms', 'extends: template-vocabulary')
    await deploy('/schemas/booking', held)
    const { status, json } = await call('DELETE', '/directories/rooms')
    expect([status, json.message]).toEqual([409, expect.stringContaining('schemas/booking')])
    await deploy('/schemas/booking', field('{ directory: rooms, validation: false }'))
    expect((await call('DELETE', '/directories/rooms')).status).toBe(204)
  })

  test('every point says what may be written', async () => {
    const points = (await call('GET', '/')).json.entries.map(({ point }: Json) => point)
    expect(points).toEqual(
      expect.arrayContaining([
        'schemas',
        'types',
        'facets',
        'lifecycles',
        'permissions',
        'chains',
        'converters',
      ]),
    )
    for (const point of points) {
      const { status, json } = await call('GET', `/${point}/schema.json`)
      expect([point, status, typeof json.$schema]).toEqual([point, 200, 'string'])
      expect((await call('GET', `/${point}`)).status).toBe(200)
    }
  })
})

test('scripts, like chains, are kept in a registry of their own, and no snapshot is built of them', async () => {
  const before = here.snapshot()
  await deploy(
    '/scripts/Test.Declared',
    'params:\n- lang: { type: string }\nscript: "function run(input, params) { return params.lang }"\n',
  )
  expect(here.snapshot()).toBe(before)
})
