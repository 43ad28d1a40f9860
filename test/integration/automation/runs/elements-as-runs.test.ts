import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../core/access/security/index.js'
import type { ChainDefinition, ChainStep, Value } from '../../../../core/automation/language/index.js'
import { createDocument, getDocument, updateDocument } from '../../../../core/content/documents/index.js'
import { followTransition } from '../../../../core/content/lifecycle/index.js'
import { createTestAutomation } from '../../../support/automation.js'
import { soon } from '../../../support/soon.js'

/** Targets that commit on their way: each element of a list is a run of its own. */
const { platform, client, runs, registry, define } = await createTestAutomation()
const administrator = (await platform.authenticator.principal('Administrator'))!

const step = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const chain = (id: string, ...steps: ChainStep[]): ChainDefinition => {
  const definition = { id, aliases: [], params: [], steps }
  define(definition)
  return definition
}

const BROKEN = 'nowhere'
const apart = (id: string) => step('RunInNewTransaction', { id, rollbackGlobalOnError: true })

chain(
  'approve',
  step('Document.SetProperty', { xpath: 'dc:rights', value: 'expr:@{seen}+' }),
  step('Document.SetLifeCycle', { value: 'approve' }),
  step('Context.SetVar', { name: 'seen', value: 'expr:@{seen}+' }),
)
chain('approve-apart', apart('approve'))
chain('take-item', step('Context.RestoreDocumentInput', { name: 'item' }), step('approve'))
chain('take-item-apart', apart('take-item'))

const run = async (
  definition: ChainDefinition,
  request: { input: Value; variables: Record<string, Value> },
) => {
  const workflowId = await runs.start({
    chain: definition,
    registry: registry(),
    request: { params: {}, ...request },
    principal: administrator,
    requestId: 'test',
  })
  return { workflowId, state: await runs.result(workflowId, administrator) }
}

let made = 0
/** Three files, of which the second can be approved no more. */
const prepared = async ({ isWhole = false } = {}) => {
  const ids = await platform.withSession(administrator, async (session) => {
    const found: string[] = []
    for (let index = 0; index < 3; index++)
      found.push((await createDocument(session, { parent: '/', name: `file-${made++}`, type: 'File' })).id)
    return found
  })
  if (!isWhole)
    await platform.withSession(SYSTEM, async (session) =>
      followTransition(session, await getDocument(session, ids[1]!), 'approve'),
    )
  const documents: Value = { type: 'documents', ids }
  const variables: Record<string, Value> = { seen: { type: 'string', value: '' }, all: documents }
  const rights = () =>
    Promise.all(
      ids.map(
        async (id) => (await getDocument(platform.readSession(SYSTEM), id)).properties['dc:rights'] ?? BROKEN,
      ),
    )
  return { ids, documents, variables, rights }
}

describe.each(['true', 'false'])('RunDocumentOperation with newTx %s on a list', (newTx) => {
  const each = (more: ChainStep['params'] = {}) =>
    chain(`each-${newTx}`, step('RunDocumentOperation', { id: 'approve-apart', newTx, ...more }))

  test('runs its target once for each, and hands variables from one to the next', async () => {
    const { ids, documents, variables, rights } = await prepared({ isWhole: true })
    const { workflowId, state } = await run(each(), { input: documents, variables })
    expect(await rights()).toEqual(['+', '++', '+++'])
    expect(state).toMatchObject({
      input: { type: 'documents', ids },
      variables: { seen: { value: '+++' } },
    })
    for (const element of [0, 1, 2]) {
      const { status } = await client.workflow.getHandle(`${workflowId}/0/${element}`).describe()
      expect(status.name).toBe('COMPLETED')
    }
  })

  test('hands on nothing when it isolates', async () => {
    const { documents, variables, rights } = await prepared({ isWhole: true })
    const { state } = await run(each({ isolate: 'true' }), { input: documents, variables })
    expect(await rights()).toEqual(['+', '+', '+'])
    expect(state.variables.seen).toMatchObject({ value: '' })
  })

  test('keeps those before the one that fails', async () => {
    const { documents, variables, rights } = await prepared()
    await expect(run(each(), { input: documents, variables })).rejects.toThrow(/approve/)
    expect(await rights()).toEqual(['+', BROKEN, BROKEN])
  })

  test('skips one that fails only in new transactions', async () => {
    const { ids, documents, variables, rights } = await prepared()
    const call = run(each({ rollbackGlobalOnError: 'false' }), { input: documents, variables })
    if (newTx === 'false') {
      await expect(call).rejects.toThrow(/approve/)
      expect(await rights()).toEqual(['+', BROKEN, BROKEN])
      return
    }
    const { workflowId, state } = await call
    expect(await rights()).toEqual(['+', BROKEN, '++'])
    expect(state).toMatchObject({ input: { type: 'documents', ids }, variables: { seen: { value: '++' } } })
    const query = `FailedItems > 0 AND WorkflowId STARTS_WITH '${workflowId}'`
    const found = async (): Promise<string[]> => {
      const failed: string[] = []
      for await (const { workflowId: id } of client.workflow.list({ query })) failed.push(id)
      return failed
    }
    await soon(async () => expect(await found()).toEqual([workflowId]))
    const item = await client.workflow.getHandle(`${workflowId}/0/2`).describe()
    const { path } = await getDocument(platform.readSession(SYSTEM), ids[2]!)
    expect(await item.staticSummary()).toBe(`RunDocumentOperation approve-apart 2 ${path}`)
  })

  test('runs once on one document, and gives one', async () => {
    const { ids, variables } = await prepared()
    const { state } = await run(each(), { input: { type: 'document', id: ids[0]! }, variables })
    expect(state.input).toMatchObject({ type: 'document', id: ids[0] })
  })
})

