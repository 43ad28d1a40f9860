import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../core/access/security/index.js'
import type { ChainDefinition, ChainStep, Value } from '../../../../core/automation/language/index.js'
import { createDocument, getDocument, queryDocuments } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createTestAutomation } from '../../../support/automation.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'

const { platform, settings, runs, registry, define } = await createTestAutomation()

const administrator = await platform.authenticator.principal('Administrator')
if (!administrator) throw new Error('There is no administrator')

const chain = (
  id: string,
  steps: readonly (string | ChainStep)[],
  params: ChainDefinition['params'] = [],
): ChainDefinition => {
  const definition = {
    id,
    aliases: [],
    params,
    steps: steps.map((step) => (typeof step === 'string' ? { operation: step, params: {} } : step)),
  }
  define(definition)
  return definition
}

const run = async (
  definition: ChainDefinition,
  request: { input?: Value; params?: Record<string, string>; variables?: Record<string, Value> } = {},
) => {
  const workflowId = await runs.start({
    chain: definition,
    registry: registry(),
    request: {
      input: request.input ?? { type: 'void' },
      params: request.params ?? {},
      variables: request.variables ?? {},
    },
    principal: administrator,
    requestId: 'test',
  })
  return { workflowId, state: await runs.result(workflowId, administrator) }
}

const newFolder = (name: string): Promise<DocumentRecord> =>
  platform.withSession(SYSTEM, (session) => createDocument(session, { parent: '/', name, type: 'Folder' }))

/** By whoever runs the chains: what somebody else has changed last is given a version first. */
const newFiles = async (folder: DocumentRecord, count: number): Promise<DocumentRecord[]> =>
  platform.withSession(administrator!, async (session) => {
    const files: DocumentRecord[] = []
    for (let index = 0; index < count; index++) {
      files.push(
        await createDocument(session, {
          parent: folder.id,
          name: `f${index}`,
          type: 'File',
          properties: { 'dc:title': `f${index}` },
        }),
      )
    }
    return files
  })

const read = (id: string): Promise<DocumentRecord> => getDocument(platform.readSession(SYSTEM), id)

describe('a chain without boundaries', () => {
  const update = chain('update', [
    'Context.FetchDocument',
    {
      operation: 'Document.SetProperty',
      params: { xpath: 'dc:title', value: 'expr:@{Document["dc:title"]} changed' },
    },
    'Document.Lock',
  ])

  test('runs all steps in one transaction and gives the last output', async () => {
    const folder = await newFolder('one-segment')
    const [file] = await newFiles(folder, 1)
    const { state } = await run(update, { input: { type: 'document', id: file!.id } })
    expect(state.input).toMatchObject({ type: 'document', id: file!.id })
    expect(await read(file!.id)).toMatchObject({
      lockOwner: 'Administrator',
      properties: { 'dc:title': 'f0 changed' },
    })
  })

  test('leaves nothing behind when a step fails', async () => {
    const folder = await newFolder('rolled-back')
    const [file] = await newFiles(folder, 1)
    const failing = chain('failing', [
      { operation: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'never' } },
      { operation: 'Document.SetLifeCycle', params: { value: 'noSuchTransition' } },
    ])
    await expect(run(failing, { input: { type: 'document', id: file!.id } })).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('noSuchTransition'),
    })
    expect((await read(file!.id)).properties['dc:title']).toBe('f0')
  })
})

