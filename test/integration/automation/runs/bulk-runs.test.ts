import { describe, expect, it } from 'vitest'
import { soon } from '../../../support/soon.js'
import { API, counting, createBulkBench, inside } from '../../support/bulk-support.js'
import type { Entity } from '../../support/rest-client.js'

const { client, call, sql, fill, give, statusOf, ended, done, values, deploy } = await createBulkBench()
const RUNS = `${API}/automation/runs`

/** Counts how often it is done, then writes the property that `dc:language` names. */
await deploy(
  'may-fail',
  `
- Document.SetProperty:
    xpath: dc:source
    value: 'expr:String(Number(Document["dc:source"]) + 1)'
- Document.SetProperty:
    xpath: 'expr:@{Document["dc:language"] == null ? "dc:rights" : Document["dc:language"]}'
    value: done
`,
)

const failing = { operationId: 'may-fail' }

const spoil = async (folder: string, ...names: readonly number[]): Promise<void> => {
  const paths = names.map((name) => `/${folder}/note-${name}`)
  await sql`UPDATE documents SET properties = properties || '{"dc:language": "no:such"}'
    WHERE path = ANY(${paths})`
}

const correct = async (folder: string, name: number): Promise<void> => {
  await sql`UPDATE documents SET properties = properties - 'dc:language'
    WHERE path = ${`/${folder}/note-${name}`}`
}