test.each([
  ['RunOperationOnList', { newTx: 'true' }],
  ['RunOperationOnList', {}],
  ['RunOperationOnListInNewTx', {}],
])('%s %j runs its target once for each element', async (operation, more) => {
  const { documents, variables, rights } = await prepared({ isWhole: true })
  const on = (isolate: string) =>
    chain('on-list', step(operation, { id: 'take-item-apart', list: 'all', isolate, ...more }))
  const { state } = await run(on('false'), { input: documents, variables })
  expect(await rights()).toEqual(['+', '++', '+++'])
  expect(state).toMatchObject({ input: documents, variables: { seen: { value: '+++' } } })
  expect(state.variables).not.toHaveProperty('item')

  const other = await prepared({ isWhole: true })
  const isolated = await run(on('true'), { input: other.documents, variables: other.variables })
  expect(await other.rights()).toEqual(['+', '+', '+'])
  expect(isolated.state.variables.seen).toMatchObject({ value: '' })
})

test('RunOperationOnList without new transactions ends at the first failure', async () => {
  const { documents, variables, rights } = await prepared()
  const params = { id: 'take-item-apart', list: 'all', rollbackGlobalOnError: 'false' }
  const call = run(chain('on-list', step('RunOperationOnList', params)), { input: documents, variables })
  await expect(call).rejects.toThrow(/approve/)
  expect(await rights()).toEqual(['+', BROKEN, BROKEN])
})

test('a call that may fail goes on with what came in', async () => {
  const { ids, variables, rights } = await prepared()
  const input: Value = { type: 'document', id: ids[1]! }
  const goesOn = chain(
    'goes-on',
    step('Context.RunDocumentOperationInNewTx', { id: 'approve-apart' }),
    step('Document.SetProperty', { xpath: 'dc:rights', value: 'went on' }),
  )
  await run(goesOn, { input, variables })
  expect(await rights()).toEqual([BROKEN, 'went on', BROKEN])
  const stops = chain(
    'stops',
    step('Context.RunDocumentOperationInNewTx', { id: 'approve-apart', rollbackGlobalOnError: 'true' }),
  )
  await expect(run(stops, { input, variables })).rejects.toThrow(/approve/)
})