describe('a loop in new transactions', () => {
  chain('touch', [
    { operation: 'Context.RestoreDocumentInput', params: { name: 'item' } },
    {
      operation: 'Document.SetProperty',
      params: { xpath: 'dc:description', value: 'expr:ChainParameters["text"]' },
    },
  ])
  const loop = chain('loop', [
    {
      operation: 'Repository.Query',
      params: { query: "expr:SELECT * FROM File WHERE ecm:path STARTSWITH '@{folder}' ORDER BY ecm:name" },
    },
    { operation: 'Context.SetInputAsVar', params: { name: 'files' } },
    { operation: 'Context.RunOperationOnListInNewTx', params: { id: 'touch', list: 'files', item: 'item' } },
  ])

  test('does every element once', async () => {
    const folder = await newFolder('looped')
    await newFiles(folder, 25)
    const { state } = await run(loop, {
      params: { text: 'touched' },
      variables: { folder: { type: 'string', value: folder.path! } },
    })
    expect(state.input.type).toBe('documents')
    const page = await queryDocuments(
      platform.readSession(SYSTEM),
      `SELECT * FROM File WHERE dc:description = 'touched'`,
    )
    expect(page.resultsCount).toBe(25)
    expect(new Set(page.entries.map((file) => file.systemToken))).toEqual(new Set([1]))
  })

  test('hands each element over in the variable that `itemName`, the other name of `item`, says', async () => {
    const files = await newFiles(await newFolder('item-name'), 3)
    chain('touch-element', [
      { operation: 'Context.RestoreDocumentInput', params: { name: 'element' } },
      { operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'by its other name' } },
    ])
    const named = chain('item-name', [
      {
        operation: 'Context.RunOperationOnListInNewTx',
        params: { id: 'touch-element', list: 'files', itemName: 'element' },
      },
    ])
    await run(named, { variables: { files: { type: 'documents', ids: files.map(({ id }) => id) } } })
    const texts = await Promise.all(
      files.map(async ({ id }) => (await read(id)).properties['dc:description']),
    )
    expect(texts).toEqual(Array(3).fill('by its other name'))
  })

  test('keeps what succeeded and stops at the element that fails', async () => {
    const folder = await newFolder('stopped')
    const files = await newFiles(folder, 5)
    chain('touch-odd', [
      { operation: 'Context.RestoreDocumentInput', params: { name: 'item' } },
      { operation: 'Document.SetLifeCycle', params: { value: 'approve' } },
    ])
    const stopping = chain('stopping', [
      { operation: 'Context.RunOperationOnListInNewTx', params: { id: 'touch-odd', list: 'files' } },
    ])
    await platform.withSession(SYSTEM, async (session) => {
      const { followTransition } = await import('../../../../core/content/lifecycle/index.js')
      await followTransition(session, await getDocument(session, files[2]!.id), 'approve')
    })
    const variables = { files: { type: 'documents' as const, ids: files.map((file) => file.id) } }
    await expect(run(stopping, { variables })).rejects.toMatchObject({ code: 'badRequest' })
    const states = await Promise.all(files.map(async (file) => (await read(file.id)).lifecycleState))
    expect(states).toEqual(['approved', 'approved', 'approved', 'project', 'project'])
  })
})

