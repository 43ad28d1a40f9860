import { describe, expect, test } from 'vitest'
import { createHousekeeping } from '../../../../storage/postgres/index.js'
import { AUTOMATION, createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const bench = await createRunsBench()
const { call, write, deploy, start, runOf, list, platform } = bench

const MAKE = `
execution: inline
params:
- name: {type: string, required: true}
- last: {type: string, values: [Log]}
operations:
- Document.Create: {type: Folder, name: 'expr:@{ChainParameters["name"]}'}
- Document.SetProperty: {xpath: 'dc:title', value: 'expr:@{Document.name}!'}
- RunOperation: {id: 'expr:@{ChainParameters["last"]}', parameters: {message: made}}
`
const COMMITTING = '- RunInNewTransaction: {id: Log, parameters: {message: x}}\n'
await deploy('make', MAKE)
await deploy('later', COMMITTING)

const exists = async (path: string): Promise<boolean> =>
  (await call('GET', `/api/v1/path${path}`)).status === 200
const make = (
  name: string,
  more: object = {},
  headers: Record<string, string> = {},
  user = 'Administrator',
) => start('make', { user, headers, json: { input: 'doc:/', params: { name, ...more } } })

describe('an inline chain', () => {
  test('is one transaction of the process that is asked, and is found among the runs', async () => {
    const answer = await make('one')
    expect([answer.status, answer.json.title]).toEqual([200, 'one!'])
    const id = runId(answer)
    expect(id).toMatch(/^make-inline-/)
    await expect(bench.client.workflow.getHandle(id).describe()).rejects.toThrow('not found')
    expect(await runOf(id)).toMatchObject({
      'entity-type': 'run',
      workflowId: id,
      chainId: 'make',
      execution: 'inline',
      principal: 'Administrator',
      status: 'COMPLETED',
      documentId: '/',
      nodes: [{ title: 'Document.Create, Document.SetProperty, RunOperation', status: 'done' }],
    })
    const { entries } = await list({ chain: 'make' })
    const inline = entries.filter((run: { execution: string }) => run.execution === 'inline')
    expect(inline.map((run: { workflowId: string }) => run.workflowId)).toEqual([id])
  })

  test('that fails leaves nothing but its run, and can be asked for again', async () => {
    const answer = await make('two', { last: 'Nothing.Such' })
    expect([answer.status, answer.json.message]).toEqual([404, expect.stringContaining('Nothing.Such')])
    expect(await exists('/two')).toBe(false)
    const id = runId(answer)
    expect(await runOf(id)).toMatchObject({
      status: 'FAILED',
      nodes: [{ status: 'failed' }],
      failure: { code: 'notFound', status: 404, message: expect.stringContaining('Nothing.Such') },
    })
    const again = await call('POST', `${RUNS}/${id}/retry`)
    expect(again.status).toBe(404)
    await deploy('make', MAKE.replace('- RunOperation', '# '))
    const retried = await call('POST', `${RUNS}/${id}/retry`)
    await deploy('make', MAKE)
    expect([retried.status, retried.json.status, retried.json.workflowId]).toEqual([202, 'COMPLETED', id])
    expect(await exists('/two')).toBe(true)
    expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(409)
    expect((await call('DELETE', `${RUNS}/${id}`)).status).toBe(409)
    expect((await call('POST', `${RUNS}/${id}/items/retry`)).status).toBe(404)
  })

  test('runs once for a key, whose repetition answers the same', async () => {
    const headers = { 'Idempotency-Key': 'k' }
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => make('three', {}, headers)))
    for (const other of others) {
      expect([other.status, other.json.uid, runId(other)]).toEqual([200, first?.json.uid, runId(first!)])
    }
    const different = await make('four', {}, headers)
    expect([different.status, different.json.message]).toEqual([
      409,
      expect.stringContaining('Idempotency-Key'),
    ])
    expect(await runOf(runId(first!))).toMatchObject({ status: 'COMPLETED' })
    expect((await runOf(runId(first!))).failure).toBeUndefined()
    const before = await make('five', { last: 'Nothing.Such' }, { 'Idempotency-Key': 'f' })
    await deploy('make', MAKE.replace('- RunOperation', '# '))
    const retried = await call('POST', `${RUNS}/${runId(before)}/retry`)
    const repeated = await make('five', { last: 'Nothing.Such' }, { 'Idempotency-Key': 'f' })
    await deploy('make', MAKE)
    expect([retried.status, repeated.status, repeated.json.name]).toEqual([202, 200, undefined])
    expect(repeated.json.path).toBe('/five')
    expect((await call('GET', '/api/v1/path/@children')).text.match(/"\/five/g)).toHaveLength(1)
  })

  test('keeps to the time that its caller allows', async () => {
    const answer = await make('late', {}, { 'Nuxeo-Transaction-Timeout': '0.0001' })
    expect([answer.status, await exists('/late')]).toEqual([504, false])
    expect(await runOf(runId(answer))).toMatchObject({ status: 'FAILED', failure: { code: 'timeout' } })
  })

  test('acts with the rights of its caller, whose runs are shown to nobody else', async () => {
    const answer = await make('ann', {}, {}, 'ann')
    expect([answer.status, await exists('/ann')]).toEqual([403, false])
    const id = runId(answer)
    expect((await runOf(id, { user: 'ann' })).principal).toBe('ann')
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/retry'],
      ['POST', '/items/retry'],
    ] as const) {
      expect((await call(method, `${RUNS}/${id}${path}`, { user: 'bob' })).status).toBe(404)
    }
    // An administrator who starts it again does so for its user.
    const again = await call('POST', `${RUNS}/${id}/retry`)
    expect([again.status, await exists('/ann')]).toEqual([403, false])
  })

  test('whose error chain has run is complete', async () => {
    await deploy('caught', '- Document.Create: {type: Folder, name: caught}')
    await deploy('catching', `onError:\n- {chain: caught}\n${MAKE}`)
    const answer = await start('catching', {
      json: { input: 'doc:/', params: { name: 'undone', last: 'Nothing.Such' } },
    })
    expect([answer.status, answer.json.path]).toEqual([200, '/caught'])
    expect(await exists('/undone')).toBe(false)
    expect((await runOf(runId(answer))).status).toBe('COMPLETED')
  })

  test('lacking a parameter is no run', async () => {
    const answer = await start('make', { json: { input: 'doc:/' } })
    expect([answer.status, answer.json.message]).toEqual([400, 'Parameter name is required'])
    expect((await call('GET', `${RUNS}/${runId(answer) || 'x'}`)).status).toBe(404)
  })

  test('that nobody waits for is a workflow', async () => {
    const json = { input: 'doc:/', params: { name: 'async' } }
    const answer = await call('POST', `${AUTOMATION}/make/@async`, { json })
    expect(answer.status).toBe(202)
    expect(await bench.ended(runId(answer))).toMatchObject({ execution: 'workflow', status: 'COMPLETED' })
    expect(await exists('/async')).toBe(true)
  })

  test('is called on a document by its address, too', async () => {
    const answer = await call('POST', '/api/v1/path/@op/make', { json: { params: { name: 'op' } } })
    expect([answer.status, runId(answer)]).toEqual([200, expect.stringMatching(/^make-inline-/)])
  })

  test('is forgotten after thirty days', async () => {
    const answer = await make('old')
    const { sql } = platform.database
    await sql`UPDATE inline_runs SET closed_at = now() - interval '31 days' WHERE run_id = ${runId(answer)}`
    const removed = await createHousekeeping([platform.database]).removeExpired()
    expect(removed.inlineRuns).toBe(1)
    expect((await call('GET', `${RUNS}/${runId(answer)}`)).status).toBe(404)
  })
})

