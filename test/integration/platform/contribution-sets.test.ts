import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createContributionRoutes } from '../../../api/contributions/index.js'
import type { Environment } from '../../../api/edge/index.js'
import { errorHandler } from '../../../api/errors/index.js'
import { principalOf } from '../../../core/access/security/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { createTestPlatform } from '../support/rest-support.js'

// biome-ignore lint/suspicious/noExplicitAny: what is tested is the shape of JSON
type Json = any

const platform = await createTestPlatform()
const runtime = await createAutomationRuntime(platform)
afterAll(runtime.close)
const app = new Hono<Environment>()
app.use(async (c, next) => {
  const name = c.req.header('X-User') ?? 'Administrator'
  c.set('principal', principalOf(name, [], ['Administrator', 'root'].includes(name)))
  await next()
})
const { deployments } = runtime
app.route('/', createContributionRoutes({ deployments, feed: platform.deployed.feed }))
app.onError(errorHandler(pino({ level: 'silent' })))

const call = async (
  method: string,
  path: string,
  {
    body,
    type = 'application/yaml',
    user = 'Administrator',
  }: { body?: string; type?: string; user?: string } = {},
): Promise<{ status: number; json: Json }> => {
  const headers = { 'Content-Type': type, 'X-User': user }
  const response = await app.request(path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text }
}

const versionOf = async (path: string): Promise<number | undefined> =>
  (await call('GET', `${path}?versions=true`)).json.entries?.[0].version