const runOf = async (id: string, user = 'Administrator'): Promise<Entity> => {
  const answer = await call('GET', `${RUNS}/bulk-${id}`, { user })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

const runEnded = (id: string): Promise<Entity> =>
  soon(async () => {
    const run = await runOf(id)
    expect(run.status).not.toBe('RUNNING')
    return run
  })

const retryItems = (id: string, json?: object, user = 'Administrator') =>
  call('POST', `${RUNS}/bulk-${id}/items/retry`, { user, ...(json && { json }) })

const idOf = ({ json }: Entity): string => json.workflowId.slice('bulk-'.length)

/** Gives a command that goes on for a while, and waits until it has begun. */
const begun = async (folder: string, user = 'Administrator'): Promise<string> => {
  const query = { query: inside(folder), bucketSize: '10', batchSize: '5', documentsPerSecond: '10' }
  const { json } = await give('automationUi', query, counting, { user })
  await soon(async () => expect((await statusOf(json.commandId)).processed).toBeGreaterThan(0))
  return json.commandId
}

describe('a bulk command among the runs', () => {
  it('is listed by what it does, who gave it and how it stands', async () => {
    await fill('listed', 3)
    const mine = await done('automationUi', { query: inside('listed') }, counting)
    const hers = await done(
      'setProperties',
      { query: inside('listed') },
      { 'dc:title': 'x' },
      { user: 'ann' },
    )
    const [first, second] = [mine, hers].map(({ commandId }) => `bulk-${commandId}`)
    const idsOf = async (query: Record<string, string>, user = 'Administrator'): Promise<string[]> => {
      const answer = await call('GET', `${RUNS}?${new URLSearchParams({ pageSize: '1000', ...query })}`, {
        user,
      })
      expect(answer.status, answer.text).toBe(200)
      const ids: string[] = answer.json.entries.map(({ workflowId }: Entity) => workflowId)
      // Other tests have runs of their own in the same Temporal.
      return ids.filter((id) => id === first || id === second)
    }
    // Visibility is written behind the run.
    await soon(async () =>
      expect(await idsOf({ execution: 'bulk', state: 'COMPLETED' })).toEqual([second, first]),
    )
    expect(await idsOf({ execution: 'bulk' })).toEqual([second, first])
    expect(await idsOf({})).toEqual([second, first])
    expect(await idsOf({ chain: 'bulk automationUi' })).toEqual([first])
    expect(await idsOf({ execution: 'bulk', user: 'ann' })).toEqual([second])
    expect(await idsOf({ state: 'COMPLETED' }, 'ann')).toEqual([second])
    expect(await idsOf({ state: 'RUNNING' })).toEqual([])
    expect(await idsOf({ execution: 'workflow' })).toEqual([])
    expect(await idsOf({ execution: 'inline' })).toEqual([])
    const refused = await call('GET', `${RUNS}?execution=none`)
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('execution')])
  })

  it('is reported with its documents as items', async () => {
    await fill('told', 4)
    await spoil('told', 2)
    const { commandId } = await done('automationUi', { query: inside('told') }, failing)
    const run = await runEnded(commandId)
    expect(run).toMatchObject({
      'entity-type': 'run',
      workflowId: `bulk-${commandId}`,
      chainId: 'bulk automationUi',
      execution: 'bulk',
      principal: 'Administrator',
      status: 'COMPLETED',
      items: { done: 3, failed: 1, total: 4 },
      nodes: [{ title: 'bulk automationUi', kind: 'bulk', status: 'done', loop: { position: 4, failed: 1 } }],
    })
    const [failure] = run.nodes[0].loop.failures
    const [note] = await sql`SELECT id FROM documents WHERE path = '/told/note-2'`
    expect(failure).toMatchObject({ id: note?.id, status: 400, message: expect.stringContaining('no:such') })
    for (const [method, place] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/retry'],
      ['POST', '/items/retry'],
    ] as const)
      expect((await call(method, `${RUNS}/bulk-${commandId}${place}`, { user: 'ann' })).status).toBe(404)
  })

  it('lists its failed documents page by page, and its counts among the runs', async () => {
    await fill('paged', 5)
    await spoil('paged', 0, 2, 4)
    const { commandId } = await done('automationUi', { query: inside('paged') }, failing)
    const run = await runEnded(commandId)
    const items = `${RUNS}/bulk-${commandId}/items`
    const failures: Entity[] = run.nodes[0].loop.failures
    expect(failures).toHaveLength(3)
    const reported = failures.map((failure) => ({ 'entity-type': 'runItem', node: 0, ...failure }))
    const first = await call('GET', `${items}?pageSize=2`)
    expect([first.status, first.json.entries]).toEqual([200, reported.slice(0, 2)])
    const rest = await call('GET', `${items}?pageSize=2&cursor=${first.json.nextCursor}`)
    expect(rest.json).toMatchObject({ entries: reported.slice(2), isNextPageAvailable: false })
    expect((await call('GET', `${items}?node=0`)).json.entries).toEqual(reported)
    expect((await call('GET', `${items}?node=1`)).json.entries).toEqual([])
    expect((await call('GET', `${items}?cursor=abc`)).status).toBe(400)
    expect((await call('GET', items, { user: 'ann' })).status).toBe(404)
    await soon(async () => {
      const { json } = await call('GET', `${RUNS}?execution=bulk&pageSize=1000`)
      const listed = json.entries.find(({ workflowId }: Entity) => workflowId === `bulk-${commandId}`)
      expect(listed).toMatchObject({ status: 'COMPLETED', items: { done: 2, failed: 3, total: 5 } })
    })
  })

  it.each([
    ['cancelled', async (id: string) => (await call('DELETE', `${RUNS}/bulk-${id}`)).status],
    ['aborted', async (id: string) => (await call('PUT', `${API}/bulk/${id}/abort`)).status],
    ['terminated', (id: string) => client.workflow.getHandle(`bulk-${id}`).terminate()],
  ])('is %s, and goes on behind what is done when it is retried', async (way, stop) => {
    await fill(way, 60)
    const id = await begun(way)
    const early = await call('POST', `${RUNS}/bulk-${id}/retry`)
    expect([early.status, early.json.message]).toEqual([409, expect.stringContaining('RUNNING')])
    expect(await runOf(id)).toMatchObject({ status: 'RUNNING', loop: { total: 60 } })
    const stopped = await stop(id)
    if (typeof stopped === 'number') expect(stopped).toBeLessThan(300)
    const status = way === 'terminated' ? 'TERMINATED' : 'CANCELLED'
    expect(await runEnded(id)).toMatchObject({ status })
    const { state, processed, error } = await statusOf(id)
    expect([state, error]).toEqual([way === 'terminated' ? 'RUNNING' : 'ABORTED', false])
    expect(processed).toBeLessThan(60)

    const retried = await call('POST', `${RUNS}/bulk-${id}/retry`)
    expect(retried.status, retried.text).toBe(202)
    expect(retried.json).toMatchObject({ status: 'RUNNING' })
    expect(await ended(id)).toMatchObject({ state: 'COMPLETED', processed: 60, error: false })
    expect(await runEnded(id)).toMatchObject({ status: 'COMPLETED' })
    expect(await values(way)).toEqual({ 1: 60 })
    expect((await call('POST', `${RUNS}/bulk-${id}/retry`)).status).toBe(409)
  })
})

