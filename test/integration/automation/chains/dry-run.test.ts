// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions hold them
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { addUser, createClient, type Entity } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_SMTP_URL: 'smtp://127.0.0.1:1' })
// Connects to nothing: a dry run starts no workflow.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const PARENT = '/default-domain/workspaces'

const CHAINS: { [id: string]: unknown } = {
  'make-one': [{ 'Document.Create': { type: 'File', name: 'expr:item', properties: { 'dc:title': 'T' } } }],
  'make-all': {
    params: [{ names: { type: 'stringlist', required: true } }],
    operations: [
      'Context.FetchDocument',
      { 'Context.SetVar': { name: 'list', value: 'expr:["a", "b"]' } },
      { RunOperationOnListInNewTx: { id: 'make-one', list: 'list' } },
      { 'Context.RunDocumentOperationInNewTx': { id: 'make-c' } },
      { RunDocumentOperation: { id: 'Document.Lock', newTx: true } },
      { 'Document.Mail': { from: 'a@b.c', to: 'd@e.f', subject: 'Made', message: 'Look' } },
    ],
  },
  'make-c': [{ 'Document.Create': { type: 'Note', name: 'c' } }],
  'make-and-fail': [
    { 'Document.Create': { type: 'File', name: 'd' } },
    { 'Document.FollowLifecycleTransition': { value: 'fly' } },
  ],
  pass: [
    { 'Context.SetVar': { name: 'list', value: 'expr:["p", "a/b", "q"]' } },
    { RunOperationOnListInNewTx: { id: 'make-strictly', list: 'list', rollbackGlobalOnError: false } },
  ],
  stop: [
    { 'Context.SetVar': { name: 'list', value: 'expr:["p", "a/b", "q"]' } },
    { RunOperationOnList: { id: 'make-strictly', list: 'list', newTx: true } },
  ],
  'make-strictly': [
    { 'Document.Create': { type: 'File', name: 'expr:item' } },
    {
      'Repository.GetDocument': {
        value: `expr:"${'/default-domain/workspaces/'}" + (item == "a/b" ? "nowhere" : item)`,
      },
    },
  ],
  'go-on': {
    onError: [{ chain: 'make-c' }],
    operations: [
      { RunDocumentOperation: { id: 'make-and-fail', newTx: true, rollbackGlobalOnError: false } },
      { 'Context.RunDocumentOperationInNewTx': { id: 'make-and-fail' } },
      'make-and-fail',
    ],
  },
  'bulk-fail': [
    {
      'Bulk.RunAction': {
        action: 'automation',
        query: "SELECT * FROM WorkspaceRoot WHERE ecm:path = '/default-domain/workspaces'",
        parameters: { operationId: 'make-and-fail' },
      },
    },
  ],
  asks: [{ 'Context.SetVar': { name: 'x', value: 'expr:HTTP.get("http://example.org/")' } }],
  secret: [
    { 'Auth.LoginAs': {} },
    { 'Repository.GetDocument': { value: '/hidden' } },
    { 'Document.SetProperty': { xpath: 'dc:source', value: 'x' } },
    { 'Auth.Logout': {} },
    { 'Context.SetVar': { name: 'x', value: 1 } },
  ],
}

const dry = (id: string, json: object = {}, user = 'Administrator') =>
  call('POST', `/api/v1/automation/${id}?dryRun=true`, { json, user })

const exists = async (path: string): Promise<boolean> =>
  (await call('GET', `/api/v1/path${path}`)).status === 200

const eventsOf = ({ events }: Entity): string[] =>
  events
    .map(({ event, path }: Entity) => `${event} ${path}`)
    .filter((text: string) => !text.startsWith('sessionSaved'))

