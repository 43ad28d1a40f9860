import { describe, expect, it } from 'vitest'
import { soon } from '../../../support/soon.js'
import { API, counting, createBulkBench, inside } from '../../support/bulk-support.js'
import type { Call } from '../../support/rest-client.js'

const bench = await createBulkBench()
const { client, call, sql, fill, give, statusOf, ended, done, values, deploy, startWorker, stopWorker } =
  bench

await deploy('count-by', 'params:\n- step: { type: integer, required: true }\noperations: []\n')

describe('bulk commands', () => {
  it('run a chain for each document that a query finds, once', async () => {
    await fill('counted', 25)
    const status = await done('automationUi', { query: inside('counted'), batchSize: '7' }, counting)
    expect(status).toMatchObject({
      action: 'automationUi',
      username: 'Administrator',
      state: 'COMPLETED',
      processed: 25,
      total: 25,
      error: false,
      errorCount: 0,
      errorMessage: null,
      failures: [],
    })
    for (const time of ['submitted', 'scrollStart', 'scrollEnd', 'completed'])
      expect(status[time]).toMatch(/^\d{4}-.*Z$/)
    expect(await values('counted')).toEqual({ 1: 25 })
  })

  it('go on where a worker has stopped, each document changed once', async () => {
    await fill('resumed', 60)
    const query = { query: inside('resumed'), bucketSize: '10', batchSize: '5', documentsPerSecond: '10' }
    const { json } = await give('automationUi', query, counting)
    await soon(async () => expect((await statusOf(json.commandId)).processed).toBeGreaterThan(0))
    await stopWorker()
    const { state, processed } = await statusOf(json.commandId)
    expect(state).toBe('RUNNING')
    expect(processed).toBeLessThan(60)
    await startWorker()
    expect(await ended(json.commandId)).toMatchObject({ state: 'COMPLETED', processed: 60, errorCount: 0 })
    expect(await values('resumed')).toEqual({ 1: 60 })
  })

  it('keep the histories of long commands short', async () => {
    await fill('long', 40)
    const { commandId } = await done(
      'setProperties',
      { query: inside('long'), bucketSize: '10' },
      { 'dc:title': 'x' },
    )
    const { events } = await client.workflow.getHandle(`bulk-${commandId}`).fetchHistory()
    // One for finding, four for the buckets; the rest is the same for any number of documents.
    expect(events?.filter(({ activityTaskScheduledEventAttributes: a }) => a)).toHaveLength(5)
    expect(await values('long', 'dc:title')).toEqual({ x: 40 })
  })

  it('index what a query finds, for administrators', async () => {
    await fill('indexed', 5)
    const give = (user: string) =>
      call('POST', `${API}/automation/Elasticsearch.BulkIndex`, { user, json: { input: inside('indexed') } })
    expect((await give('ann')).status).toBe(403)
    const { json } = await give('Administrator')
    expect(await ended(json.commandId)).toMatchObject({ action: 'index', processed: 5, errorCount: 0 })
  })

  it('give no others, by an operation within them either', async () => {
    await fill('forking', 2)
    const nested = { action: 'trash', query: inside('forking'), parameters: { value: true } }
    for (const [operationId, parameters] of [
      ['Bulk.RunAction', nested],
      ['RunOperation', { id: 'Bulk.RunAction', parameters: nested }],
    ] as const) {
      const query = { query: inside('forking') }
      const { commandId } = await done('automationUi', query, { operationId, parameters })
      const { errorCount, failures } = await statusOf(commandId)
      expect(errorCount).toBe(2)
      expect(JSON.stringify(failures)).toContain('A bulk command gives no others')
    }
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      SELECT count(*)::int FROM bulk_commands WHERE action = 'trash' AND query::text LIKE '%forking%'`
    expect(count).toBe(0)
  })

  it('list what fails and do everything else', async () => {
    await fill('partly', 10)
    await sql`UPDATE documents SET properties = properties || '{"dc:source": "no number"}'
      WHERE path IN ('/partly/note-3', '/partly/note-7')`
    const chain = `
- Document.SetProperty:
    xpath: uid:major_version
    value: 'expr:Document["dc:source"]'
`
    await deploy('may-fail', chain)
    const status = await done('automationUi', { query: inside('partly') }, { operationId: 'may-fail' })
    expect(status).toMatchObject({ state: 'COMPLETED', processed: 10, total: 10, error: true, errorCount: 2 })
    expect(status.failures).toHaveLength(2)
    const [{ id, status: code, message }] = status.failures
    expect(code).toBe(400)
    expect(message).toBe(status.errorMessage)
    const [failed] = await sql<{ path: string }[]>`SELECT path FROM documents WHERE id = ${id}`
    expect(['/partly/note-3', '/partly/note-7']).toContain(failed?.path)
    expect(await values('partly', 'uid:major_version')).toEqual({ '': 2, 0: 8 })
  })

  it('act with the rights of who gives them', async () => {
    await fill('private', 3)
    await fill('shared', 3)
    await call('POST', `${API}/path/private/@op/Document.BlockPermissionInheritance`, { json: {} })
    const query = {
      query: "SELECT * FROM Note WHERE ecm:path STARTSWITH '/private' OR ecm:path STARTSWITH '/shared'",
    }
    const status = await done('setProperties', query, { 'dc:source': 'ann' }, { user: 'ann' })
    // Members may read what is shared, and write nothing.
    expect(status).toMatchObject({ total: 3, errorCount: 3, username: 'ann' })
    expect(status.failures[0].status).toBe(403)
    expect(await values('private')).toEqual({ 0: 3 })
    expect(await values('shared')).toEqual({ 0: 3 })
    expect((await call('GET', `${API}/bulk/${status.commandId}`, { user: 'ann' })).status).toBe(200)
    expect((await call('GET', `${API}/bulk/${status.commandId}`, { user: 'bob' })).status).toBe(404)
    expect((await call('PUT', `${API}/bulk/${status.commandId}/abort`, { user: 'bob' })).status).toBe(404)
  })

  it('stop when they are aborted', async () => {
    await fill('stopped', 40)
    const query = { query: inside('stopped'), batchSize: '5', documentsPerSecond: '2' }
    const { json } = await give('automationUi', query, counting)
    await soon(async () => expect((await statusOf(json.commandId)).processed).toBeGreaterThan(0))
    const answer = await call('PUT', `${API}/bulk/${json.commandId}/abort`)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ state: 'ABORTED' })
    // It is listed as cancelled.
    await expect(client.workflow.getHandle(`bulk-${json.commandId}`).result()).rejects.toThrow(/cancelled/)
    const { processed } = await statusOf(json.commandId)
    expect(processed).toBeLessThan(40)
    expect(await values('stopped')).toEqual({ 0: 40 - processed, 1: processed })
  })

  it('trash, take out of the trash, remove', async () => {
    await fill('bin', 4)
    const count = async (condition: string): Promise<number> => {
      const query = new URLSearchParams({ query: `${inside('bin')} AND ${condition}` })
      return (await call('GET', `${API}/search/execute?${query}`)).json.resultsCount
    }
    await done('trash', { query: inside('bin') }, { value: true })
    expect(await count('ecm:isTrashed = 1')).toBe(4)
    await done('trash', { query: inside('bin') }, { value: 'false' })
    expect(await count('ecm:isTrashed = 0')).toBe(4)
    expect(await done('removeProxy', { query: inside('bin') })).toMatchObject({ total: 0, processed: 0 })
    expect(await done('deletion', { query: inside('bin'), queryLimit: '3' })).toMatchObject({ total: 3 })
    expect(await count('ecm:uuid IS NOT NULL')).toBe(1)
  })

  it('take named parameters, page providers and saved searches', async () => {
    await fill('asked', 3)
    const named = { query: 'SELECT * FROM Note WHERE ecm:path STARTSWITH :place', place: '/asked' }
    expect(await done('setProperties', named, { 'dc:source': 'named' })).toMatchObject({ total: 3 })
    const [parent] = await sql<{ id: string }[]>`SELECT id FROM documents WHERE path = '/asked'`
    const answer = await call(
      'POST',
      `${API}/search/pp/CURRENT_DOC_CHILDREN/bulk/setProperties?queryParams=${parent?.id}`,
      { json: { 'dc:source': 'provided' } },
    )
    expect(answer.status, answer.text).toBe(202)
    expect(await ended(answer.json.commandId)).toMatchObject({ total: 3, errorCount: 0 })
    expect(await values('asked')).toEqual({ provided: 3 })
    const saved = await call('POST', `${API}/search/saved`, {
      json: { 'entity-type': 'savedSearch', title: 'mine', queryLanguage: 'NXQL', query: inside('asked') },
    })
    const bySaved = `${API}/search/saved/${saved.json.id}/bulk/setProperties`
    const found = await call('POST', bySaved, { json: { 'dc:source': 'saved' } })
    expect(found.status, found.text).toBe(202)
    expect(await ended(found.json.commandId)).toMatchObject({ total: 3 })
    expect(await values('asked')).toEqual({ saved: 3 })
    expect((await call('POST', bySaved, { json: { 'dc:source': 'x' }, user: 'ann' })).status).toBe(404)
  })

  it.each<[string, string, Record<string, string>, object, string, number, RegExp]>([
    ['an unknown action', 'none', { query: 'SELECT * FROM Note' }, {}, 'ann', 404, /No bulk action 'none'/],
    ['an action of administrators', 'deletion', { query: 'SELECT * FROM Note' }, {}, 'ann', 403, /deletion/],
    ['no query', 'trash', {}, {}, 'ann', 400, /^query: is missing/],
    ['a query that does not parse', 'trash', { query: 'SELECT' }, {}, 'ann', 400, /Syntax error/],
    ['a value', 'trash', { query: 'SELECT * FROM Note' }, { value: 'x' }, 'ann', 400, /^value/],
    ['no operation', 'automationUi', { query: 'SELECT * FROM Note' }, {}, 'ann', 400, /^operationId/],
    [
      'an unknown operation',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'No' },
      'ann',
      404,
      /'No'/,
    ],
    [
      'an operation kept from the caller',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'RunInputScript' },
      'ann',
      404,
      /RunInputScript/,
    ],
    [
      'a parameter that the operation needs',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'Document.SetProperty', parameters: { xpth: 'dc:source' } },
      'ann',
      400,
      /Parameter xpath is required/,
    ],
    [
      'null for a parameter that the operation needs',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'Document.SetProperty', parameters: { xpath: null } },
      'ann',
      400,
      /Parameter xpath is required and must not be null/,
    ],
    [
      'a value of a wrong type',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'Document.SetProperty', parameters: { xpath: 'dc:source', value: 'x', save: ['x'] } },
      'ann',
      400,
      /Parameter save: /,
    ],
    [
      'a parameter that the chain needs',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'count-by', parameters: { stp: 1 } },
      'ann',
      400,
      /Parameter step is required: "stp"/,
    ],
    ['an unknown type', 'trash', { query: 'SELECT * FROM Nte' }, {}, 'ann', 400, /Nte/],
    [
      'an unknown type, up to a limit',
      'trash',
      { query: 'SELECT * FROM Nte', queryLimit: '2' },
      {},
      'ann',
      400,
      /Nte/,
    ],
    [
      'an unknown property',
      'trash',
      { query: "SELECT * FROM Note WHERE dc:non = 'a'" },
      {},
      'ann',
      400,
      /dc:non/,
    ],
    ['no properties', 'setProperties', { query: 'SELECT * FROM Note' }, {}, 'ann', 400, /properties/],
    ...(
      [
        [
          'a property that no schema has',
          { 'dc:title': 'x', 'dc:titel': 'b' },
          /^properties: no schema has the property "dc:titel", did you mean "dc:title"\?$/,
        ],
        [
          'a value that its property cannot hold',
          { 'dc:issued': 'tomorrow' },
          /^properties: "dc:issued" holds a date .*not "tomorrow"$/,
        ],
      ] as const
    ).flatMap(([name, properties, message]) => {
      const parameters = { operationId: 'Document.Update', parameters: { properties } }
      const query = { query: 'SELECT * FROM Note' }
      return [
        [name, 'setProperties', query, properties, 'ann', 400, message],
        [`${name}, by an operation`, 'automationUi', query, parameters, 'ann', 400, message],
      ] as [string, string, Record<string, string>, object, string, number, RegExp][]
    }),
    [
      'a property in lines that no schema has',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'Document.Update', parameters: { properties: 'dc:titel=x' } },
      'ann',
      400,
      /^properties: .*"dc:titel"/,
    ],
    [
      'a property that an operation sets, and no schema has',
      'automationUi',
      { query: 'SELECT * FROM Note' },
      { operationId: 'Document.SetProperty', parameters: { xpath: 'dc:titel', value: 'x' } },
      'ann',
      400,
      /"dc:titel", did you mean "dc:title"/,
    ],
    [
      'a batch of none',
      'trash',
      { query: 'SELECT * FROM Note', batchSize: '0' },
      {},
      'ann',
      400,
      /^batchSize/,
    ],
    [
      'a word as a size',
      'trash',
      { query: 'SELECT * FROM Note', bucketSize: 'x' },
      {},
      'ann',
      400,
      /bucketSize/,
    ],
  ])('refuse %s', async (_, action, query, json, user, status, message) => {
    const before = await sql`SELECT id FROM bulk_commands`
    const answer = await give(action, query, json, { user })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.json).toMatchObject({ 'entity-type': 'exception', message: expect.stringMatching(message) })
    expect(await sql`SELECT id FROM bulk_commands`).toHaveLength(before.length)
  })

  it.each(['none', '11111111-1111-4111-8111-111111111111'])('find no command %s', async (id) => {
    expect((await call('GET', `${API}/bulk/${id}`)).status).toBe(404)
  })
})

describe('operations', () => {
  const run = (operation: string, params: object, more: Call = {}) =>
    call('POST', `${API}/automation/${operation}`, { json: { params }, ...more })

  it('Bulk.RunAction gives a command and Bulk.WaitForAction waits for it', async () => {
    await fill('operated', 5)
    const [left] = await sql<{ id: string }[]>`SELECT id FROM documents WHERE path = '/operated/note-0'`
    const answer = await run('Bulk.RunAction', {
      action: 'automationUi',
      query: `${inside('operated')} ORDER BY ecm:name`,
      excludeDocs: [left?.id],
      queryLimit: 3,
      documentsPerSecond: 100,
      parameters: counting,
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toMatchObject({ 'entity-type': 'bulkStatus', value: { state: 'SCHEDULED' } })
    const { commandId } = answer.json.value
    const waited = await run('Bulk.WaitForAction', { commandId })
    expect(waited.json).toEqual({ 'entity-type': 'boolean', value: true })
    expect(await values('operated')).toEqual({ 0: 2, 1: 3 })
    const [kept] = await sql<{ source: string }[]>`
      SELECT properties ->> 'dc:source' AS source FROM documents WHERE path = '/operated/note-4'`
    expect(kept?.source).toBe('0')
    expect((await run('Bulk.WaitForAction', { commandId }, { user: 'ann' })).status).toBe(404)
  })

  it('Bulk.RunAction takes the parameters of an action as the text of JSON, as its clients send them', async () => {
    await fill('texted', 2)
    const parameters = JSON.stringify({ 'dc:source': '7' })
    const answer = await run('Bulk.RunAction', {
      action: 'setProperties',
      query: inside('texted'),
      parameters,
    })
    expect(answer.status, answer.text).toBe(200)
    const { commandId } = answer.json.value
    expect((await run('Bulk.WaitForAction', { commandId })).json.value).toBe(true)
    expect(await values('texted')).toEqual({ 7: 2 })
  })

  it.each<[object, number, RegExp]>([
    [{ action: 'trash' }, 400, /query: missing/],
    [{ action: 'none', query: 'SELECT * FROM Note' }, 404, /No bulk action/],
    [{ action: 'trash', query: 'SELECT * FROM Nte' }, 400, /Nte/],
    [
      {
        action: 'automationUi',
        query: 'SELECT * FROM Note',
        parameters: { operationId: 'Document.SetProperty', parameters: { xpth: 'dc:source' } },
      },
      400,
      /Parameter xpath is required/,
    ],
    [{ action: 'automation', query: 'SELECT * FROM Note' }, 403, /administrators/],
    [{ action: 'trash', query: 'SELECT * FROM Note', repositoryName: 'other' }, 400, /repositoryName/],
    [{ action: 'trash', providerName: 'none' }, 404, /none/],
    [{ action: 'trash', query: 'SELECT * FROM Note', parameters: '{' }, 400, /parameters: is not JSON/],
    [{ action: 'trash', query: 'SELECT * FROM Note', parameters: '[]' }, 400, /parameters: must be/],
    [{ query: 'SELECT * FROM Note' }, 400, /action/],
    [{ action: 'trash', query: 'SELECT * FROM Note', documentsPerSecond: 0 }, 400, /documentsPerSecond/],
    [{ action: 'trash', query: 'SELECT * FROM Note', queryLimit: 0 }, 400, /queryLimit/],
  ])('Bulk.RunAction refuses %j with %i', async (params, status, message) => {
    const answer = await run('Bulk.RunAction', params, { user: 'ann' })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.json.message).toMatch(message)
  })

  it('Bulk.WaitForAction says false when it is over before the command', async () => {
    await fill('slow', 20)
    const { json } = await give('automationUi', { query: inside('slow'), documentsPerSecond: '5' }, counting)
    const waited = await run('Bulk.WaitForAction', { commandId: json.commandId, timeoutSecond: 0 })
    expect(waited.json.value).toBe(false)
    await call('PUT', `${API}/bulk/${json.commandId}/abort`)
    expect((await run('Bulk.WaitForAction', { commandId: json.commandId })).json.value).toBe(true)
  })

  it('of one user are under way up to a limit, administrators aside', async () => {
    await fill('crowded', 2)
    const query = { query: inside('crowded') }
    const ended = await done('automationUi', query, counting, { user: 'bob' })
    const open = async (count: number): Promise<void> => {
      await sql`DELETE FROM bulk_commands WHERE request_id = 'crowd'`
      await sql`
        INSERT INTO bulk_commands
          (id, principal, request_id, action, query, work, bucket_size, batch_size, state, is_started)
        SELECT gen_random_uuid(), 'bob', 'crowd', 'trash', '{}', '{}', 1, 1, 'RUNNING', true
        FROM generate_series(1, ${count}::int)`
    }
    const statusesOf = async (...calls: Promise<{ status: number }>[]): Promise<number[]> =>
      (await Promise.all(calls)).map(({ status }) => status).sort()
    const user = 'bob'

    await open(9)
    const given = () => give('automationUi', query, counting, { user })
    expect(await statusesOf(given(), given(), given())).toEqual([202, 429, 429])

    await open(10)
    const refused = await given()
    expect(refused.status).toBe(429)
    expect(refused.json.message).toMatch(/1[01] bulk commands of bob are under way, 10 may be/)
    const params = { action: 'automationUi', ...query, parameters: counting }
    const again = `${API}/automation/runs/bulk-${ended.commandId}`
    await sql`UPDATE bulk_commands SET state = 'ABORTED' WHERE id = ${ended.commandId}`
    // Members may write nothing: its documents have failed.
    const others = [
      run('Bulk.RunAction', params, { user }),
      call('POST', `${again}/retry`, { user }),
      call('POST', `${again}/items/retry`, { user }),
    ]
    expect(await statusesOf(...others)).toEqual([429, 429, 429])
    expect(await statusesOf(give('automationUi', query, counting))).toEqual([202])

    await open(0)
    await done('automationUi', query, counting, { user })
  })
})