describe('failed documents of a bulk command', () => {
  it('are done again alone', async () => {
    await fill('partly', 10)
    await spoil('partly', 3, 7, 8)
    const { commandId } = await done('automationUi', { query: inside('partly'), batchSize: '4' }, failing)
    expect(await statusOf(commandId)).toMatchObject({ errorCount: 3 })
    await correct('partly', 3)
    await correct('partly', 8)
    // Asked three times at once, each document is done once all the same.
    const answers = await Promise.all([1, 2, 3].map(() => retryItems(commandId)))
    const repairs = answers.filter(({ status }) => status === 202)
    expect(repairs.length).toBeGreaterThan(0)
    for (const answer of answers) expect([202, 404]).toContain(answer.status)
    expect(repairs[0]?.json).toMatchObject({
      execution: 'bulk',
      status: 'RUNNING',
      repairs: `bulk-${commandId}`,
      items: { done: 0, failed: 0, total: 3 },
    })
    for (const repair of repairs) {
      expect(await ended(idOf(repair))).toMatchObject({
        state: 'COMPLETED',
        repairs: commandId,
        processed: 3,
      })
      expect(await runEnded(idOf(repair))).toMatchObject({ repairs: `bulk-${commandId}` })
      const nested = await retryItems(idOf(repair))
      expect([nested.status, nested.json.message]).toEqual([409, expect.stringContaining(commandId)])
    }
    expect(await values('partly')).toEqual({ 0: 1, 1: 9 })
    const left = await statusOf(commandId)
    expect(left).toMatchObject({ processed: 10, total: 10, errorCount: 1, failures: [{ status: 400 }] })
    expect((await runOf(commandId)).items).toEqual({ done: 9, failed: 1, total: 10 })

    const [{ position }] = left.failures
    expect((await retryItems(commandId, { positions: [position + 1] })).status).toBe(404)
    await correct('partly', 7)
    const chosen = await retryItems(commandId, { node: 0, positions: [position] })
    expect(chosen.status, chosen.text).toBe(202)
    await ended(idOf(chosen))
    expect(await values('partly')).toEqual({ 1: 10 })
    expect(await statusOf(commandId)).toMatchObject({ error: false, errorCount: 0, failures: [] })
    expect((await retryItems(commandId)).status).toBe(404)
    expect((await retryItems(commandId, { positions: [-1] })).status).toBe(400)
  })

  it('are all kept, the first thousand are reported', async () => {
    await fill('many', 3)
    await spoil('many', 0, 1, 2)
    const { commandId } = await done('automationUi', { query: inside('many') }, failing)
    await sql`UPDATE bulk_failures SET position = position + 1000 WHERE command_id = ${commandId}`
    await sql`INSERT INTO bulk_failures (command_id, position, document_id, status, message)
      SELECT ${commandId}, position, gen_random_uuid(), 404, 'gone' FROM generate_series(0, 999) AS position`
    const { failures } = await statusOf(commandId)
    expect([failures.length, failures.at(-1).position]).toEqual([1_000, 999])
    for (const name of [0, 1, 2]) await correct('many', name)
    const answer = await retryItems(commandId, { positions: [1_000, 1_001, 1_002] })
    expect(answer.json).toMatchObject({ items: { total: 3 } })
    expect(await ended(idOf(answer))).toMatchObject({ processed: 3, errorCount: 0 })
    expect(await values('many')).toEqual({ 1: 3 })
    expect(await sql`SELECT FROM bulk_failures WHERE command_id = ${commandId}`).toHaveLength(1_000)
  })

  it('wait for the end of their command, and for the rights of who asks', async () => {
    await fill('waiting', 60)
    const id = await begun('waiting', 'ann')
    // Members may write nothing: everything fails.
    expect((await retryItems(id, undefined, 'ann')).status).toBe(409)
    await call('PUT', `${API}/bulk/${id}/abort`, { user: 'ann' })
    await runEnded(id)
    expect((await retryItems(id, { node: 1 }, 'ann')).status).toBe(404)
    const filter = await call('PUT', `${API}/contributions/operationFilters/Chain.count-up`, {
      json: { administrator: true },
    })
    expect(filter.status, filter.text).toBeLessThan(300)
    for (const place of ['retry', 'items/retry']) {
      const answer = await call('POST', `${RUNS}/bulk-${id}/${place}`, { user: 'ann' })
      expect([answer.status, answer.json.message]).toEqual([404, expect.stringContaining('count-up')])
    }
  })
})
