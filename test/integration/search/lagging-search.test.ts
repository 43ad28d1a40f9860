import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getDocument, searchDocuments } from '../../../core/content/documents/index.js'
import type { SearchBackend, SearchedStores } from '../../../core/content/stores/index.js'
import { emptyTrash, trashDocument } from '../../../core/content/trash/index.js'
import { getUserWorkspace } from '../../../core/content/user-workspaces/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import {
  ADMINISTRATOR,
  ANN,
  createOperationBench,
  deployerOf,
  documentOf,
  input,
} from '../support/operations-support.js'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const waits: number[] = []
const opened: Omit<SearchedStores, 'queries' | 'documents'>[] = []

const calls: string[] = []

/** An index that has not seen anything yet. */
const lagging: SearchBackend = {
  check: () => undefined,
  open: async () => ({
    healthChecks: [{ name: 'index', isRequired: false, check: async () => undefined }],
    followModel: async ({ types }) => {
      calls.push(`follow ${types.has('Leaflet')}`)
    },
    close: async () => {
      calls.push('close')
    },
    on: ({ queries, repository, isTransaction }) => {
      opened.push({ repository, isTransaction })
      return {
        ...queries,
        query: async () => ({ entries: [], total: 0 }),
        ids: async () => [],
        records: async () => ({ entries: [], total: 0 }),
        aggregate: async () => [],
        settled: async (timeoutMs) => {
          waits.push(timeoutMs)
          return false
        },
      }
    },
  }),
}

const folder = await mkdtemp(join(tmpdir(), 'archivolt-lagging-'))
await writeFile(
  join(folder, 'policies.yaml'),
  'securityPolicies:\n  embargo: { permissions: [Browse], query: "dc:title IS NULL OR dc:title <> \'embargoed\'" }\n',
)
const bench = await createOperationBench({ ARCHIVOLT_CONFIG: folder }, { search: lagging })
afterAll(bench.close)
const { platform, run } = bench

test('searches are answered by the index, all other queries by the repository', async () => {
  const { id } = await bench.workspace()
  const query = `SELECT * FROM Workspace WHERE ecm:uuid = '${id}'`
  const session = platform.readSession(ADMINISTRATOR)
  expect((await searchDocuments(session, query)).entries).toEqual([])
  expect(await run('Repository.Query', { params: { query } })).toMatchObject({ ids: [id] })
})

test('the backend of searches learns the repository and whether it is in a transaction', async () => {
  opened.length = 0
  await searchDocuments(platform.readSession(ANN), 'SELECT * FROM Document')
  await platform.withSession(ANN, async (session) => {
    await searchDocuments(session, 'SELECT * FROM Document')
    await session.attempt(async ({ stores }) => stores.search.settled(0))
  })
  const inTransaction = { repository: 'default', isTransaction: true }
  expect(opened).toEqual([{ repository: 'default', isTransaction: false }, inTransaction, inTransaction])
})

test('rights follow from what the repository finds', async () => {
  const { file } = await bench.filledWorkspace()
  await expect(getDocument(platform.readSession(ANN), file.id)).resolves.toMatchObject({ id: file.id })
  const { id } = await bench.create('/default-domain/workspaces', 'File', 'hidden', {
    'dc:title': 'embargoed',
  })
  await expect(getDocument(platform.readSession(ANN), id)).rejects.toMatchObject({ code: 'notFound' })
})

test('the trash is emptied of what was put there in the same transaction', async () => {
  const { folder: parent, file } = await bench.filledWorkspace()
  await platform.withSession(ADMINISTRATOR, async (session) => {
    await trashDocument(session, await getDocument(session, file.id))
    expect(await emptyTrash(session, await getDocument(session, parent.id))).toBe(1)
  })
  await expect(bench.read(file.id)).rejects.toMatchObject({ code: 'notFound' })
})

test('a file of the same name, and a folder of the same title, are found for being overwritten', async () => {
  const parent = await bench.workspace()
  const variables = { currentDocument: input(parent) }
  const importOnce = async (content: string) =>
    documentOf(
      await run('FileManager.Import', {
        input: { type: 'blob', blob: await bench.storedBlob(content, 'same.pdf') },
        params: { overwite: true },
        variables,
      }),
    )
  expect((await importOnce('two')).id).toBe((await importOnce('one')).id)
  const createFolder = async () =>
    documentOf(
      await run('FileManager.CreateFolder', {
        input: input(parent),
        params: { title: 'Same', overwrite: true },
      }),
    )
  expect((await createFolder()).id).toBe((await createFolder()).id)
})

test('the domain of user workspaces is found when it is not the one of the rules', async () => {
  const bare = await createOperationBench({}, { search: lagging })
  afterAll(bare.close)
  await bare.run('Document.Move', {
    input: input(await bare.read('/default-domain')),
    params: { target: '/', name: 'renamed' },
  })
  const workspace = await bare.platform.withSession(ANN, getUserWorkspace)
  expect(workspace.path).toMatch(/^\/renamed\//)
})

test('nx-es-sync: true has the answer to a change wait for the index', async () => {
  const call = createClient(platform)
  const { id } = await bench.workspace()
  waits.length = 0
  const json = { 'entity-type': 'document', properties: { 'dc:title': 'waited for' } }
  const headers = { 'nx-es-sync': 'true' }
  expect((await call('PUT', `/api/v1/id/${id}`, { json })).status).toBe(200)
  expect((await call('GET', `/api/v1/id/${id}`, { headers })).status).toBe(200)
  expect(waits).toEqual([])
  expect((await call('PUT', `/api/v1/id/${id}`, { json, headers })).status).toBe(200)
  expect(waits).toEqual([60_000])
})

test('Elasticsearch.WaitForIndexing is false when the index has not caught up in time', async () => {
  const params = { timeoutSecond: 3 }
  expect(await run('Elasticsearch.WaitForIndexing', { params })).toEqual({ type: 'boolean', value: false })
  expect(waits.at(-1)).toBe(3_000)
})

test('the index has its health check, follows the content model, and is closed with the process', async () => {
  calls.length = 0
  const platform = await createTestPlatform({}, { search: lagging })
  const runtime = await createAutomationRuntime(platform)
  afterAll(runtime.close)
  expect(platform.healthChecks.map(({ name }) => name)).toEqual([
    'database',
    'notifications',
    'index',
    'blobs',
  ])
  await deployerOf(runtime)('types', 'Leaflet', { extends: 'File' })
  expect(calls).toEqual(['follow false', 'follow true'])
  await platform.close()
  expect(calls.at(-1)).toBe('close')
})