describe('boundaries inside what is called', () => {
  const stamp = (text: string): ChainStep => ({
    operation: 'Document.SetProperty',
    params: { xpath: 'dc:source', value: text },
  })
  const restore: ChainStep = { operation: 'Context.RestoreDocumentInput', params: { name: 'item' } }

  test('a chain whose step is a chain with a loop runs it as a run of its own', async () => {
    const folder = await newFolder('composite')
    const files = await newFiles(folder, 3)
    chain('mark', [restore, stamp('expr:ChainParameters["word"]')])
    chain('mark-all', [{ operation: 'RunOperationOnListInNewTx', params: { id: 'mark', list: 'files' } }])
    const composite = chain('composite', [
      { operation: 'Context.SetVar', params: { name: 'word', value: 'outer' } },
      { operation: 'mark-all', params: { word: 'inner' } },
      'Context.FetchDocument',
      stamp('after'),
    ])
    const { state } = await run(composite, {
      input: { type: 'document', id: folder.id },
      variables: { files: { type: 'documents', ids: files.map((file) => file.id) } },
    })
    expect(state.input).toMatchObject({ type: 'document', id: folder.id })
    const sources = await Promise.all(
      files.map(async (file) => (await read(file.id)).properties['dc:source']),
    )
    expect(sources).toEqual(['inner', 'inner', 'inner'])
    expect((await read(folder.id)).properties['dc:source']).toBe('after')
  })

  test('a loop whose element has a loop runs each element as a run of its own, and skips one that fails', async () => {
    const folders = await Promise.all(['n1', 'n2', 'n3'].map(newFolder))
    const files = await Promise.all(folders.map((folder) => newFiles(folder, 2)))
    chain('mark-nested', [restore, stamp('nested')])
    chain('mark-folder', [
      restore,
      'Document.GetChildren',
      { operation: 'Context.SetInputAsVar', params: { name: 'children' } },
      { operation: 'RunOperationOnListInNewTx', params: { id: 'mark-nested', list: 'children' } },
      restore,
      { operation: 'Document.SetLifeCycle', params: { value: 'approve' } },
    ])
    const nested = chain('nested', [
      {
        operation: 'RunOperationOnListInNewTx',
        params: { id: 'mark-folder', list: 'folders', rollbackGlobalOnError: 'false' },
      },
    ])
    const { followTransition } = await import('../../../../core/content/lifecycle/index.js')
    await platform.withSession(SYSTEM, async (session) =>
      followTransition(session, await getDocument(session, folders[1]!.id), 'approve'),
    )
    await run(nested, {
      variables: { folders: { type: 'documents', ids: folders.map((folder) => folder.id) } },
    })
    const sources = await Promise.all(
      files.flat().map(async (file) => (await read(file.id)).properties['dc:source']),
    )
    expect(sources).toEqual(Array(6).fill('nested'))
    expect(await Promise.all(folders.map(async (folder) => (await read(folder.id)).lifecycleState))).toEqual(
      Array(3).fill('approved'),
    )
  })

  test('a call in a transaction of its own keeps its effects when a later step fails, and may fail without ending the run', async () => {
    const folder = await newFolder('own-transaction')
    const [file] = await newFiles(folder, 1)
    const input = { type: 'document' as const, id: file!.id }
    chain('stamp-it', [stamp('kept')])
    chain('break-it', [stamp('lost'), { operation: 'Document.SetLifeCycle', params: { value: 'nowhere' } }])
    const calls = chain('calls', [
      { operation: 'RunDocumentOperation', params: { id: 'stamp-it', newTx: 'true' } },
      {
        operation: 'RunDocumentOperation',
        params: { id: 'break-it', newTx: 'true', rollbackGlobalOnError: 'false' },
      },
      { operation: 'Document.SetProperty', params: { xpath: 'dc:rights', value: 'went on' } },
    ])
    await run(calls, { input })
    expect((await read(file!.id)).properties).toMatchObject({ 'dc:source': 'kept', 'dc:rights': 'went on' })
    const stops = chain('stops', [
      { operation: 'RunDocumentOperation', params: { id: 'stamp-it', newTx: 'true' } },
      { operation: 'RunDocumentOperation', params: { id: 'break-it', newTx: 'true' } },
    ])
    await expect(run(stops, { input })).rejects.toMatchObject({ message: expect.stringContaining('nowhere') })
  })
})

describe('a call in transactions of its own on a list', () => {
  const broken = 'nowhere-to-go'
  chain('approve-it', [
    { operation: 'Document.SetProperty', params: { xpath: 'dc:rights', value: 'expr:@{seen}+' } },
    { operation: 'Document.SetLifeCycle', params: { value: 'approve' } },
    { operation: 'Context.SetVar', params: { name: 'seen', value: 'expr:@{seen}+' } },
  ])
  const approveAll = (id: string, more: ChainStep['params'] = {}) =>
    chain(id, [{ operation: 'RunDocumentOperation', params: { id: 'approve-it', newTx: 'true', ...more } }])

  const approved = async (name: string) => {
    const files = await newFiles(await newFolder(name), 3)
    const { followTransition } = await import('../../../../core/content/lifecycle/index.js')
    await platform.withSession(SYSTEM, async (session) =>
      followTransition(session, await getDocument(session, files[1]!.id), 'approve'),
    )
    const ids = files.map((file) => file.id)
    const call = {
      input: { type: 'documents' as const, ids },
      variables: { seen: { type: 'string' as const, value: '' } },
    }
    const rights = () =>
      Promise.all(ids.map(async (id) => (await read(id)).properties['dc:rights'] ?? broken))
    return { ids, call, rights }
  }

  test('runs it once for each document, and keeps those before the one that fails', async () => {
    const { call, rights } = await approved('each-stops')
    await expect(run(approveAll('each-stops'), call)).rejects.toMatchObject({
      message: expect.stringContaining('approve'),
    })
    expect(await rights()).toEqual(['+', broken, broken])
  })

  test('skips one that fails, and hands variables from one to the next', async () => {
    const { ids, call, rights } = await approved('each-goes-on')
    const { state } = await run(approveAll('each-goes-on', { rollbackGlobalOnError: 'false' }), call)
    expect(state).toMatchObject({
      input: { type: 'documents', ids },
      variables: { seen: { value: '++' } },
    })
    expect(await rights()).toEqual(['+', broken, '++'])
  })

  test('refuses an input that is no document', async () => {
    const input = { type: 'json' as const, value: { no: 'document' } }
    const wrong = chain('each-wrong', [
      { operation: 'RunFileOperation', params: { id: 'approve-it', newTx: 'true' } },
    ])
    await expect(run(wrong, { input })).rejects.toMatchObject({
      message: expect.stringContaining('takes no input of type object'),
    })
  })
})

