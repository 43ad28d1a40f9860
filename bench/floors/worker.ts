/** A bare Temporal worker: no product, one local activity with one transaction. Arguments: Temporal, Postgres. */
import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import postgres from 'postgres'
import { createTables } from './tables.js'

const FLOOR_QUEUE = 'floor'

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

  /** What a workflow writes that starts and makes a task: both are documents, with their state and events. */
  begin: (id: string): Promise<string> =>
    sql.begin(async (tx) => {
      await tx`
        INSERT INTO floor.documents (name, type, properties)
        VALUES (${`route-${id}`}, 'DocumentRoute', ${tx.json({ state: 'running' })}),
          (${`task-${id}`}, 'RoutingTask', ${tx.json({ state: 'opened' })})`
      await tx`INSERT INTO floor.routes (id, state) VALUES (${id}, ${tx.json({ status: 'running' })})`
      await tx`
        INSERT INTO floor.outbox (event)
        VALUES ('documentCreated'), ('documentCreated'), ('afterWorkflowStarted'), ('afterWorkflowTaskCreated')`
      return id
    }),

  /** What it writes when its task is ended, and it with it. */
  finish: (id: string): Promise<string> =>
    sql.begin(async (tx) => {
      await tx`SELECT state FROM floor.routes WHERE id = ${id} FOR UPDATE`
      for (const name of [`task-${id}`, `route-${id}`])
        await tx`
          UPDATE floor.documents SET token = token + 1, properties = ${tx.json({ state: 'ended' })}
          WHERE parent_id IS NULL AND name = ${name}`
      await tx`UPDATE floor.routes SET state = ${tx.json({ status: 'done' })} WHERE id = ${id}`
      await tx`
        INSERT INTO floor.outbox (event)
        VALUES ('lifecycle_transition_event'), ('lifecycle_transition_event'), ('afterWorkflowTaskEnded'),
          ('afterWorkflowFinish')`
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
