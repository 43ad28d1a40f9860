import { describe, expect, it } from 'vitest'
import { soon } from '../../../support/soon.js'
import { API, counting, createBulkBench, inside } from '../../support/bulk-support.js'

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

  it('wait for their rate in timers, and not in the slots of the worker', async () => {
    await fill('slowly', 6)
    const { commandId, ...status } = await done(
      'setProperties',
      { query: inside('slowly'), documentsPerSecond: '2' },
      { 'dc:title': 'x' },
    )
    expect(status).toMatchObject({ processed: 6, errorCount: 0 })
    const { events = [] } = await client.workflow.getHandle(`bulk-${commandId}`).fetchHistory()
    const waits = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? [])
    expect(waits).toHaveLength(2)
    for (const { startToFireTimeout } of waits) expect(Number(startToFireTimeout?.seconds)).toBeLessThan(1)
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
      'a parameter that neither the command nor its query has',
      'trash',
      { query: 'SELECT * FROM Note', queryLimt: '1' },
      {},
      'ann',
      400,
      /queryLimt/,
    ],
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