describe('several at once', () => {
  type Entry = { name?: string; point?: string; format?: string; text: string }
  const set = (contributions: Entry[], query = '') =>
    call('POST', `/${query}`, { body: JSON.stringify({ contributions }), type: 'application/json' })

  const caller = { name: 'set-caller', text: '- RunOperation: {id: set-callee, parameters: {who: x}}\n' }
  const callee = {
    name: 'set-callee',
    text: 'params:\n- who: {type: string, required: true}\noperations:\n- Log: {message: "expr:who"}\n',
  }

  test.each([[[caller, callee]], [[callee, caller]]])('%j know one another', async (entries) => {
    expect(await set(entries, '?dryRun=true')).toMatchObject({
      status: 200,
      json: { entries: entries.map(({ name }, source) => ({ id: name, source, point: 'chains' })) },
    })
    expect(await versionOf('/chains/set-callee')).toBeUndefined()
  })

  test('the parameters of one that is not deployed yet are known', async () => {
    const typo = { ...caller, text: caller.text.replace('who', 'hwo') }
    const { status, json } = await set([typo, callee])
    expect(status).toBe(422)
    expect(json.details).toEqual(
      [
        {
          ...{ line: 1, column: 3, field: 'operations[0].parameters.who' },
          ...{
            message: 'set-callee needs the parameter "who"',
            contribution: 'chains/set-caller',
            source: 0,
          },
        },
        {
          ...{ line: 1, column: 47, field: 'operations[0].parameters.hwo' },
          message: 'unknown parameter "hwo" of set-callee, did you mean "who"?',
          ...{ contribution: 'chains/set-caller', source: 0 },
        },
      ].map((detail) => expect.objectContaining({ message: detail.message, source: detail.source })),
    )
    expect(await versionOf('/chains/set-callee')).toBeUndefined()
  })

  test('a cycle is reported, in whichever order', async () => {
    const a = { name: 'set-a', text: '- set-b\n' }
    const b = { name: 'set-b', text: '- set-a\n' }
    for (const entries of [
      [a, b],
      [b, a],
    ]) {
      const { status, json } = await set(entries)
      expect(status).toBe(422)
      expect(json.details[0].message).toMatch(/^the chain calls itself: /)
    }
  })

  test('what is wrong with each is reported of all, and a bad one does not blame its callers', async () => {
    const bad = { name: 'set-callee', text: '- Document.Creat\n' }
    const odd = { name: 'set-odd', text: '- Document.Create: {type: Fil}\n' }
    const worse = { name: 'set-worse', text: 'opertions: []\n' }
    const plain = { name: 'set-caller', text: '- set-callee\n' }
    const { status, json } = await set([bad, odd, worse, plain])
    expect(status).toBe(422)
    expect(json.message).toMatch(/^Nothing was deployed: .*, and 1 more of 4$/)
    expect(json.details).toEqual([
      expect.objectContaining({ source: 0, line: 1, column: 3, contribution: 'chains/set-callee' }),
      expect.objectContaining({ source: 1, severity: 'warning', contribution: 'chains/set-odd' }),
      expect.objectContaining({ source: 2, message: expect.stringContaining('unknown key "opertions"') }),
    ])
    for (const { name } of [bad, odd, worse, plain])
      expect(await versionOf(`/chains/${name}`)).toBeUndefined()
  })

  test('chains, scripts, handlers and types of one set find one another', async () => {
    const type = { point: 'types', name: 'SetReport', text: 'extends: File\nschemas: [setreport]\n' }
    const schema = { point: 'schemas', name: 'setreport', text: 'prefix: sr\nfields: { number: string }\n' }
    const handler = {
      point: 'eventHandlers',
      name: 'set-handler',
      text: 'events: documentCreated\nchain: set-made\ndoctype: SetReport\n',
    }
    const chain = {
      name: 'set-made',
      text: '- Set.Script\n- Document.SetProperty: {xpath: "sr:number", value: "1"}\n',
    }
    const script = {
      name: 'Set.Script',
      text: 'inputType: document\noutputType: document\nscript: |\n  function run(input, params) { return input }\n',
    }
    const { status, json } = await set([handler, chain, type, script, schema])
    expect({ status, json }).toMatchObject({ status: 200 })
    expect(json.entries.map(({ point, version, warnings }: Json) => [point, version, warnings])).toEqual([
      ['eventHandlers', 1, undefined],
      ['chains', 1, undefined],
      ['types', 1, undefined],
      ['scripts', 1, undefined],
      ['schemas', 1, undefined],
    ])
    for (const path of ['eventHandlers/set-handler', 'chains/set-made', 'scripts/Set.Script'])
      expect((await call('DELETE', `/${path}`)).status).toBe(204)
  })

  test('a file says itself what it contributes', async () => {
    const text =
      'chains:\n  file-a:\n  - file-b\n  file-b:\n  - Log: {message: hi}\n  - Document.SetProperty: {xpath: "dc:titel"}\n'
    const { status, json } = await set([{ name: 'all', text }])
    expect(status).toBe(200)
    expect(json.entries).toMatchObject([
      { id: 'file-a', source: 0 },
      { id: 'file-b', source: 0, warnings: [{ line: 6, column: 35 }] },
    ])
    expect((await call('POST', '/', { body: text })).json.entries).toMatchObject([
      { id: 'file-a', version: 1, unchanged: true },
      { id: 'file-b', version: 1, unchanged: true },
    ])
  })

  test('an inline chain that one of the set would make commit is reported where it is', async () => {
    await call('PUT', '/chains/set-inner', { body: '- Log: {message: a}\n' })
    await call('PUT', '/chains/set-inline', { body: 'execution: inline\noperations:\n- set-inner\n' })
    const commits = '- RunOperationOnListInNewTx: {id: set-each, list: l}\n'
    const { status, json } = await set([
      { name: 'set-inner', text: commits },
      { name: 'set-each', text: '- Log: {message: "expr:item"}\n' },
      { name: 'set-beside', text: commits },
    ])
    expect(status).toBe(422)
    expect(json.details.filter(({ severity }: Json) => severity === undefined)).toEqual([
      expect.objectContaining({
        source: 0,
        message: expect.stringContaining('it would commit inside of the inline chain set-inline'),
      }),
    ])
  })

  test.each([
    ['{', 400, /not JSON/],
    ['{"contributions":[]}', 400, /contributions/],
    ['{"contributions":[{"text":"a"},{"name":"a","text":"[Log]"}]}', 422, /refused/],
    ['{"contributions":[{"name":"a","text":"{}"},{"name":"a","text":"{}"}]}', 400, /twice/],
    ['{"contributions":[{"point":"chains","text":"{}"}]}', 400, /name/],
    ['{"contributions":[{"point":"nothing","name":"a","text":"{}"}]}', 404, /nothing/],
  ])('%j is refused', async (body, status, message) => {
    const answer = await call('POST', '/', { body, type: 'application/json' })
    expect({ status: answer.status, message: answer.json.message }).toEqual({
      status,
      message: expect.stringMatching(message),
    })
  })

  test('is for administrators', async () => {
    const body = JSON.stringify({ contributions: [callee] })
    expect(
      (await call('POST', '/?dryRun=true', { body, type: 'application/json', user: 'ann' })).status,
    ).toBe(403)
  })
})