describe('a list that is too long to travel', () => {
  test('waits in the transient store, and every element is done', async () => {
    const folder = await newFolder('long')
    await newFiles(folder, 1_100)
    const long = chain('long', [
      {
        operation: 'Repository.Query',
        params: { query: `SELECT * FROM File WHERE ecm:path STARTSWITH '/long'` },
      },
      { operation: 'Context.SetInputAsVar', params: { name: 'files' } },
      {
        operation: 'RunOperationOnListInNewTx',
        params: { id: 'touch', list: 'files', parameters: { text: 'long' } },
      },
    ])
    const { state } = await run(long)
    expect(state.input).toMatchObject({ type: 'documentList', count: 1_100 })
    const page = await queryDocuments(
      platform.readSession(SYSTEM),
      `SELECT * FROM File WHERE dc:description = 'long'`,
    )
    expect(page.resultsCount).toBe(1_100)
  })
})

describe('an idempotency key', () => {
  test('finds the run that it began, and is refused for another call', async () => {
    const counted = chain('counted', [
      { operation: 'Repository.GetDocument', params: { value: '/' } },
      { operation: 'Document.Create', params: { type: 'Folder', name: 'expr:ChainParameters["name"]' } },
    ])
    const idempotencyKey = uniqueName('key')
    const call = (name: string) => ({
      chain: counted,
      registry: registry(),
      request: { input: { type: 'void' as const }, params: { name }, variables: {} },
      principal: administrator,
      requestId: 'test',
      idempotencyKey,
    })
    const [first, second] = await Promise.all([runs.start(call('key')), runs.start(call('key'))])
    expect(second).toBe(first)
    await runs.result(first, administrator)
    expect(await runs.start(call('key'))).toBe(first)
    const page = await queryDocuments(
      platform.readSession(SYSTEM),
      `SELECT * FROM Folder WHERE ecm:path STARTSWITH '/' AND ecm:name LIKE 'key%'`,
    )
    expect(page.resultsCount).toBe(1)
    await expect(runs.start(call('other'))).rejects.toMatchObject({ code: 'conflict' })
  })
})

test('a transaction that lasts longer than it may is rolled back, and not tried again', async () => {
  const folder = await newFolder('too-long')
  const files = await newFiles(folder, 3)
  chain('slow-mark', [
    { operation: 'Context.RestoreDocumentInput', params: { name: 'item' } },
    { operation: 'Document.SetProperty', params: { xpath: 'dc:source', value: 'slow' } },
  ])
  chain('slow-loop', [{ operation: 'RunOperationOnList', params: { id: 'slow-mark', list: 'files' } }])
  const tooLong = chain('too-long', [
    'Context.FetchDocument',
    { operation: 'RunDocumentOperation', params: { id: 'slow-loop', newTx: 'true', timeout: '1' } },
  ])
  const variables = {
    files: { type: 'documents' as const, ids: files.map((file) => file.id) },
  }
  const [first, second] = files
  if (!first || !second) throw new Error('There are no files')
  const sql = postgres(settings.databaseUrl, { max: 2 })
  const waiting = async () =>
    (await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      .length > 0
  let isHeld = false
  let isOver = false
  const holder = sql.begin(async (transaction) => {
    await transaction`SELECT FROM documents WHERE id = ${second.id} FOR UPDATE`
    isHeld = true
    // On a busy machine its time may be over before it comes so far.
    await soon(async () => expect(isOver || (await waiting())).toBe(true))
    if (!isOver) await setTimeout(1100)
  })
  await soon(() => expect(isHeld).toBe(true))
  await expect(run(tooLong, { input: { type: 'document', id: folder.id }, variables })).rejects.toMatchObject(
    {
      code: 'timeout',
    },
  )
  isOver = true
  await holder
  await sql.end()
  expect((await read(first.id)).properties).not.toHaveProperty('dc:source')
})