describe('a deployment', () => {
  test.each<[string, string, string]>([
    ['an operation', `execution: inline\noperations:\n- Log: {message: x}\n${COMMITTING}`, 'operations[1]'],
    ['a chain', 'execution: inline\noperations:\n- Log: {message: x}\n- later', 'operations[1]'],
    ['a target', 'execution: inline\noperations:\n- RunOperation: {id: later}', 'operations[0]'],
  ])('of an inline chain whose step commits is refused: %s', async (_, text, field) => {
    const answer = await write('wrong', text)
    expect(answer.status, answer.text).toBe(422)
    expect(answer.json.details).toEqual([
      expect.objectContaining({
        field,
        line: expect.any(Number),
        message: expect.stringContaining('commits'),
      }),
    ])
  })

  test('that would make an inline chain commit is refused, naming it', async () => {
    await deploy('called', '- Log: {message: x}')
    await deploy('caller', 'execution: inline\noperations:\n- called')
    const answer = await write('called', COMMITTING)
    expect([answer.status, answer.json.message]).toEqual([
      422,
      expect.stringContaining('caller, at operations[0]'),
    ])
  })

  test.each([
    ['application/yaml', 'execution: quick\noperations: []'],
    ['application/yaml', 'execution: [inline]\noperations: []'],
    ['application/xml', '<chain id="wrong" execution="quick"/>'],
  ])('with another execution is refused: %s %s', async (type, text) => {
    const answer = await write('wrong', text, type)
    expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining('workflow or inline')])
  })

  test('keeps the execution in every notation', async () => {
    const xml =
      '<chain id="noted" execution="inline"><operation id="Log"><param type="string" name="message">x</param></operation></chain>'
    expect((await write('noted', xml, 'application/xml')).status).toBeLessThan(300)
    const path = '/api/v1/contributions/chains/noted'
    const read = async (type: string) => (await call('GET', path, { headers: { Accept: type } })).text
    expect(await read('application/yaml')).toContain('execution: inline')
    expect(await read('application/xml')).toContain('execution="inline"')
    expect(JSON.parse(await read('application/json'))).toMatchObject({ execution: 'inline' })
    const plan = await call('PUT', `${path}?dryRun=true`, {
      body: 'execution: inline\noperations:\n- Log: {message: x}',
      headers: { 'Content-Type': 'application/yaml' },
    })
    expect(plan.json).toMatchObject({ execution: 'inline', boundaries: 0 })
  })
})