beforeAll(async () => {
  await addUser(platform, 'ann', ['members'])
  const hidden = { 'entity-type': 'document', type: 'Folder', name: 'hidden' }
  expect((await call('POST', '/api/v1/path/', { json: hidden })).status).toBe(201)
  const block = {
    params: { permission: 'Everything', user: 'Everyone', grant: 'false' },
    input: 'doc:/hidden',
  }
  expect((await call('POST', '/api/v1/automation/Document.SetACE', { json: block })).status).toBe(200)
  const ids = ['make-one', 'make-c', 'make-all', 'make-and-fail', 'make-strictly', 'pass', 'stop', 'go-on']
  for (const id of [...ids, 'bulk-fail', 'asks', 'secret']) {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(CHAINS[id])
    const { status, text } = await call('PUT', `/api/v1/contributions/chains/${id}`, { headers, body })
    expect(status, text).toBe(201)
  }
})

describe('a dry run', () => {
  test('of an operation reports what it would do, and keeps nothing', async () => {
    const json = { input: `doc:${PARENT}`, params: { type: 'File', name: 'dry' } }
    const { status, json: reported } = await dry('Document.Create', json)
    expect(status).toBe(200)
    expect(reported).toMatchObject({
      'entity-type': 'dryRun',
      operation: 'Document.Create',
      boundaries: 0,
      output: { type: 'document', document: { path: `${PARENT}/dry`, type: 'File' } },
      mailCount: 0,
    })
    expect(eventsOf(reported)).toContain(`documentCreated ${PARENT}/dry`)
    expect(reported.eventCount).toBe(reported.events.length)
    expect(await exists(`${PARENT}/dry`)).toBe(false)
  })

  test('of a chain goes on over its boundaries in the one transaction', async () => {
    const {
      status,
      json: reported,
      text,
    } = await dry('make-all', { input: `doc:${PARENT}`, params: { names: 'a,b' } })
    expect(status, text).toBe(200)
    expect(reported.boundaries).toBe(3)
    const events = eventsOf(reported)
    for (const name of ['a', 'b', 'c']) expect(events).toContain(`documentCreated ${PARENT}/${name}`)
    expect(events.indexOf(`documentCreated ${PARENT}/a`)).toBeLessThan(
      events.indexOf(`documentCreated ${PARENT}/c`),
    )
    expect(events).toContain(`documentLocked ${PARENT}`)
    expect(reported.mails).toEqual([{ to: ['d@e.f'], subject: 'Made' }])
    expect(reported.mailCount).toBe(1)
    for (const name of ['a', 'b', 'c']) expect(await exists(`${PARENT}/${name}`)).toBe(false)
    expect((await platform.database.sql`SELECT FROM mails`).length).toBe(0)
    expect((await platform.database.sql`SELECT FROM outbox WHERE event = 'documentLocked'`).length).toBe(0)
  })

  test('skips failing items as the loop would, each undone alone, and reports them', async () => {
    const { status, json: reported, text } = await dry('pass', { input: `doc:${PARENT}` })
    expect(status, text).toBe(200)
    expect(reported.loops).toEqual([
      {
        operation: 'Context.RunOperationOnListInNewTx',
        target: 'make-strictly',
        total: 3,
        failed: 1,
        failures: [{ position: 1, status: 404, message: expect.stringContaining('nowhere') }],
      },
    ])
    const created = eventsOf(reported).filter((event) => event.startsWith('documentCreated'))
    expect(created).toEqual([`documentCreated ${PARENT}/p`, `documentCreated ${PARENT}/q`])
    const stopped = await dry('stop', { input: `doc:${PARENT}` })
    expect([stopped.status, stopped.text]).toEqual([404, expect.stringMatching(/nowhere.* \(item 1 of 3\)/)])
  })

  test('reports the documents of failing items', async () => {
    const body = JSON.stringify({
      operations: [
        { 'Repository.Query': { query: `SELECT * FROM Document WHERE ecm:path = '${PARENT}'` } },
        { 'Context.SetInputAsVar': { name: 'found' } },
        {
          RunOperationOnListInNewTx: {
            id: 'Document.SetLifeCycle',
            list: 'found',
            parameters: { value: 'fly' },
            rollbackGlobalOnError: false,
          },
        },
      ],
    })
    const headers = { 'Content-Type': 'application/json' }
    const deployed = await call('PUT', '/api/v1/contributions/chains/fly', { headers, body })
    expect(deployed.status, deployed.text).toBe(201)
    const { json: reported } = await dry('fly', {})
    expect(reported.loops[0].failures).toEqual([
      { position: 0, id: expect.any(String), path: PARENT, status: 400, message: expect.any(String) },
    ])
  })

  test('goes on after calls that may fail, and reports the error chains that it came to', async () => {
    const { status, json: reported, text } = await dry('go-on', { input: `doc:${PARENT}` })
    expect(status, text).toBe(200)
    expect(reported.incidentCount).toBe(3)
    expect(reported.incidents).toEqual([
      ...['RunDocumentOperation', 'Context.RunDocumentOperationInNewTx'].map((operation) => ({
        kind: 'passedOver',
        operation,
        target: 'make-and-fail',
        input: { type: 'document', documentId: expect.any(String), path: PARENT },
        failure: { code: 'badRequest', status: 400, message: expect.stringContaining('fly') },
      })),
      expect.objectContaining({ kind: 'errorChain', errorChain: 'make-c', outcome: 'completed' }),
    ])
    const created = eventsOf(reported).filter((event) => event.startsWith('documentCreated'))
    expect(created).toEqual([`documentCreated ${PARENT}/c`])
  })

  test('reports how many documents a bulk command meets, and what the first would come to', async () => {
    const query = "SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain' ORDER BY ecm:path"
    const params = { action: 'setProperties', query, parameters: { 'dc:source': 'bulk' } }
    const counted = await dry('Repository.Query', { params: { query } })
    const { status, json: reported, text } = await dry('Bulk.RunAction', { params })
    expect(status, text).toBe(200)
    expect(reported.commands).toEqual([
      {
        action: 'setProperties',
        total: counted.json.output.count,
        first: {
          documentId: expect.any(String),
          path: expect.stringMatching(/^\/default-domain/),
          events: expect.arrayContaining(['documentModified']),
        },
      },
    ])
    expect(eventsOf(reported)).toEqual([])
    expect(
      (await dry('Bulk.RunAction', { params: { ...params, queryLimit: 2 } })).json.commands,
    ).toMatchObject([{ total: 2 }])
    const failing = await dry('bulk-fail')
    expect(failing.json.commands).toMatchObject([
      {
        total: 1,
        first: {
          path: PARENT,
          events: [],
          failure: { status: 400, message: expect.stringContaining('fly') },
        },
      },
    ])
    const none = await dry('Bulk.RunAction', {
      params: { ...params, query: `${query.slice(0, -18)} AND ecm:uuid IS NULL` },
    })
    expect(none.json.commands).toEqual([{ action: 'setProperties', total: 0 }])
    expect((await platform.database.sql`SELECT FROM bulk_commands`).length).toBe(0)
  })

  test.each<[string, object, number, RegExp]>([
    ['make-and-fail', { input: `doc:${PARENT}` }, 400, /FollowLifecycleTransition.*fly/],
    ['make-all', { input: `doc:${PARENT}` }, 400, /names is required/],
    ['make-c', { input: 'doc:/no/such' }, 404, /no\/such/],
    ['make-c', { input: { 'entity-type': 'number', value: 1 } }, 400, /Document.Create.*number/],
    ['asks', {}, 400, /A dry run asks no other server/],
    ['Blob.CreateFromURL', { params: { file: 'http://example.org/a' } }, 400, /asks no other server/],
    ['no-such', {}, 404, /no-such/],
  ])('of %s with %j answers with %d', async (id, json, status, message) => {
    const answer = await dry(id, json)
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message)])
    expect(await exists(`${PARENT}/d`)).toBe(false)
  })

  test('has the rights of its caller', async () => {
    expect((await dry('make-c', { input: `doc:${PARENT}` }, 'ann')).status).toBe(403)
    expect((await dry('RunScript', { params: { script: '1' } }, 'ann')).status).toBe(404)
    const { status, json: reported, text } = await dry('secret', {}, 'ann')
    expect(status, text).toBe(200)
    const modified = reported.events.find(({ event }: Entity) => event === 'documentModified')
    expect(modified).toMatchObject({ path: null, type: null })
    expect((await dry('secret')).json.events).toContainEqual(expect.objectContaining({ path: '/hidden' }))
  })

  test('turns no switch of the server', async () => {
    const shown = await dry('JsonStack.ToggleDisplay', { params: { enableTrace: true } })
    expect(shown.json.output).toEqual({ type: 'boolean', value: true })
    expect(platform.settings.http.includeStackTrace).toBe(false)
    const recorded = await dry('Traces.ToggleRecording', { params: { enableTrace: true } })
    expect(recorded.json.output).toEqual({ type: 'boolean', value: true })
    const get = await call('POST', '/api/v1/automation/Traces.Get', {
      json: { params: { traceKey: 'none' } },
    })
    expect(get.status, get.text).toBe(409)
  })

  test('is asked for by true or false', async () => {
    const { status, text } = await call('POST', '/api/v1/automation/make-c?dryRun=maybe', { json: {} })
    expect([status, text]).toEqual([400, expect.stringContaining('dryRun')])
  })
})

