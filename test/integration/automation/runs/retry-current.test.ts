import { describe, expect, test } from 'vitest'
import { uniqueName } from '../../../support/template.js'
import type { Entity } from '../../support/rest-client.js'
import { createRunsBench, RUNS, runId } from '../../support/runs-support.js'

const { call, deploy, start, ended, make, propertiesOf, runOf } = await createRunsBench()

const COUNT = `- Document.SetProperty: {xpath: 'dc:rights', value: 'expr:@{Document["dc:rights"] == null ? "" : Document["dc:rights"]}x'}\n`
const FLY = '- Document.SetLifeCycle: {value: fly}\n'
const DONE = "- Document.SetProperty: {xpath: 'dc:description', value: done}\n"
const TOUCH = '- RunInNewTransaction: {id: touch}\n'
await deploy('touch', '- Log: {message: touched}')

let count = 0
const newFile = () => make('/', `c${count++}`, 'File')

const retry = (id: string, place = 'retry', definition = 'current') =>
  call('POST', `${RUNS}/${encodeURIComponent(id)}/${place}?definition=${definition}`)

const outcomeOf = async ({ uid }: Entity): Promise<string> => {
  const properties = await propertiesOf(uid)
  return `${properties['dc:rights'] ?? ''}${properties['dc:description'] === 'done' ? '+' : '-'}`
}

/** Items of a loop: each is counted, then done unless it is the bad one and the chain is not corrected. */
const item = (corrected: boolean, more = '') =>
  `- Context.RestoreDocumentInput: {name: item}\n${COUNT}${corrected ? '' : `- Document.SetProperty: {xpath: 'expr:@{Document["dc:source"] == null ? "dc:coverage" : "no:such"}', value: x}\n`}${DONE}${more}`
const loopOver = (target: string, { list = 'found', more = '' } = {}) => `params:
- folder: {type: string, required: true}
operations:
- Repository.Query: {query: 'expr:SELECT * FROM File WHERE ecm:path STARTSWITH "@{ChainParameters["folder"]}" ORDER BY ecm:name'}
- Context.SetInputAsVar: {name: ${list}}
- Context.RunOperationOnListInNewTx: {id: ${target}, list: ${list}, item: item${more}}
`
const threeFiles = async () => {
  const folder = await make('/', `c${count++}`, 'Folder')
  const files: Entity[] = []
  for (const source of [undefined, 'bad', undefined])
    files.push(await make(folder.path, `f${files.length}`, 'File', source ? { 'dc:source': source } : {}))
  return { json: { params: { folder: folder.path } }, files }
}
const outcomes = (files: readonly Entity[]) => Promise.all(files.map(outcomeOf))