describe('RunOperationOnProvider with a target that commits', () => {
  /** Marks each document of a page, which it leaves when `dc:source` is what the query looks for. */
  const marking = (leaves: boolean) => [
    step('Document.SetProperty', {
      xpath: 'dc:rights',
      value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}+',
    }),
    ...(leaves ? [step('Document.SetProperty', { xpath: 'dc:source', value: 'left' })] : []),
  ]
  chain('mark', ...marking(false))
  chain('mark-and-leave', ...marking(true))
  chain(
    'mark-apart',
    apart('mark'),
    step('Context.SetVar', { name: 'seen', value: 'expr:@{seen}@{Documents.size()}' }),
  )
  chain(
    'leave-apart',
    apart('mark-and-leave'),
    step('Context.SetVar', { name: 'seen', value: 'expr:@{seen}@{Documents.size()}' }),
  )

  const found = async (count: number) => {
    const source = `pages-${made++}`
    const ids = await platform.withSession(administrator, async (session) => {
      const all: string[] = []
      for (let index = 0; index < count; index++) {
        const properties = { 'dc:source': source, 'dc:title': `title ${index}` }
        const document = { parent: '/', name: `file-${made++}`, type: 'File', properties }
        all.push((await createDocument(session, document)).id)
      }
      return all
    })
    const marks = () =>
      Promise.all(
        ids.map(
          async (id) => (await getDocument(platform.readSession(SYSTEM), id)).properties['dc:rights'] ?? '',
        ),
      )
    const query = step('Repository.Query', {
      query: `SELECT * FROM File WHERE dc:source = '${source}' AND ecm:isVersion = 0 ORDER BY dc:title`,
      pageSize: 2,
    })
    return { ids, marks, query }
  }
  const variables = (): Record<string, Value> => ({ seen: { type: 'string', value: '' } })
  const input: Value = { type: 'void' }

  test.each([
    ['mark-apart', '221'],
    ['leave-apart', '221'],
  ])('runs %s once for each page, each a run of its own', async (id, seen) => {
    const { marks, query } = await found(5)
    const walk = step('RunOperationOnProvider', { id, isolate: 'false' })
    const { workflowId, state } = await run(chain('walk', query, walk), { input, variables: variables() })
    expect(await marks()).toEqual(Array(5).fill('+'))
    expect(state).toMatchObject({ input: { type: 'void' }, variables: { seen: { value: seen } } })
    for (const page of [0, 1, 2])
      expect((await client.workflow.getHandle(`${workflowId}/1/${page}`).describe()).status.name).toBe(
        'COMPLETED',
      )
    expect((await runs.report(workflowId, administrator)).nodes?.[1]).toMatchObject({
      kind: 'loop',
      status: 'done',
      loop: { position: 3, total: 3 },
    })
  })

  test('isolates the runs of pages when nothing else is said', async () => {
    const { marks, query } = await found(3)
    const walk = step('RunOperationOnProvider', { id: 'mark-apart' })
    const { state } = await run(chain('walk', query, walk), { input, variables: variables() })
    expect([await marks(), state.variables.seen]).toMatchObject([['+', '+', '+'], { value: '' }])
  })

  test('takes an input that is no page for all there is, and nothing for nothing', async () => {
    const { ids, marks } = await found(3)
    const walk = chain('walk-all', step('RunOperationOnProvider', { id: 'mark-apart', isolate: 'false' }))
    const documents: Value = { type: 'documents', ids }
    const { state } = await run(walk, { input: documents, variables: variables() })
    expect([await marks(), state.variables.seen]).toMatchObject([['+', '+', '+'], { value: '3' }])
    const none = await found(0)
    const empty = chain(
      'walk',
      none.query,
      step('RunOperationOnProvider', { id: 'mark-apart', isolate: 'false' }),
    )
    expect((await run(empty, { input, variables: variables() })).state.variables.seen).toMatchObject({
      value: '',
    })
  })

  test('goes on at the page that failed, and does no page twice', async () => {
    chain(
      'leave-or-fail',
      apart('mark-and-leave'),
      step('Document.SetProperty', {
        xpath: 'expr:@{Document["dc:format"] == null ? "dc:coverage" : "no:such"}',
        value: 'x',
      }),
    )
    const { ids, marks, query } = await found(5)
    const bad = async (format: string | null) => {
      await platform.withSession(SYSTEM, async (session) => {
        await updateDocument(session, await getDocument(session, ids[2]!), { 'dc:format': format })
      })
    }
    await bad('bad')
    const definition = chain('walk', query, step('RunOperationOnProvider', { id: 'leave-or-fail' }))
    const workflowId = await runs.start({
      chain: definition,
      registry: registry(),
      request: { params: {}, input, variables: variables() },
      principal: administrator,
      requestId: 'test',
    })
    await expect(runs.result(workflowId, administrator)).rejects.toThrow(/no:such/)
    // The second page has committed that its documents leave the list before it failed.
    expect(await marks()).toEqual(['+', '+', '+', '+', ''])
    await bad(null)
    await runs.retry(workflowId, administrator)
    await runs.result(workflowId, administrator)
    expect(await marks()).toEqual(Array(5).fill('+'))
  })
})

test.each([
  ['expr:1 == 1', ''],
  ['expr:1 == 2', 'inner'],
  ['TRUE', ''],
  ['false', 'inner'],
])('a target that commits is isolated by %s', async (isolate, seen) => {
  const { documents } = await prepared()
  chain('tell-apart', apart('mark'), step('Context.SetVar', { name: 'seen', value: 'inner' }))
  const definition = chain('isolating', step('RunOperation', { id: 'tell-apart', isolate }))
  const variables: Record<string, Value> = { seen: { type: 'string', value: '' } }
  const { state } = await run(definition, { input: documents, variables })
  expect(state.variables.seen).toMatchObject({ value: seen })
})