describe('files of a document', () => {
  let document: Entity
  const file = (name: string) => ({ name, 'mime-type': 'text/plain', data: `text of ${name}` })

  beforeAll(async () => {
    const properties = {
      'file:content': file('main.txt'),
      'files:files': [{ file: file('one.txt') }, { file: file('two.txt') }],
    }
    const json = { 'entity-type': 'document', type: 'File', name: 'with-files', properties }
    document = (await call('POST', `/api/v1/path${PARENT}`, { json })).json
    expect(document.uid).toBeDefined()
  })

  const files = (query: string, user = 'Administrator', id = document.uid) =>
    call('GET', `/site/automation/files/${id}${query}`, { user })

  test.each([
    ['', 'main.txt'],
    ['?path=file:content', 'main.txt'],
    ['?path=files:files/1/file', 'two.txt'],
    ['?path=blobholder:0', 'main.txt'],
  ])('%s answers with the file', async (query, name) => {
    const { status, text, headers } = await files(query)
    expect([status, text]).toEqual([200, `text of ${name}`])
    expect(headers.get('content-disposition')).toContain(name)
  })

  test('of a list come as parts', async () => {
    const { status, text, headers } = await files('?path=files:files')
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^multipart\/mixed; boundary=/),
    ])
    expect(text).toMatch(/one\.txt[\s\S]*text of one\.txt[\s\S]*two\.txt[\s\S]*text of two\.txt/)
  })

  test('are not there for who may not read the document, nor where there is none', async () => {
    const none = '00000000-0000-4000-8000-000000000000'
    for (const path of ['dc:title', 'file:nothing', 'no:such', 'content', 'files:files/7/file', ''])
      expect(
        (await files(`?path=${path}`, 'Administrator', path === '' ? none : undefined)).status,
        path,
      ).toBe(404)
    const hidden = {
      'entity-type': 'document',
      type: 'File',
      name: 'f',
      properties: { 'file:content': file('s.txt') },
    }
    const { uid } = (await call('POST', '/api/v1/path/hidden', { json: hidden })).json
    expect((await files('', 'ann', uid)).status).toBe(404)
    expect((await files('', 'ann')).status).toBe(200)
  })
})

