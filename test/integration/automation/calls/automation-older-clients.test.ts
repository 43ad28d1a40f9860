import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestService } from '../../support/bad-input-support.js'
import type { Call, Entity } from '../../support/rest-client.js'

const { call, deploy, traces } = await createTestService({ ARCHIVOLT_MAX_JSON_BYTES: '20000' })
const WORKSPACES = '/api/v1/path/default-domain/workspaces'
let file: Entity

beforeAll(async () => {
  const json = { 'entity-type': 'document', name: 'file', type: 'File' }
  file = (await call('POST', WORKSPACES, { json })).json
  await deploy(
    'retitle',
    '- Log:\n    message: begun\n- Document.SetProperty:\n    xpath: dc:title\n    value: later\n',
  )
})

/** The body that the Java client of older releases sends: the JSON of the call, then its files. */
const related = (json: string, ...parts: string[]): Call => {
  const call = `Content-Type: application/json+nxrequest; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\nContent-ID: request\r\n\r\n${json}`
  const body = [call, ...parts].map((part) => `--b=_1\r\n${part}\r\n`).join('')
  return {
    body: Buffer.from(`${body}--b=_1--\r\n`, 'latin1'),
    headers: {
      'Content-Type':
        'multipart/related; type="application/json+nxrequest"; start="request"; boundary="b=_1"',
    },
  }
}

const part = (name: string, content: string) =>
  `Content-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-ID: input\r\nContent-Transfer-Encoding: binary\r\n\r\n${content}`

const attach = (xpath: string) => JSON.stringify({ params: { document: file.path, xpath } })
const BLOB_ATTACH = '/site/automation/Blob.Attach'

describe('multipart/related', () => {
  test('brings the JSON of a call and a file', async () => {
    const answer = await call(
      'POST',
      BLOB_ATTACH,
      related(attach('file:content'), part('a.txt', 'A\r\n--b=_\r\n')),
    )
    expect([answer.status, answer.text]).toEqual([200, 'A\r\n--b=_\r\n'])
    const { headers, text } = await call('GET', `/api/v1/id/${file.uid}/@blob/file:content`)
    expect([text, headers.get('content-disposition')]).toEqual([
      'A\r\n--b=_\r\n',
      "attachment; filename*=UTF-8''a.txt",
    ])
  })

  test('brings several files, named or not', async () => {
    const bare = 'Content-Type: text/plain\r\n\r\nC'
    const answer = await call('POST', BLOB_ATTACH, related(attach('files:files'), part('b.txt', 'B'), bare))
    expect(answer.status).toBe(200)
    for (const [position, content] of ['B', 'C'].entries())
      expect((await call('GET', `/api/v1/id/${file.uid}/@blob/files:files/${position}/file`)).text).toBe(
        content,
      )
  })

  test.each<[string, () => Call, number, RegExp]>([
    ['without a file', () => related(attach('file:content')), 400, /needs a part with a blob/],
    ['whose JSON is none', () => related('{', part('a', 'x')), 400, /not JSON/],
    [
      'with an encoded file',
      () => related(attach('file:content'), 'Content-Transfer-Encoding: base64\r\n\r\neA=='),
      400,
      /^Content-Transfer-Encoding: 'base64'/,
    ],
    [
      'that breaks off',
      () => ({ ...related('{}'), body: '--b=_1\r\nContent-Type: application/json\r\n\r\n{}' }),
      400,
      /malformed/,
    ],
    [
      'without a boundary',
      () => ({ body: 'x', headers: { 'Content-Type': 'multipart/related' } }),
      400,
      /oundary/,
    ],
    [
      'with more JSON than is allowed',
      () => related(JSON.stringify({ params: { value: 'x'.repeat(20_000) } }), part('a', 'x')),
      413,
      /larger than/,
    ],
  ])('%s is refused', async (_case, request, status, message) => {
    const before = await traces()
    const answer = await call('POST', BLOB_ATTACH, request())
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringMatching(message)])
    expect(await traces()).toEqual(before)
  })
})

describe('a call that is not waited for', () => {
  const start = (operation: string, input: string, params: object = {}) =>
    call('POST', `/api/v1/automation/${operation}/@async`, { json: { input, params } })

  const result = async (location: string): Promise<Entity> => {
    const at = new URL(location).pathname
    while ((await call('GET', at)).status !== 303) await sleep(50)
    return (await call('GET', at.replace(/\/status$/, ''))).json
  }

  test.each(['uid', 'path'] as const)('takes a document by its bare %s', async (field) => {
    for (const [operation, params] of [
      ['retitle', {}],
      ['Document.SetProperty', { xpath: 'dc:title', value: 'later' }],
    ] as const) {
      const started = await start(operation, file[field], params)
      expect(started.status).toBe(202)
      expect(await result(started.headers.get('location') ?? '')).toMatchObject({
        uid: file.uid,
        title: 'later',
      })
    }
  })

  test.each([
    ['retitle', '/no/such', {}],
    ['Document.SetProperty', 'no-such', { xpath: 'dc:title', value: 'x' }],
    ['Document.SetProperty', 'doc:no-such', { xpath: 'dc:title', value: 'x' }],
  ])('%s on %s, which is not there, is refused at once', async (operation, input, params) => {
    const before = await traces()
    const { status, json } = await start(operation, input, params)
    expect([status, json.message]).toEqual([404, expect.stringContaining(` ${input.replace('doc:', '')} `)])
    expect(await traces()).toEqual(before)
  })

  test('takes a text that names nothing where text is wanted', async () => {
    const started = await start('Log', 'just text', { message: 'x' })
    expect(started.status).toBe(202)
    expect(await result(started.headers.get('location') ?? '')).toEqual({
      'entity-type': 'string',
      value: 'just text',
    })
  })
})