test('a run whose failure cannot be recorded is reported all the same', async () => {
  const { sql } = platform.database
  await sql`ALTER TABLE inline_runs RENAME TO kept_runs`
  const answer = await make('unrecorded', { last: 'Nothing.Such' })
  await sql`ALTER TABLE kept_runs RENAME TO inline_runs`
  expect([answer.status, await exists('/unrecorded')]).toEqual([404, false])
})

describe('an inline chain of which another process has deployed more, without a word to this one', () => {
  const SAID = `
execution: inline
params:
- wanted: {type: string, required: true}
operations:
- Document.Create: {type: Folder, name: 'expr:@{ChainParameters["wanted"]}'}
- Document.SetProperty: {xpath: 'dc:title', value: first}
`
  const { sql } = platform.database

  /** The next version of a contribution: this process is notified of none. */
  const deploySilently = async (
    point: string,
    name: string,
    { content, isDeleted = false }: { content: (before: string) => string; isDeleted?: boolean },
  ): Promise<void> => {
    const [before] = await sql<{ content: string; version: number }[]>`
      SELECT content::text, version FROM contributions
      WHERE point = ${point} AND name = ${name} ORDER BY version DESC LIMIT 1`
    const text = content(before?.content ?? '{}')
    await sql`
      INSERT INTO contributions (point, name, version, source, format, content, is_deleted, author, created_at)
      VALUES (${point}, ${name}, ${(before?.version ?? 0) + 1}, ${text}, 'json', ${text}::text::jsonb, ${isDeleted},
        'Administrator', clock_timestamp())`
  }
  const replaced = (from: string, to: string) => ({
    content: (before: string): string => {
      expect(before).toContain(from)
      return before.replace(from, to)
    },
  })
  const say = (id: string, params: object) => start(id, { json: { input: 'doc:/', params } })
  const runsOf = async (chain: string): Promise<string[]> =>
    (await list({ chain })).entries.map(({ status }: { status: string }) => status)

  test('is what was deployed before the call', async () => {
    await deploy('said', SAID)
    expect((await say('said', { wanted: 'said-1' })).json.title).toBe('first')
    await deploySilently('chains', 'said', replaced('"first"', '"second"'))
    expect((await say('said', { wanted: 'said-2' })).json.title).toBe('second')
    expect((await say('said', { wanted: 'said-3' })).json.title).toBe('second')
    expect(await runsOf('said')).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
  })

  test('is not refused for what it wanted before, and fails once for what it wants now', async () => {
    await deploy('asking', SAID)
    await deploySilently('chains', 'asking', replaced('"wanted"', '"given"'))
    await deploySilently('chains', 'asking', replaced('dc:title', 'no:such'))
    const answer = await say('asking', { given: 'said-4' })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining('no:such')])
    expect(await runsOf('asking')).toEqual(['FAILED'])
  })

  test('is gone when it was removed, and closed to whom it was closed', async () => {
    await deploy('leaving', SAID)
    await deploySilently('chains', 'leaving', { content: (before) => before, isDeleted: true })
    expect((await say('leaving', { wanted: 'said-5' })).status).toBe(404)
    await deploy('closing', SAID)
    await deploySilently('operationFilters', 'Chain.closing', { content: () => '{"disabled":true}' })
    const answer = await say('closing', { wanted: 'said-6' })
    expect([answer.status, answer.text, answer.headers.get('Archivolt-Workflow-Id')]).toEqual([404, '', null])
    expect([await exists('/said-5'), await exists('/said-6')]).toEqual([false, false])
  })

  test('runs as a workflow when it has become one', async () => {
    await deploy('growing', SAID)
    await deploySilently('chains', 'growing', replaced('"inline"', '"workflow"'))
    const answer = await say('growing', { wanted: 'said-7' })
    expect([answer.status, answer.json.title]).toEqual([200, 'first'])
    expect(await runOf(runId(answer))).toMatchObject({ execution: 'workflow', status: 'COMPLETED' })
  })
})
