import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Principal } from '../../../../core/access/security/index.js'
import { recordTraces, runOperation } from '../../../../core/automation/execution/index.js'
import { type ChainStep, type Value, VOID } from '../../../../core/automation/language/index.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { createAutomationRuntime } from '../../../../runtime/index.js'
import { ADMINISTRATOR, ANN, createOperationBench, input } from '../../support/operations-support.js'

// One connection, so that what is set on it holds for every statement.
const bench = await createOperationBench({ ARCHIVOLT_DATABASE_POOL: '1' })
const runtime = await createAutomationRuntime(bench.platform, {
  traces: async () => [{ startedAt: new Date(0), text: async () => 'a run' }],
})
afterAll(async () => {
  await runtime.close()
  await bench.close()
})

const { folder, file } = await bench.filledWorkspace()
await bench.run('Document.CreateVersion', { input: input(file), params: { increment: 'Minor' } })

beforeAll(async () => {
  recordTraces(runtime.segments().services.recording, true)
  await bench.platform.database.sql`SET default_transaction_read_only = on`
})

const QUERY = "SELECT * FROM Document WHERE ecm:primaryType = 'File'"
const CALLS: {
  [id: string]: { input?: Value; params?: ChainStep['params']; callers?: readonly Principal[] }
} = {
  'Context.FetchDocument': { input: input(file) },
  'Repository.GetDocument': { params: { value: file.id } },
  'Document.FetchByProperty': { params: { property: 'dc:title', values: 'A file' } },
  'Repository.Query': { params: { query: QUERY } },
  'Repository.ResultSetQuery': { params: { query: 'SELECT dc:title FROM File' } },
  'Document.GetChildren': { input: input(folder) },
  'Document.GetChild': { input: input(folder), params: { name: 'file' } },
  'Document.GetParent': { input: input(file) },
  'Document.GetVersions': { input: input(file) },
  'Document.GetLastVersion': { input: input(file) },
  // Of a document without a file it makes one.
  'Document.GetBlob': { input: input(folder) },
  'Document.GetBlobs': { input: input(file) },
  'Document.GetBlobsByProperty': { input: input(file) },
  'Elasticsearch.WaitForIndexing': {},
  'Search.SuggestersLauncher': { params: { searchTerm: 'a' } },
  'Counters.GET': { params: { counterNames: 'none' } },
  'Audit.Query': {
    params: { query: "from LogEntry log where log.eventId = 'none'" },
    callers: [ADMINISTRATOR],
  },
  'Audit.QueryWithPageProvider': { callers: [ADMINISTRATOR] },
  'Workflow.GetOpenTasks': { input: input(file) },
  'Workflow.UserTaskPageProvider': {},
  'Task.GetAssigned': {},
  'Context.GetTaskNames': {},
  'Traces.Get': { params: { traceKey: 'x' }, callers: [ADMINISTRATOR] },
}

const readOnly = operations.filter(({ isReadOnly }) => isReadOnly)

test.each(readOnly.map(({ id }) => [id]))('%s, called alone, reads outside of a transaction', async (id) => {
  const { units, ...segments } = await runtime.segments()
  const transaction = () => Promise.reject(new Error('A transaction was opened'))
  const { input: given = VOID, params = {}, callers = [ADMINISTRATOR, ANN] } = CALLS[id]!
  for (const principal of callers) {
    const output = await runOperation(
      { ...segments, units: { ...units, transaction } },
      {
        principal,
        call: { operation: id, input: given, params, variables: {} },
        signal: new AbortController().signal,
      },
    )
    expect(output).not.toEqual(VOID)
  }
})

test('the database refuses here what writes', async () => {
  await expect(
    bench.run('Document.SetProperty', { input: input(file), params: { xpath: 'dc:title', value: 'x' } }),
  ).rejects.toMatchObject({ code: '25006' })
})