describe('a target of several transactions that lasts longer than it may', () => {
  chain(
    'mark-and-wait',
    apart('mark'),
    step('Repository.GetDocument', { value: 'expr:other' }),
    step('Document.SetProperty', { xpath: 'dc:coverage', value: 'x' }),
  )

  /** Keeps the second transaction of a run waiting for a document until the work is done. */
  const holding = (id: string, work: () => Promise<void>): Promise<void> =>
    platform.database.transaction(async (sql) => {
      await sql`SELECT FROM documents WHERE id = ${id} FOR UPDATE`
      await work()
    })
  const startOn = (definition: ChainDefinition, [id, other]: readonly string[]) =>
    runs.start({
      chain: definition,
      registry: registry(),
      request: {
        params: {},
        input: { type: 'document', id: id! },
        variables: { other: { type: 'string', value: other! } },
      },
      principal: administrator,
      requestId: 'test',
    })

  test('is ended, keeps what it has committed, and goes on when it is retried', async () => {
    const { ids, rights } = await prepared({ isWhole: true })
    const limited = { id: 'mark-and-wait', newTx: 'true', timeout: 3 }
    const definition = chain('limited', step('RunDocumentOperation', limited))
    let workflowId = ''
    await holding(ids[1]!, async () => {
      workflowId = await startOn(definition, ids)
      await expect(runs.result(workflowId, administrator)).rejects.toMatchObject({
        code: 'timeout',
        status: 504,
        message: expect.stringContaining('mark-and-wait lasted longer than its 3 seconds'),
      })
    })
    // On a machine that stands still its time may be over before it comes so far.
    expect(['+', BROKEN]).toContain((await rights())[0])
    const coverage = async () =>
      (await getDocument(platform.readSession(SYSTEM), ids[1]!)).properties['dc:coverage']
    // Behind the transaction that has waited all the time: it is not committed any more.
    await holding(ids[1]!, async () => undefined)
    expect(await coverage()).toBeUndefined()
    await runs.retry(workflowId, administrator)
    await runs.result(workflowId, administrator)
    expect((await rights())[0]).toBe('+')
    expect(await coverage()).toBe('x')
  })

  test('is skipped where its step says so', async () => {
    const { ids } = await prepared({ isWhole: true })
    const passing = { id: 'mark-and-wait', timeout: '3', rollbackGlobalOnError: false }
    const definition = chain('limited', step('Context.RunDocumentOperationInNewTx', passing))
    let workflowId = ''
    await holding(ids[1]!, async () => {
      workflowId = await startOn(definition, ids)
      await runs.result(workflowId, administrator)
    })
    expect((await runs.report(workflowId, administrator)).incidents).toMatchObject([
      { kind: 'passedOver', target: 'mark-and-wait', failure: { code: 'timeout', status: 504 } },
    ])
  })

  test('is, in a list of transactions, each of them', async () => {
    const { ids, documents, rights } = await prepared({ isWhole: true })
    chain('mark-item', step('Context.RestoreDocumentInput', { name: 'item' }), step('mark'))
    const limited = { id: 'mark-item', list: 'all', newTx: true, timeout: 1, rollbackGlobalOnError: false }
    const definition = chain('each-limited', step('RunOperationOnList', limited))
    const { sql, transaction } = platform.database
    const waiting = async () =>
      (
        await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      ).length
    let workflowId = ''
    await transaction(async (holder) => {
      await holder`SELECT FROM documents WHERE id = ${ids[1]!} FOR UPDATE`
      workflowId = await runs.start({
        chain: definition,
        registry: registry(),
        request: { params: {}, input: documents, variables: { all: documents } },
        principal: administrator,
        requestId: 'test',
      })
      await soon(async () => expect(await waiting()).toBeGreaterThan(0))
      await setTimeout(1_100)
    })
    await runs.result(workflowId, administrator)
    expect(await rights()).toEqual(['+', BROKEN, '+'])
    const { entries } = await runs.items(workflowId, administrator, { pageSize: 10 })
    expect(entries).toMatchObject([{ position: 1, status: 504 }])
  })

  test('takes as long as it takes when its step gives no limit', async () => {
    const { ids } = await prepared({ isWhole: true })
    const definition = chain('unlimited', step('RunInNewTransaction', { id: 'mark-and-wait' }))
    const workflowId = await startOn(definition, ids)
    await runs.result(workflowId, administrator)
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
    expect(events?.some(({ timerStartedEventAttributes: timer }) => timer)).toBe(false)
  })
})