test('a chain that is called by its prefix finds its parameters among the variables', async () => {
  const set = '- Document.SetProperty:\n    xpath: dc:source\n    value: expr:@{mark} by @{who}\n'
  await deploy('flat', `- Context.FetchDocument\n${set}`)
  const json = { input: file.uid, params: { mark: 'red', who: 'ann' }, context: { who: 'eve' } }
  const answer = await call('POST', '/site/automation/Chain.flat', { json, headers: { properties: '*' } })
  expect([answer.status, answer.json.properties['dc:source']]).toEqual([200, 'red by eve'])
  const bare = await call('POST', '/site/automation/flat', { json })
  expect([bare.status, bare.json.message]).toEqual([400, expect.stringContaining('mark')])
})

test('a conversion is asked for by the query, and polled by redirects', async () => {
  const content = { data: 'converted', name: 'a.txt', 'mime-type': 'text/plain' }
  const json = {
    'entity-type': 'document',
    name: 'text',
    type: 'File',
    properties: { 'file:content': content },
  }
  const { uid } = (await call('POST', WORKSPACES, { json })).json
  const scheduled = await call('POST', `/api/v1/id/${uid}/@convert?type=text%2Fhtml&async=true`)
  const { pollingURL, conversionId } = scheduled.json
  expect([scheduled.status, scheduled.headers.get('location')]).toEqual([202, pollingURL])
  expect(pollingURL).toContain(`/conversion/${conversionId}/poll`)
  const poll = () => call('GET', new URL(pollingURL).pathname)
  let answer = await poll()
  for (; answer.status === 200; answer = await poll()) await sleep(50)
  expect(answer.status).toBe(303)
  const result = await call('GET', new URL(answer.headers.get('location') ?? '').pathname)
  expect(result.text).toContain('converted')
})

describe('what current clients send', () => {
  const unsaved = { 'entity-type': 'document', type: 'File', name: 'new', properties: { 'dc:title': 'New' } }
  const run = (operation: string, json: object) => call('POST', `/api/v1/automation/${operation}`, { json })

  test.each<[string, string, object, number]>([
    ['properties that are null are none', 'Document.Update', { params: { properties: null } }, 200],
    ['properties that are absent are missing', 'Document.Update', { params: {} }, 400],
    ['another parameter that is null is absent', 'Document.SetProperty', { params: { xpath: null } }, 400],
  ])('%s', async (_, operation, json, status) => {
    const answer = await run(operation, { input: `doc:${file.uid}`, ...json })
    expect(answer.status, answer.text).toBe(status)
  })

  test.each<[object, number]>([
    [unsaved, 200],
    [{ ...unsaved, uid: null }, 200],
    [{ ...unsaved, type: undefined }, 400],
    [{ ...unsaved, uid: '' }, 400],
  ])('the input %j is a document that is not saved', async (input, status) => {
    const answer = await run('Repository.Query', { input, params: { query: 'SELECT * FROM Domain' } })
    expect(answer.status, answer.text).toBe(status)
  })

  test('expressions read a document that is not saved', async () => {
    await deploy(
      'save-it',
      `- Context.SetVar: {name: wanted, value: "expr:Document['dc:title'] + ', a ' + Document.type"}
- Context.SetVar: {name: named, value: "expr:Document.name"}
- Repository.GetDocument: {value: /default-domain/workspaces}
- Document.Create: {type: File, name: "expr:named", properties: {"dc:title": "expr:wanted"}}
`,
    )
    const { status, json, text } = await run('save-it', { input: unsaved })
    expect(status, text).toBe(200)
    expect([json.path, json.title]).toEqual(['/default-domain/workspaces/new', 'New, a File'])
  })

  test('a document that is not saved is answered as one, and is no input of what needs a saved one', async () => {
    expect((await run('Log', { input: unsaved, params: { message: 'm' } })).json).toEqual(unsaved)
    const { status, json } = await run('Document.Lock', { input: unsaved })
    expect([status, json.message]).toEqual([400, expect.stringContaining('takes no input of type object')])
  })
})