describe('a parameter that there is none of', () => {
  const path = '/api/v1/automation/Repository.GetDocument'
  const json = { params: { value: PARENT, valeu: 'x', größe: 1 } }
  const said = 'unknown parameter "valeu" of Repository.GetDocument, did you mean "value"?'

  test('is ignored, and named in a header of the answer', async () => {
    const { status, headers } = await call('POST', path, { json })
    expect(status).toBe(200)
    expect(headers.get('Archivolt-Warning')).toContain(`${said}; unknown parameter "gr%C3%B6%C3%9Fe"`)
    const failed = await call('POST', path, { json: { params: { value: '/nowhere', valeu: 'x' } } })
    expect([failed.status, failed.headers.get('Archivolt-Warning')]).toEqual([404, said])
    const misspelt = { param: { value: PARENT }, params: { value: PARENT }, argumentList: {} }
    expect((await call('POST', path, { json: misspelt })).headers.get('Archivolt-Warning')).toBe(
      'unknown member "param" of the call, did you mean "params"?; unknown member "argumentList" of the call; known are input, params, context',
    )
    const right = await call('POST', path, { json: { params: { value: PARENT } } })
    expect(right.headers.get('Archivolt-Warning')).toBeNull()
  })

  test('so is a time limit that is no number of seconds', async () => {
    const limited = (limit: string) =>
      call('POST', path, {
        json: { params: { value: PARENT } },
        headers: { 'Nuxeo-Transaction-Timeout': limit },
      })
    const { status, headers } = await limited('abc')
    expect([status, headers.get('Archivolt-Warning')]).toEqual([
      200,
      'Nuxeo-Transaction-Timeout: "abc" is no number of seconds above 0',
    ])
    expect((await limited('60')).headers.get('Archivolt-Warning')).toBeNull()
  })

  test('and of a dry run in its report', async () => {
    const { json: report } = await call('POST', `${path}?dryRun=true`, { json })
    expect(report.warnings).toEqual([said, expect.stringContaining('"größe"')])
  })

  test('of a chain is one that no step reads', async () => {
    const params = { names: 'a', items: 'b', naems: 'c' }
    const { json: report } = await call('POST', '/api/v1/automation/make-all?dryRun=true', {
      json: { params, input: PARENT },
    })
    expect(report.warnings).toEqual([
      expect.stringContaining('"items"'),
      'unknown parameter "naems" of make-all, did you mean "names"?',
    ])
  })

  test('of a chain is one that is a variable of its steps, which a parameter is not', async () => {
    const chain = {
      execution: 'inline',
      operations: [
        'Context.FetchDocument',
        { 'Document.SetProperty': { xpath: 'dc:source', value: 'expr:Context["when"]', save: false } },
        { 'Document.SetProperty': { xpath: 'dc:rights', value: 'expr:Context.who', save: false } },
        {
          'Document.SetProperty': { xpath: 'dc:nature', value: 'expr:ChainParameters["kind"]', save: false },
        },
      ],
    }
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(chain)
    await call('PUT', '/api/v1/contributions/chains/see-variables', { headers, body })
    const values = { when: 'W1', who: 'ann', kind: 'letter' }
    const called = async (id: string, given: object) => {
      const { status, text, ...answer } = await call('POST', `/api/v1/automation/${id}`, {
        json: { input: `doc:${PARENT}`, ...given },
        headers: { properties: 'dublincore' },
      })
      expect(status, text).toBe(200)
      const { 'dc:source': source, 'dc:rights': rights, 'dc:nature': nature } = answer.json.properties
      return [source, rights, nature, answer.headers.get('Archivolt-Warning')]
    }
    const meant = (name: string) =>
      `unknown parameter "${name}" of see-variables, which reads a variable of that name: calls give it under "context"`
    expect(await called('see-variables', { params: values })).toEqual([
      null,
      null,
      'letter',
      `${meant('when')}; ${meant('who')}`,
    ])
    const { kind, ...context } = values
    expect(await called('see-variables', { params: { kind }, context })).toEqual([
      'W1',
      'ann',
      'letter',
      null,
    ])
    expect(await called('Chain.see-variables', { params: values })).toEqual(['W1', 'ann', 'letter', null])
  })
})

test('the chain with parameters that the documentation shows is deployed, and does what it says', async () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/automation.md', 'utf8')) ?? []
  const headers = { 'Content-Type': 'application/yaml' }
  const deployed = await call('PUT', '/api/v1/contributions/chains/file-report', { body: text, headers })
  expect([deployed.status, deployed.json.warnings], deployed.text).toEqual([201, undefined])
  const path = '/api/v1/automation/file-report'
  const missing = await call('POST', path, { json: { params: {} } })
  expect([missing.status, missing.json.message]).toEqual([400, expect.stringContaining('folder')])
  const done = await call('POST', path, {
    json: { params: { folder: PARENT } },
    headers: { properties: 'dublincore' },
  })
  expect([done.status, done.json.properties?.['dc:description']], done.text).toEqual([
    200,
    'Kept for 30 days',
  ])
})
