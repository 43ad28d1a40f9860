import { expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import type { Entity } from '../../support/rest-client.js'
import { AUTOMATION, createRunsBench, RUNS, runId } from '../../support/runs-support.js'

/** Failed items of loops that are runs of their own: listed with their run, and done again together. */
const { call, deploy, start, list, ended, endedWithSteps, make, propertiesOf, change, client, platform } =
  await createRunsBench()

const MARK = (xpath: string) =>
  `- Document.SetProperty: {xpath: '${xpath}', value: 'expr:@{Document["${xpath}"] == null ? "" : Document["${xpath}"]}x'}\n`

/** Commits once what it counts in `dc:rights`, and fails then where `dc:source` names no property. */
const PARTS = `
${MARK('dc:rights')}- RunInNewTransaction: {id: touch}
${MARK('dc:coverage')}- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}
`
const RESTORE = '- Context.RestoreDocumentInput: {name: item}'
const PASS = 'rollbackGlobalOnError: false'
const FOUND = `params:
- folder: {type: string, required: true}
operations:
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
`
const ON_LIST = `${FOUND}- Context.SetInputAsVar: {name: found}\n`

await deploy('touch', '- Log: {message: touched}')
await deploy('parts', PARTS)
await deploy('item-parts', `${RESTORE}${PARTS}`)
await deploy('on-list', `${ON_LIST}- RunOperationOnListInNewTx: {id: item-parts, list: found, ${PASS}}\n`)
await deploy(
  'on-list-handing-on',
  `${ON_LIST}- RunOperationOnList: {id: item-parts, list: found, newTx: true, isolate: false, ${PASS}}\n`,
)
await deploy('on-input', `${FOUND}- RunDocumentOperation: {id: parts, newTx: true, ${PASS}}\n`)
await deploy('strict', `${ON_LIST}- RunOperationOnListInNewTx: {id: item-parts, list: found}\n`)

const BAD = 'no:such'
let count = 0
const filesWith = async (
  bad: readonly number[],
  size: number,
): Promise<{ path: string; files: Entity[] }> => {
  const folder = await make('/', `item-runs-${count++}`, 'Folder')
  const files: Entity[] = []
  for (let index = 0; index < size; index++) {
    const properties = { 'dc:source': bad.includes(index) ? BAD : 'dc:description' }
    files.push(await make(folder.path, `f${index}`, 'File', properties))
  }
  return { path: folder.path, files }
}

const correct = ({ uid }: Entity) => change(uid, { 'dc:source': 'dc:description' })

/** How often the first and the last transaction of each were done. */
const outcomesOf = (files: readonly Entity[]): Promise<string[]> =>
  Promise.all(
    files.map(async ({ uid }) => {
      const properties = await propertiesOf(uid)
      return `${properties['dc:rights'] ?? ''}|${properties['dc:coverage'] ?? ''}`
    }),
  )
const DONE = 'x|x'
const HALF = 'x|'

/** A run of a chain that has passed over the files at the given positions. */
const passed = async (chain: string, bad: readonly number[], size = 4) => {
  const { path, files } = await filesWith(bad, size)
  const id = runId(await start(chain, { json: { params: { folder: path } } }))
  const report = await endedWithSteps(id)
  const node = report.nodes.findIndex(({ loop }: Entity) => loop)
  return { id, files, report, node }
}
const retry = (id: string, json?: object, query = '') =>
  call('POST', `${RUNS}/${encodeURIComponent(id)}/items/retry${query}`, json === undefined ? {} : { json })
const itemsOf = async (id: string): Promise<Entity[]> =>
  (await call('GET', `${RUNS}/${encodeURIComponent(id)}/items`)).json.entries
const listed = async (id: string, items: object) =>
  soon(async () => {
    const { entries } = await list({ pageSize: '1000' })
    expect(entries.find(({ workflowId }: Entity) => workflowId === id)).toMatchObject({ items })
  })
const refused = (files: readonly Entity[], position: number) => ({
  position,
  id: files[position].uid,
  path: files[position].path,
  status: 400,
  message: expect.stringContaining(BAD),
})

test.each(['on-list', 'on-list-handing-on', 'on-input'])(
  'of %s are reported, and retried together, each once',
  async (chain) => {
    const { id, files, report, node } = await passed(chain, [1, 3])
    expect(report).toMatchObject({ status: 'COMPLETED', items: { done: 2, failed: 2, total: 4 } })
    expect(report.nodes[node].loop.failures).toEqual([1, 3].map((position) => refused(files, position)))
    expect(await itemsOf(id)).toEqual(
      [1, 3].map((position) => ({ 'entity-type': 'runItem', node, ...refused(files, position) })),
    )
    await listed(id, { done: 2, failed: 2, total: 4 })
    expect(await outcomesOf(files)).toEqual([DONE, HALF, DONE, HALF])

    await correct(files[1])
    const answers = await Promise.all([1, 2, 3].map(() => retry(id)))
    const repairs = answers.map(({ status, json, text }) => {
      expect(status, text).toBe(202)
      return json.workflowId
    })
    for (const repair of repairs) {
      expect(await ended(repair)).toMatchObject({ status: 'COMPLETED', repairs: id })
      expect(await itemsOf(repair)).toEqual([{ 'entity-type': 'runItem', node: 0, ...refused(files, 3) }])
    }
    expect(await outcomesOf(files)).toEqual([DONE, DONE, DONE, HALF])
    expect((await endedWithSteps(id)).items).toEqual({ done: 3, failed: 1, total: 4 })

    await correct(files[3])
    const chosen = await retry(id, { node, positions: [3] })
    expect(chosen.status, chosen.text).toBe(202)
    const again = await endedWithSteps((await ended(chosen.json.workflowId)).workflowId)
    expect(again.items).toEqual({ done: 1, failed: 0, total: 1 })
    await listed(again.workflowId, { done: 1, failed: 0, total: 1 })
    await listed(id, { done: 4, failed: 0, total: 4 })
    expect(await outcomesOf(files)).toEqual(Array(4).fill(DONE))
    expect((await retry(id)).status).toBe(404)
    // Neither the items that were done nor those that somebody else has done again were begun anew.
    for (const element of [0, 2]) {
      const { events } = await client.workflow.getHandle(`${id}/${node}/${element}`).fetchHistory()
      expect(events?.[0]?.workflowExecutionStartedEventAttributes?.parentWorkflowExecution?.workflowId).toBe(
        id,
      )
    }
  },
)

test('of documents that are named by their paths have their ids beside them', async () => {
  const { files } = await filesWith([1], 2)
  await deploy('on-named', `- RunOperationOnListInNewTx: {id: item-parts, list: found, ${PASS}}\n`)
  const found = `docs:${files.map(({ path }) => path).join(',')}`
  const id = runId(await start('on-named', { json: { context: { found } } }))
  const { nodes } = await endedWithSteps(id)
  expect(nodes.flatMap(({ loop }: Entity) => loop?.failures ?? [])).toEqual([refused(files, 1)])
})

test('of a run that does items again are those that failed again, which are asked for at the first one', async () => {
  const { id, files } = await passed('on-list', [0, 1], 2)
  await correct(files[0])
  const repair = (await retry(id)).json.workflowId
  await ended(repair)
  const report = await endedWithSteps(repair)
  expect(report.items).toEqual({ done: 1, failed: 1, total: 2 })
  expect(report.nodes).toMatchObject([
    { kind: 'loop', status: 'done', loop: { failures: [refused(files, 1)] } },
  ])
  await listed(repair, { done: 1, failed: 1, total: 2 })
  const asked = await retry(repair)
  expect([asked.status, asked.json.message]).toEqual([409, expect.stringContaining(id)])
})

test('and items that are transactions are done again by one run, or those of one loop', async () => {
  await deploy('item-once', `${RESTORE}\n${PARTS.split('\n').at(-2)}\n`)
  await deploy(
    'on-both',
    `${ON_LIST}- RunOperationOnListInNewTx: {id: item-once, list: found, ${PASS}}
- RunOperationOnListInNewTx: {id: item-parts, list: found, ${PASS}}
`,
  )
  const { path, files } = await filesWith([0, 1], 2)
  const id = runId(await start('on-both', { json: { params: { folder: path } } }))
  const nodes = (await endedWithSteps(id)).nodes.flatMap(({ loop }: Entity, node: number) =>
    loop ? [node] : [],
  )
  expect((await endedWithSteps(id)).items).toEqual({ done: 0, failed: 4, total: 4 })
  await correct(files[0])
  const repair = (await retry(id)).json.workflowId
  await ended(repair)
  expect((await endedWithSteps(repair)).items).toEqual({ done: 2, failed: 2, total: 4 })
  expect((await itemsOf(repair)).map(({ node, position }) => [node, position])).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect((await itemsOf(id)).map(({ node, position }) => [node, position])).toEqual(
    nodes.map((node: number) => [node, 1]),
  )
  await correct(files[1])
  await ended((await retry(id, { node: nodes[1], positions: [1] })).json.workflowId)
  expect(await outcomesOf(files)).toEqual([DONE, DONE])
  expect((await itemsOf(id)).map(({ node }) => node)).toEqual([nodes[0]])
})

test('go on with the definition with which they began', async () => {
  await deploy('changing', `${RESTORE}${PARTS}`)
  await deploy('on-changing', `${ON_LIST}- RunOperationOnListInNewTx: {id: changing, list: found, ${PASS}}\n`)
  const { id, files, node } = await passed('on-changing', [0], 1)
  await correct(files[0])
  await call('PUT', '/api/v1/contributions/chains/changing', {
    body: `${RESTORE}\n- Document.SetProperty: {xpath: 'dc:format', value: new}\n`,
    headers: { 'Content-Type': 'application/yaml' },
  })
  const current = await retry(id, undefined, '?definition=current')
  expect([current.status, current.json.message]).toEqual([
    409,
    expect.stringContaining(`${id}/${node}/{position}`),
  ])
  await ended((await retry(id)).json.workflowId)
  expect(await outcomesOf(files)).toEqual([DONE])
  expect((await propertiesOf(files[0].uid))['dc:format']).toBeNull()
})

test('go on with the definition of now where its steps are of the same kinds', async () => {
  await deploy('corrected', `${RESTORE}${PARTS}`)
  await deploy(
    'on-corrected',
    `${ON_LIST}- RunOperationOnListInNewTx: {id: corrected, list: found, ${PASS}}\n`,
  )
  const { id, files } = await passed('on-corrected', [0], 1)
  await deploy('corrected', `${RESTORE}${PARTS.replace('expr:@{Document["dc:source"]}', 'dc:format')}`)
  const current = await retry(id, undefined, '?definition=current')
  expect(current.status, current.text).toBe(202)
  expect((await ended(current.json.workflowId)).items).toEqual({ done: 1, failed: 0, total: 1 })
  expect(await outcomesOf(files)).toEqual([DONE])
  expect((await propertiesOf(files[0].uid))['dc:format']).toBe('done')
})

test('of an input that are transactions are listed and retried, each once', async () => {
  const once = `${MARK('dc:rights')}- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"]}', value: done}\n`
  await deploy('once', once)
  await deploy('on-input-once', `${FOUND}- RunDocumentOperation: {id: once, newTx: true, ${PASS}}\n`)
  const { id, files, report, node } = await passed('on-input-once', [1, 2])
  expect(report).toMatchObject({ status: 'COMPLETED', items: { done: 2, failed: 2, total: 4 } })
  expect(await itemsOf(id)).toMatchObject(
    [1, 2].map((position) => ({ node, position, id: files[position].uid })),
  )
  await correct(files[1])
  const repair = (await retry(id)).json.workflowId
  expect((await ended(repair)).items).toEqual({ done: 1, failed: 1, total: 2 })
  expect((await endedWithSteps(id)).items).toEqual({ done: 3, failed: 1, total: 4 })
  expect(await outcomesOf(files)).toEqual(['x|', 'x|', '|', 'x|'])
})

test('are left as they are when the run that does them again is cancelled', async () => {
  const { id, files, node } = await passed('on-list', [0, 1], 2)
  await correct(files[0])
  await correct(files[1])
  const child = `${id}/${node}/0`
  const repair = await platform.database.transaction(async (sql) => {
    await sql`SELECT FROM documents WHERE id = ${files[0].uid} FOR UPDATE`
    const { json } = await retry(id)
    await soon(async () =>
      expect((await client.workflow.getHandle(child).describe()).status.name).toBe('RUNNING'),
    )
    expect((await call('DELETE', `${RUNS}/${json.workflowId}`)).status).toBe(202)
    expect(await ended(json.workflowId)).toMatchObject({ status: 'CANCELLED' })
    return json.workflowId
  })
  expect((await client.workflow.getHandle(child).describe()).status.name).toBe('CANCELLED')
  expect((await endedWithSteps(id)).items).toEqual({ done: 0, failed: 2, total: 2 })
  expect(await outcomesOf(files)).toEqual([HALF, HALF])
  const again = (await retry(id)).json.workflowId
  expect(again).not.toBe(repair)
  expect(await ended(again)).toMatchObject({ status: 'COMPLETED' })
  expect(await outcomesOf(files)).toEqual([DONE, DONE])
  expect((await endedWithSteps(id)).items).toEqual({ done: 2, failed: 0, total: 2 })
})

test('do nothing again of what an error chain has answered on their way', async () => {
  await deploy('noted', MARK('dc:rights'))
  await deploy('demanding', `- Document.SetProperty: {xpath: 'expr:@{Document["dc:format"]}', value: done}\n`)
  await deploy(
    'answered',
    'onError:\n- {chain: noted}\noperations:\n- RunInNewTransaction: {id: demanding, rollbackGlobalOnError: true}\n',
  )
  await deploy('answered-item', `${RESTORE}\n- answered\n${PARTS.split('\n').at(-2)}\n`)
  await deploy(
    'on-answered',
    `${ON_LIST}- RunOperationOnListInNewTx: {id: answered-item, list: found, ${PASS}}\n`,
  )
  const { path, files } = await filesWith([0], 1)
  await change(files[0].uid, { 'dc:format': BAD })
  const id = runId(await start('on-answered', { json: { params: { folder: path } } }))
  expect((await endedWithSteps(id)).items).toEqual({ done: 0, failed: 1, total: 1 })
  await change(files[0].uid, { 'dc:source': 'dc:description', 'dc:format': 'dc:language' })
  expect(await ended((await retry(id)).json.workflowId)).toMatchObject({ status: 'COMPLETED' })
  expect(await propertiesOf(files[0].uid)).toMatchObject({
    'dc:rights': 'x',
    'dc:language': null,
    'dc:description': 'done',
  })
})

test('may be cancelled one by one, which is a failure of theirs', async () => {
  const { id, files, node } = await passed('on-list', [0, 1], 2)
  for (const file of files) await correct(file)
  const child = `${id}/${node}/0`
  const repair = await platform.database.transaction(async (sql) => {
    await sql`SELECT FROM documents WHERE id = ${files[0].uid} FOR UPDATE`
    const { json } = await retry(id)
    await soon(async () =>
      expect((await client.workflow.getHandle(child).describe()).status.name).toBe('RUNNING'),
    )
    expect((await call('DELETE', `${RUNS}/${encodeURIComponent(child)}`)).status).toBe(202)
    await ended(child)
    return json.workflowId
  })
  expect(await ended(repair)).toMatchObject({ status: 'COMPLETED' })
  expect(await outcomesOf(files)).toEqual([HALF, DONE])
  expect(await itemsOf(id)).toMatchObject([
    { position: 0, status: 409, message: expect.stringMatching(/cancelled/) },
  ])
})

test('are reported without the paths of documents that their reader may not browse', async () => {
  const { path, files } = await filesWith([], 1)
  const id = runId(await start('on-list', { user: 'ann', json: { params: { folder: path } } }))
  expect((await ended(id)).status).toBe('COMPLETED')
  const seen = async () =>
    (await call('GET', `${RUNS}/${id}/items`, { user: 'ann' })).json.entries.map(
      ({ status, path: reported }: Entity) => [status, reported],
    )
  expect(await seen()).toEqual([[403, files[0].path]])
  const block = { input: `doc:${path}`, params: { user: 'Everyone', permission: 'Everything', grant: false } }
  expect((await call('POST', '/api/v1/automation/Document.SetACE', { json: block })).status).toBe(200)
  expect(await seen()).toEqual([[403, undefined]])
  const { nodes } = (await call('GET', `${RUNS}/${id}`, { user: 'ann' })).json
  expect(nodes.at(-1).loop.failures).toMatchObject([{ id: files[0].uid }])
  expect(nodes.at(-1).loop.failures[0]).not.toHaveProperty('path')
})

test('with items of their own leave those alone that they have skipped', async () => {
  await deploy(
    'nested-item',
    `${RESTORE}
- RunOperationOnListInNewTx: {id: item-parts, list: found, ${PASS}}
- Document.SetProperty: {xpath: 'expr:@{Document["dc:format"]}', value: done}
`,
  )
  const outer = await make('/', `outer-${count++}`, 'File', { 'dc:format': BAD })
  await deploy(
    'nesting',
    `${ON_LIST}- Repository.Query: {query: "SELECT * FROM File WHERE ecm:uuid = '${outer.uid}'"}
- Context.SetInputAsVar: {name: outer}
- RunOperationOnListInNewTx: {id: nested-item, list: outer, ${PASS}}
`,
  )
  const { path, files } = await filesWith([1], 3)
  const id = runId(await start('nesting', { json: { params: { folder: path } } }))
  const report = await endedWithSteps(id)
  expect(report).toMatchObject({ items: { done: 0, failed: 1, total: 1 } })
  const node = report.nodes.findIndex(({ loop }: Entity) => loop)
  const child = `${id}/${node}/0`
  expect((await endedWithSteps(child)).items).toEqual({ done: 2, failed: 1, total: 3 })
  await change(outer.uid, { 'dc:format': 'dc:language' })
  await correct(files[1])
  expect(await ended((await retry(id)).json.workflowId)).toMatchObject({ status: 'COMPLETED' })
  expect((await endedWithSteps(id)).items).toEqual({ done: 1, failed: 0, total: 1 })
  expect(await outcomesOf(files)).toEqual([DONE, HALF, DONE])
  expect((await endedWithSteps(child)).items).toEqual({ done: 2, failed: 1, total: 3 })
  await ended((await retry(child)).json.workflowId)
  expect(await outcomesOf(files)).toEqual(Array(3).fill(DONE))
})

test('at which a loop ends that does not continue on errors are reported with their document', async () => {
  const { id, files, report, node } = await passed('strict', [1], 3)
  expect(report).toMatchObject({ status: 'FAILED', items: { done: 1, failed: 1, total: 3 } })
  expect(report.nodes[node].loop).toMatchObject({
    position: 1,
    stopped: refused(files, 1),
    failures: [],
  })
  await listed(id, { done: 1, failed: 1, total: 3 })
  await correct(files[1])
  expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(202)
  expect(await ended(id)).toMatchObject({ status: 'COMPLETED', items: { done: 3, failed: 0, total: 3 } })
  expect(await outcomesOf(files)).toEqual(Array(3).fill(DONE))
})

test.each(['strict', 'on-list'])(
  'of %s go on where their run was cancelled, and are done once',
  async (chain) => {
    const { path, files } = await filesWith([], 3)
    const id = await platform.database.transaction(async (sql) => {
      await sql`SELECT FROM documents WHERE id = ${files[1].uid} FOR UPDATE`
      const started = runId(
        await call('POST', `${AUTOMATION}/${chain}/@async`, { json: { params: { folder: path } } }),
      )
      await soon(async () =>
        expect((await client.workflow.getHandle(`${started}/1/1`).describe()).status.name).toBe('RUNNING'),
      )
      expect((await call('DELETE', `${RUNS}/${started}`)).status).toBe(202)
      return started
    })
    expect(await ended(id)).toMatchObject({ status: 'CANCELLED' })
    expect(await outcomesOf(files)).not.toEqual([DONE, DONE, DONE])
    expect((await call('POST', `${RUNS}/${id}/retry`)).status).toBe(202)
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', items: { done: 3, failed: 0, total: 3 } })
    expect(await outcomesOf(files)).toEqual([DONE, DONE, DONE])
  },
)
