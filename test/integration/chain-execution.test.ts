import { describe, expect, test } from 'vitest'
import type { ChainDefinition, ChainStep, Value } from '../../core/automation/index.js'
import { createDocument, type DocumentRecord, getDocument, queryDocuments } from '../../core/documents/index.js'
import { SYSTEM } from '../../core/security/index.js'
import { createTestAutomation } from '../support/automation.js'

const { platform, runs, define } = await createTestAutomation()

const administrator = await platform.authenticator.principal('Administrator')
if (!administrator) throw new Error('There is no administrator')

const chain = (id: string, steps: readonly (string | ChainStep)[], params: ChainDefinition['params'] = []): ChainDefinition => {
  const definition = {
    id,
    aliases: [],
    params,
    steps: steps.map((step) => (typeof step === 'string' ? { operation: step, params: {} } : step)),
  }
  define(definition)
  return definition
}

const run = async (definition: ChainDefinition, request: { input?: Value; params?: Record<string, string>; variables?: Record<string, Value> } = {}) => {
  const workflowId = await runs.start({
    chain: definition,
    request: { input: request.input ?? { type: 'void' }, params: request.params ?? {}, variables: request.variables ?? {} },
    principal: administrator,
    requestId: 'test',
  })
  return { workflowId, state: await runs.result(workflowId, administrator) }
}

const newFolder = (name: string): Promise<DocumentRecord> =>
  platform.withSession(SYSTEM, (session) => createDocument(session, { parent: '/', name, type: 'Folder' }))

const newFiles = async (folder: DocumentRecord, count: number): Promise<DocumentRecord[]> =>
  platform.withSession(SYSTEM, async (session) => {
    const files: DocumentRecord[] = []
    for (let index = 0; index < count; index++) {
      files.push(await createDocument(session, { parent: folder.id, name: `f${index}`, type: 'File', properties: { 'dc:title': `f${index}` } }))
    }
    return files
  })

const read = (id: string): Promise<DocumentRecord> => getDocument(platform.readSession(SYSTEM), id)

describe('a chain without boundaries', () => {
  const update = chain('update', [
    'Context.FetchDocument',
    { operation: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'expr:@{Document["dc:title"]} changed' } },
    'Document.Lock',
  ])

  test('runs all steps in one transaction and gives the last output', async () => {
    const folder = await newFolder('one-segment')
    const [file] = await newFiles(folder, 1)
    const { state } = await run(update, { input: { type: 'document', id: file!.id } })
    expect(state.input).toMatchObject({ type: 'document', id: file!.id })
    expect(await read(file!.id)).toMatchObject({ lockOwner: 'Administrator', properties: { 'dc:title': 'f0 changed' } })
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
    { operation: 'Document.SetProperty', params: { xpath: 'dc:description', value: 'expr:ChainParameters["text"]' } },
  ])
  const loop = chain('loop', [
    { operation: 'Repository.Query', params: { query: "expr:SELECT * FROM File WHERE ecm:path STARTSWITH '@{folder}' ORDER BY ecm:name" } },
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
    const page = await queryDocuments(platform.readSession(SYSTEM), `SELECT * FROM File WHERE dc:description = 'touched'`)
    expect(page.resultsCount).toBe(25)
    expect(new Set(page.entries.map((file) => file.systemToken))).toEqual(new Set([1]))
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
      const { followTransition } = await import('../../core/lifecycle/index.js')
      await followTransition(session, await getDocument(session, files[2]!.id), 'approve')
    })
    const variables = { files: { type: 'documents' as const, ids: files.map((file) => file.id) } }
    await expect(run(stopping, { variables })).rejects.toMatchObject({ code: 'badRequest' })
    const states = await Promise.all(files.map(async (file) => (await read(file.id)).lifecycleState))
    expect(states).toEqual(['approved', 'approved', 'approved', 'project', 'project'])
  })
})