describe('parameters of a schedule', () => {
  const chain = `params:
- days: {type: integer, required: true}
- what: {type: string}
operations:
- Log: {message: "expr:what"}
`
  const schedule = (params: string): string =>
    `chains:
  by-time:
${chain.replace(/^(?=.)/gm, '    ')}schedules:
  timely:
    chain: by-time
    cron: 0 3 * * *
    params: ${params}
`

  test.each([
    ['{days: ten}', '12:20 expected an integer, found "ten"'],
    ['{days: "expr:5"}', '12:5 Parameter days: a whole number is expected, not a text'],
    ['{days: 3, what: {b: c}}', '12:23 expected a text, found a map'],
    ['{days: 3, dyas: 3}', '12:23 unknown parameter "dyas" of by-time, did you mean "days"?'],
    ['{what: x}', '12:5 by-time needs the parameter "days"'],
    ['{days: }', '12:5 by-time needs the parameter "days"'],
    ['{dyas: 3, what: [1]}', 'three'],
  ])('%s is refused where it stands', async (params, reported) => {
    const { status, json } = await call('POST', '/', { body: schedule(params) })
    expect(status).toBe(422)
    const details = json.details.map(({ contribution, line, column, message }: Json) => {
      expect(contribution).toBe('schedules/timely')
      return `${line}:${column} ${message}`
    })
    expect(details).toEqual(
      reported === 'three'
        ? [
            '12:14 unknown parameter "dyas" of by-time, did you mean "days"?',
            '12:23 expected a text, found a list',
            '12:5 by-time needs the parameter "days"',
          ]
        : [reported],
    )
    expect(await versionOf('/schedules/timely')).toBeUndefined()
  })

  test.each(['{days: 3}', '{days: "3", what: x}'])('%s is taken', async (params) => {
    expect((await call('POST', '/?dryRun=true', { body: schedule(params) })).status).toBe(200)
  })

  test('are reported by themselves, too, with their line', async () => {
    await call('PUT', '/chains/by-time', { body: chain })
    const { status, json } = await call('PUT', '/schedules/timely', {
      body: 'chain: by-time\ncron: 0 3 * * *\nparams:\n  days: 3\n  waht: x\n',
    })
    expect(status).toBe(422)
    expect(json.message).toBe(
      'schedules/timely is refused: params.waht: unknown parameter "waht" of by-time, did you mean "what"? (line 5, column 3)',
    )
  })
})

test.each([
  [
    'eventHandlers',
    'events: documentCreated\nchain: nowhere\ncondition: "a b"\ndoctyp: File\n',
    [
      '4 doctyp: unknown key "doctyp", did you mean "doctype"?',
      expect.stringMatching(/^3 condition: /),
      expect.stringMatching(/^2 chain: no chain "nowhere" is deployed/),
    ],
  ],
  [
    'schedules',
    'chain: nowhere\ncron: 0 3 * *\nusername: nobody\nrepository: other\noverlap: never\n',
    [
      expect.stringMatching(/^5 overlap: /),
      expect.stringMatching(/^2 cron: /),
      '4 repository: there is no repository "other"',
      expect.stringMatching(/^1 chain: no chain "nowhere" is deployed/),
      '3 username: there is no user "nobody"',
    ],
  ],
])('all that is wrong with a contribution to %s is reported at once', async (point, body, expected) => {
  const { status, json } = await call('PUT', `/${point}/all-wrong`, { body })
  expect(status).toBe(422)
  expect(json.details.map(({ line, field, message }: Json) => `${line} ${field}: ${message}`)).toEqual(
    expected,
  )
})

