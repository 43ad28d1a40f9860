/** A bare Temporal worker: no product, one local activity with one transaction. Arguments: Temporal, Postgres. */
import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import postgres from 'postgres'
import { createTables } from './tables.js'

const FLOOR_QUEUE = 'floor'

type Tx = postgres.TransactionSql

/** As large as those of the product for the workflow that is measured (`bench/automation/workflow.ts`). */
const NODE = { state: 'ready', count: 0, variables: {}, results: {}, tasks: [], rules: {}, startDate: null }
const STATE = { status: 'running', variables: {}, nodes: { begin: NODE, ask: NODE, end: NODE } }
const STEP = {
  hasTask: true,
  title: '',
  variables: {},
  transitions: [],
  escalationRules: [],
  taskButtons: [],
}
const MODEL = { title: '', variables: {}, nodes: { begin: STEP, ask: STEP, end: STEP } }
const INFOS = {
  ...{ modelId: 'bench-review', modelName: 'bench-review', workflowInitiator: 'Administrator' },
  ...{ taskName: 'ask', taskActor: 'Administrator', nodeVariables: NODE, workflowVariables: {} },
}

const emit = async (tx: Tx, events: readonly (readonly [string, string])[]): Promise<void> => {
  const rows = events.map(([event, id]) => ({ event, id, payload: { category: 'Routing', infos: INFOS } }))
  await tx`
    INSERT INTO floor.outbox (event, document_id, payload)
    SELECT e.event, e.id, e.payload FROM jsonb_to_recordset(${tx.json(rows)}) AS e(event text, id uuid, payload jsonb)`
}

/** A document that one user may read. */
const createHeld = async (
  tx: Tx,
  { name, type, state }: { name: string; type: string; state: string },
): Promise<string> => {
  const properties = {
    'dc:title': name,
    'dc:creator': 'Administrator',
    state,
    'nt:actors': ['Administrator'],
  }
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO floor.documents (name, type, properties)
    VALUES (${name}, ${type}, ${tx.json(properties)}) RETURNING id`
  const id = row?.id ?? ''
  await tx`
    WITH entry AS (
      INSERT INTO floor.entries (document_id, position, username, permission)
      VALUES (${id}, 1, 'Administrator', 'ReadWrite')
    )
    INSERT INTO floor.scopes (document_id, path, acl)
    VALUES (${id}, ${`/${name}`}, ${tx.json([{ username: 'Administrator', permission: 'ReadWrite' }])})`
  await emit(tx, [
    ['documentCreated', id],
    ['documentSecurityUpdated', id],
  ])
  return id
}

/** Takes a document to another state. @returns its id. */
const follow = async (tx: Tx, { name, state }: { name: string; state: string }): Promise<string> => {
  const [row] = await tx<{ id: string; properties: object }[]>`
    SELECT id, properties FROM floor.documents WHERE parent_id IS NULL AND name = ${name}`
  const id = row?.id ?? ''
  await tx`
    UPDATE floor.documents SET token = token + 1, properties = properties || ${tx.json({ state })} WHERE id = ${id}`
  return id
}

const findReceipt = (tx: Tx, id: string, step: string) =>
  tx`SELECT result FROM floor.receipts WHERE workflow_id = ${id} AND step = ${step}`

const record = (tx: Tx, id: string, step: string) =>
  tx`INSERT INTO floor.receipts (workflow_id, step, result) VALUES (${id}, ${step}, ${tx.json(STATE)})`

const createActivities = (sql: postgres.Sql) => ({
  insert: (name: string): Promise<string> =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ id: string }[]>`
        INSERT INTO floor.documents (name, type, properties)
        VALUES (${name}, 'File', ${tx.json({ 'dc:title': name })}) RETURNING id`
      const id = row?.id ?? ''
      await tx`INSERT INTO floor.outbox (event, document_id) VALUES ('documentCreated', ${id})`
      return id
    }),

  /**
   * What a workflow writes that starts and makes a task: both are documents with a state, an ACL and a scope of their
   * own, and events that say what has happened; the move has a receipt.
   */
  begin: (id: string): Promise<string> =>
    sql.begin(async (tx) => {
      await findReceipt(tx, id, 'begin')
      const routeId = await createHeld(tx, { name: `route-${id}`, type: 'DocumentRoute', state: 'ready' })
      await tx`INSERT INTO floor.routes (id, model, state) VALUES (${id}, ${tx.json(MODEL)}, ${tx.json(STATE)})`
      const taskId = await createHeld(tx, { name: `task-${id}`, type: 'RoutingTask', state: 'opened' })
      await follow(tx, { name: `route-${id}`, state: 'running' })
      await tx`UPDATE floor.routes SET state = ${tx.json(STATE)}, revision = revision + 1 WHERE id = ${id}`
      await emit(tx, [
        ['afterWorkflowStarted', routeId],
        ['afterWorkflowTaskCreated', taskId],
        ['lifecycle_transition_event', routeId],
      ])
      await record(tx, id, 'begin')
      return id
    }),

  /** What it writes when its task is ended, and it with it. */
  finish: (id: string): Promise<string> =>
    sql.begin(async (tx) => {
      await findReceipt(tx, id, 'finish')
      await tx`SELECT model, state FROM floor.routes WHERE id = ${id} FOR UPDATE`
      const taskId = await follow(tx, { name: `task-${id}`, state: 'ended' })
      const routeId = await follow(tx, { name: `route-${id}`, state: 'done' })
      await tx`UPDATE floor.routes SET state = ${tx.json(STATE)}, revision = revision + 1 WHERE id = ${id}`
      await emit(tx, [
        ['lifecycle_transition_event', taskId],
        ['lifecycle_transition_event', routeId],
        ['afterWorkflowTaskEnded', taskId],
        ['afterWorkflowFinish', routeId],
      ])
      await record(tx, id, 'finish')
      return id
    }),
})

export type BareActivities = ReturnType<typeof createActivities>

const main = async (address: string, databaseUrl: string): Promise<void> => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const sql = postgres(databaseUrl, { max: 20, onnotice: () => undefined })
  await createTables(sql)
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue: FLOOR_QUEUE,
    workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
    activities: createActivities(sql),
    maxCachedWorkflows: 2_000,
    maxConcurrentWorkflowTaskExecutions: 40,
  })
  process.stdout.write('ready\n')
  await worker.run()
  await sql.end()
  await connection.close()
}

const [address, databaseUrl] = process.argv.slice(2)
if (address && databaseUrl) await main(address, databaseUrl)