describe('a failed run goes on with the chain as it is deployed now', () => {
  test('in the transaction that failed, with its variables', async () => {
    await deploy('corrected', `${COUNT}- Context.SetVar: {name: said, value: before}\n${TOUCH}${FLY}`)
    const file = await newFile()
    const headers = { 'Idempotency-Key': uniqueName('key') }
    const json = { input: `doc:${file.uid}` }
    const id = runId(await start('corrected', { headers, json }))
    expect((await ended(id)).status).toBe('FAILED')
    const says = `- Document.SetProperty: {xpath: 'dc:source', value: 'expr:@{said} @{ChainParameters["more"]}'}\n`
    await deploy(
      'corrected',
      `params:\n- more: {type: string, values: [and after]}\noperations:\n${COUNT}${TOUCH}${says}${DONE}${TOUCH}`,
    )
    // As it was it fails again.
    expect(await retry(id, 'retry', 'original')).toMatchObject({ status: 202, json: { isOutdated: true } })
    expect((await ended(id)).status).toBe('FAILED')
    const answers = await Promise.all([1, 2].map(() => retry(id)))
    for (const { status, text, json: reported } of answers) {
      expect([202, 409], text).toContain(status)
      expect(reported.isOutdated).toBeUndefined()
    }
    expect(answers.map(({ status }) => status)).toContain(202)
    const run = await ended(id)
    expect(run).toMatchObject({ status: 'COMPLETED', workflowId: id, chainId: 'corrected' })
    expect(run.nodes.map(({ status }: Entity) => status)).toEqual(['done', 'done', 'done', 'done'])
    expect(await outcomeOf(file)).toBe('x+')
    expect((await propertiesOf(file.uid))['dc:source']).toBe('before and after')
    // The key finds what came of it.
    expect((await start('corrected', { headers, json })).status).toBe(200)
    const over = await retry(id)
    expect([over.status, over.json.message]).toEqual([409, expect.stringContaining('COMPLETED')])
  })

  test.each([
    ['c-loop', ''],
    ['c-runs', TOUCH],
  ])('at the item of a loop that failed: %s', async (name, more) => {
    await deploy(`${name}-item`, item(false, more))
    await deploy(name, loopOver(`${name}-item`))
    const { json, files } = await threeFiles()
    const id = runId(await start(name, { json }))
    await ended(id)
    expect(await outcomes(files)).toEqual(['x+', '-', '-'])
    const unchanged = await retry(id, 'retry', 'original')
    expect(unchanged).toMatchObject({ status: 202 })
    expect(unchanged.json.isOutdated).toBeUndefined()
    await ended(id)
    await deploy(`${name}-item`, item(true, more))
    const answer = await retry(id)
    expect(answer.status, answer.text).toBe(202)
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', items: { done: 3, failed: 0, total: 3 } })
    expect(await outcomes(files)).toEqual(['x+', 'x+', 'x+'])
  })

  test('in the run below it that failed', async () => {
    await deploy('c-below', `${COUNT}${TOUCH}${FLY}`)
    await deploy('c-above', `- Log: {message: x}\n- c-below\n`)
    const file = await newFile()
    const id = runId(await start('c-above', { json: { input: `doc:${file.uid}` } }))
    await ended(id)
    await deploy('c-below', `${COUNT}${TOUCH}${DONE}`)
    expect((await retry(id)).status).toBe(202)
    expect((await ended(id)).status).toBe('COMPLETED')
    expect(await outcomeOf(file)).toBe('x+')
  })

  test('for the failed items of its loops', async () => {
    await deploy('c-item', item(false))
    await deploy('c-items', loopOver('c-item', { more: ', rollbackGlobalOnError: false' }))
    const { json, files } = await threeFiles()
    const id = runId(await start('c-items', { json }))
    await ended(id)
    await deploy('c-item', item(true))
    const again = await retry(id, 'items/retry', 'original')
    expect((await ended(again.json.workflowId)).items).toEqual({ done: 0, failed: 1, total: 1 })
    const current = await retry(id, 'items/retry')
    expect(current.status, current.text).toBe(202)
    expect((await ended(current.json.workflowId)).items).toEqual({ done: 1, failed: 0, total: 1 })
    expect(await outcomes(files)).toEqual(['x+', 'x+', 'x+'])
    await deploy('c-items', loopOver('c-item', { list: 'others' }))
    await deploy('c-item', item(false))
  })
})

describe('it does not where what is done does not fit', () => {
  test.each<[string, string, string]>([
    ['w-fewer', `${COUNT}${FLY}`, 'node 1 was a transaction of its own .* and is not there'],
    [
      'w-more',
      `${TOUCH}${COUNT}${TOUCH}${DONE}`,
      'node 0 was a transaction .* and is a transaction of its own',
    ],
    ['w-other', `${COUNT}- w-committing\n${DONE}`, 'node 1 .* is a run of its own'],
  ])('%s', async (name, yaml, message) => {
    await deploy('w-committing', TOUCH)
    await deploy(name, `${COUNT}${TOUCH}${FLY}`)
    const file = await newFile()
    const id = runId(await start(name, { json: { input: `doc:${file.uid}` } }))
    await ended(id)
    await deploy(name, yaml)
    const answer = await retry(id)
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringMatching(message)])
    expect(await outcomeOf(file)).toBe('x-')
    expect((await runOf(id)).status).toBe('FAILED')
  })

  test.each(['retry', 'items/retry'])('%s of a loop that walks another list', async (place) => {
    const name = `w-list-${place.length}`
    const more = place === 'retry' ? '' : ', rollbackGlobalOnError: false'
    await deploy(`${name}-item`, item(false))
    await deploy(name, loopOver(`${name}-item`, { more }))
    const { json } = await threeFiles()
    const id = runId(await start(name, { json }))
    await ended(id)
    await deploy(name, loopOver(`${name}-item`, { list: 'others', more }))
    const answer = await retry(id, place)
    expect([answer.status, answer.json.message]).toEqual([
      409,
      expect.stringMatching(/list found .* list others/),
    ])
  })

  test('nor where its chain is gone, or the definition is none', async () => {
    await deploy('w-gone', FLY)
    const file = await newFile()
    const id = runId(await start('w-gone', { json: { input: `doc:${file.uid}` } }))
    await ended(id)
    const odd = await retry(id, 'retry', 'next')
    expect([odd.status, odd.json.message]).toEqual([400, expect.stringContaining('definition')])
    expect((await call('DELETE', '/api/v1/contributions/chains/w-gone')).status).toBe(204)
    const answer = await retry(id)
    expect([answer.status, answer.json.message]).toEqual([
      409,
      expect.stringContaining("the chain 'w-gone' is no longer deployed"),
    ])
  })
})