describe('the same again', () => {
  const put = async (path: string, body: string, type = 'application/yaml') => {
    const { status, json } = await call('PUT', path, { body, type })
    return { status, version: json.version, unchanged: json.unchanged ?? false }
  }
  const TEXT = '# says hello\n- Log:\n    message: hello\n'

  test.each([
    ['as it is', TEXT],
    ['with other line ends', TEXT.replaceAll('\n', '\r\n')],
    ['with blanks at the ends of lines and lines at the end', TEXT.replace('\n', '   \n').concat('\n\n')],
    ['indented as a whole', TEXT.replace(/^(?=.)/gm, '  ')],
  ])('%s is no new version', async (name, text) => {
    const path = `/chains/again-${name.replaceAll(' ', '-')}`
    expect(await put(path, TEXT)).toEqual({ status: 201, version: 1, unchanged: false })
    expect(await put(path, text)).toEqual({ status: 200, version: 1, unchanged: true })
    expect((await call('PUT', `${path}?dryRun=true`, { body: text })).json.unchanged).toBe(true)
    expect(await versionOf(path)).toBe(1)
  })

  test.each([
    ['another comment', TEXT.replace('hello', 'hi')],
    ['another value', TEXT.replace('message: hello', 'message: bye')],
    ['blanks inside of a text', TEXT.replace('message: hello', 'message: "hello  "')],
  ])('%s is one', async (name, text) => {
    const path = `/chains/other-${name.replaceAll(' ', '-')}`
    await put(path, TEXT)
    expect(await put(path, text)).toEqual({ status: 200, version: 2, unchanged: false })
  })

  test('an older text is a version that names its equal', async () => {
    const other = TEXT.replace('hello', 'bye')
    const reported = async (body: string) => {
      const { json } = await call('PUT', '/chains/back', { body })
      return [json.version, json.sameAs, json.unchanged]
    }
    expect(await reported(TEXT)).toEqual([1, undefined, undefined])
    expect(await reported(other)).toEqual([2, undefined, undefined])
    expect(await reported(TEXT)).toEqual([3, 1, undefined])
    expect(await reported(TEXT)).toEqual([3, undefined, true])
    expect(await reported(other)).toEqual([4, 2, undefined])
  })

  test('so is what was deleted meanwhile, and what is another notation', async () => {
    await put('/chains/gone', TEXT)
    expect(await put('/chains/gone', '[{"Log":{"message":"hello"}}]', 'application/json')).toMatchObject({
      version: 2,
    })
    await call('DELETE', '/chains/gone')
    expect(await put('/chains/gone', '[{"Log":{"message":"hello"}}]', 'application/json')).toMatchObject({
      status: 201,
      version: 4,
    })
  })

  test('handlers and scripts alike; a schedule runs as whoever deployed it last', async () => {
    await put('/chains/again-here', TEXT)
    const handler = 'events: documentCreated\nchain: again-here\nenabled: false\n'
    await put('/eventHandlers/again', handler)
    expect(await put('/eventHandlers/again', handler)).toMatchObject({ version: 1, unchanged: true })
    const script = 'script: |\n  function run(input, params) { return input }\n'
    await put('/scripts/Again.Script', script)
    expect(await put('/scripts/Again.Script', script)).toMatchObject({ version: 1, unchanged: true })
    const schedule = 'chain: again-here\ncron: 0 0 3 1 1 ?\nusername: Administrator\n'
    await put('/schedules/again', schedule)
    expect(await put('/schedules/again', schedule)).toMatchObject({ version: 1, unchanged: true })
    const byOther = await call('PUT', '/schedules/again', { body: schedule, user: 'root' })
    expect(byOther.json).toMatchObject({ version: 2 })
    expect(byOther.json.unchanged).toBeUndefined()
  })
})

describe('a component of the incumbent', () => {
  const COMPONENT = `<component name="org.example">
  <extension target="org.nuxeo.ecm.core.schema.TypeService" point="schema">
    <schema name="bill" prefix="bill"><schema><element name="number" type="xs:long"/></schema></schema>
  </extension>
  <extension target="org.nuxeo.ecm.core.schema.TypeService" point="doctype">
    <doctype name="Bill" extends="File"><schema name="bill"/></doctype>
  </extension>
  <extension target="org.nuxeo.ecm.platform.types.TypeService" point="types">
    <type id="Bill" coretype="Bill"><icon>/icons/bill.png</icon></type>
  </extension>
  <extension target="any" point="chains"><chain id="bill"><operation id="Document.Fetch"><param name="value">/</param></operation></chain></extension>
</component>`

  test('is deployed to every extension point that it names', async () => {
    const { status, json } = await call('POST', '/', { body: COMPONENT, type: 'application/xml' })
    expect(status).toBe(200)
    expect(json.entries.map(({ point, id, name }: Json) => `${point}/${id ?? name}`)).toEqual([
      ...['schemas/bill', 'types/Bill', 'chains/bill'],
    ])
    const yaml = await call('GET', '/types/Bill')
    expect(yaml.json).toContain('icon: /icons/bill.png')
  })

  test('is shown as XML only where it was deployed so', async () => {
    const get = async (path: string) => {
      const response = await app.request(path, { headers: { Accept: 'application/xml' } })
      return [response.status, (await response.text()).includes('<doctype')]
    }
    expect(await get('/types/Bill')).toEqual([200, true])
    expect(await get('/types/File')).toEqual([406, false])
  })

  test('what is wrong with it is found in its file', async () => {
    const body = COMPONENT.replace('extends="File"', 'extend="File"')
    const { status, json } = await call('POST', '/', { body, type: 'application/xml' })
    expect(status).toBe(422)
    expect(json.details).toMatchObject([{ line: 6, contribution: 'types/Bill' }])
  })
})
