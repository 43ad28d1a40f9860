import { describe, expect, it } from 'vitest'
import { API, counting, createBulkBench, inside } from '../../support/bulk-support.js'
import type { Call } from '../../support/rest-client.js'

const bench = await createBulkBench()
const { call, sql, fill, give, done, values } = bench

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
