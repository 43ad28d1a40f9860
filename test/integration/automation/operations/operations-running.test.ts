import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainStep, Value, Variables } from '../../../../core/automation/language/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import {
  ANN,
  createOperationBench,
  documentOf,
  idsOf,
  input,
  inputs,
  STRANGER,
  step,
} from '../../support/operations-support.js'

const bench = await createOperationBench()
afterAll(bench.close)

const { run, chain, read, storedBlob } = bench

let folder: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  ;({ folder, file, note } = await bench.filledWorkspace())
})

describe('running other operations', () => {
  const rename = { id: 'Document.Update', parameters: { properties: 'dc:title=Renamed' } }

  it('RunOperation drops the output; the input is what is stored by then', async () => {
    const output = await chain(
      [
        step('Document.SetProperty', { xpath: 'dc:source', value: 's' }),
        step('RunOperation', rename),
        step('Document.SetProperty', { xpath: 'dc:rights', value: 'r' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(output)).toMatchObject({
      id: file.id,
      properties: { 'dc:title': 'Renamed', 'dc:source': 's', 'dc:rights': 'r' },
    })
  })

  it('RunDocumentOperation gives the output, for each document of a list', async () => {
    const params = { id: 'Document.GetParent' }
    expect(documentOf(await run('RunDocumentOperation', { input: input(file), params })).id).toBe(folder.id)
    const renamed = await run('RunDocumentOperation', { input: inputs(file, note), params: rename })
    expect(idsOf(renamed)).toEqual([file.id, note.id])
    expect((await read(note.id)).properties['dc:title']).toBe('Renamed')
  })

  it('RunFileOperation gives the output', async () => {
    const blob = await storedBlob('one')
    const params = { id: 'Blob.Attach', parameters: { document: file.id } }
    const output = await run('RunFileOperation', { input: { type: 'blob', blob }, params })
    expect(output).toEqual({ type: 'blob', blob })
    expect((await read(file.id)).properties['file:content']).toEqual(blob)
  })

  it('keeps what is not saved yet', async () => {
    const output = await chain(
      [
        step('Document.Update', { properties: { 'dc:source': 'unsaved' }, save: false }),
        step('RunOperationOnList', { ...rename, list: 'once' }),
        step('Document.Save'),
      ],
      { input: input(file), variables: { once: { type: 'json', value: [1] } } },
    )
    expect(documentOf(output).properties).toMatchObject({ 'dc:title': 'Renamed', 'dc:source': 'unsaved' })
  })

  it.each<[string, (file: DocumentRecord) => Value, ChainStep[], string]>([
    [
      'texts',
      () => ({ type: 'json', value: ['a', 'b'] }),
      [step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{Document["dc:source"]}@{each}' })],
      'ab',
    ],
    [
      'documents',
      (document) => inputs(document, document),
      [
        step('Context.RestoreDocumentInput', { name: 'each' }),
        step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{Document["dc:source"]}+' }),
      ],
      '++',
    ],
  ])('RunOperationOnList runs for each of some %s', async (_title, list, body, expected) => {
    const output = await chain(
      [
        step('RunOperationOnList', { id: 'body', list: 'list', item: 'each' }),
        step('Document.SetProperty', { xpath: 'dc:rights', value: 'done' }),
      ],
      { input: input(file), variables: { list: list(file) } },
      { body },
    )
    expect(documentOf(output).properties).toMatchObject({ 'dc:source': expected, 'dc:rights': 'done' })
  })

  it('RunOperationOnList names the item that fails, behind what clients know failures by', async () => {
    const restored = step('Context.RestoreDocumentInput', { name: 'each' })
    const body = [restored, step('Document.SetLifeCycle', { value: 'expr:@{each.title}' })]
    const failing = chain(
      [step('RunOperationOnList', { id: 'body', list: 'list', item: 'each' })],
      {
        input: input(file),
        variables: { list: inputs(file, note) },
      },
      { body },
    )
    await expect(failing).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        new RegExp(`^Failed to invoke operation: .* \\(item 0 of 2, document ${file.id}\\)$`),
      ),
    })
  })

  it.each<[boolean, string]>([
    [true, 'before'],
    [false, 'inside'],
  ])('with isolate %s a variable that the target sets is then %s', async (isolate, expected) => {
    const output = await chain(
      [
        step('Context.SetVar', { name: 'where', value: 'before' }),
        step('RunOperation', { id: 'body', isolate }),
        step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{where}' }),
      ],
      { input: input(file) },
      { body: [step('Context.SetVar', { name: 'where', value: 'inside' })] },
    )
    expect(documentOf(output).properties['dc:source']).toBe(expected)
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['RunOperationOnList', { id: 'Log', list: 'nothing' }, /list: the variable 'nothing'/],
    ['RunOperationOnList', { id: 'Log' }, /list/],
    ['RunOperationOnList', { list: 'docs' }, /id/],
    ['RunOperationOnList', { id: 'Log', list: 'docs', newTx: 'true' }, /new transaction/],
    ['RunOperationOnListInNewTx', { id: 'Log', list: 'docs' }, /new transaction/],
    ['RunInNewTransaction', { id: 'Log' }, /new transaction/],
    ['RunDocumentOperation', { id: 'Document.Save', newTx: true }, /new transaction/],
  ])('%s %j is refused inside a transaction', async (operation, params, message) => {
    const call = run(operation, { input: input(file), params, variables: { docs: inputs(file) } })
    await expect(call).rejects.toMatchObject({ code: 'badRequest', message: expect.stringMatching(message) })
  })

  it('lets nobody reach by way of another what is kept for administrators, but for a chain', async () => {
    const params = { id: 'Directory.Entries', parameters: { directoryName: 'continent' } }
    for (const operation of ['RunOperation', 'RunOperationOnList']) {
      const call = { params: { ...params, list: 'once' }, as: ANN }
      const variables: Variables = { once: { type: 'json', value: [1] } }
      await expect(run(operation, { ...call, variables })).rejects.toMatchObject({ code: 'notFound' })
    }
    await run('RunOperation', { params })
    await chain([step('RunOperation', params)], { as: ANN })
  })

  it('RunDocumentOperation refuses an output that is no document', async () => {
    const call = run('RunDocumentOperation', { input: input(file), params: { id: 'Document.GetBlob' } })
    await expect(call).rejects.toMatchObject({ code: 'operationFailed' })
  })
})

describe('calls that wait for nothing', () => {
  it('let others have a turn, and end when their time is over', async () => {
    const list = { type: 'json', value: Array.from({ length: 100 }, (_, index) => String(index)) } as const
    const forEach = (id: string, parameters: ChainStep['params']) => ({ id, list: 'all', parameters })
    const log = forEach('Log', { level: 'debug', message: 'x' })
    const params = forEach('RunOperationOnList', forEach('RunOperationOnList', log))
    const isOver = new AbortController()
    let turns = 0
    // What gives nobody a turn comes to its end before.
    const others = setInterval(() => {
      if (++turns === 4) isOver.abort(new DOMException('The time is over', 'TimeoutError'))
    }, 10)
    await expect(
      run('RunOperationOnList', {
        params,
        variables: { all: list },
        as: STRANGER,
        signal: isOver.signal,
      }),
    ).rejects.toMatchObject({ code: 'timeout' })
    clearInterval(others)
  })
})
