import { Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { BulkInput } from '../activities/types.js'
import type { Settings } from '../core/platform/settings/index.js'
import type { Platform } from '../runtime/index.js'
import { BULK_CHANNEL, createBulkStore, type Sql } from '../storage/postgres/index.js'
import { bulkRunId } from './bulk-run-id.js'
import { runAttributes } from './search-attributes.js'

/** What was not heard of, e.g. while Temporal was away, is looked for as often. */
const LOOK_MS = 15_000

/**
 * Starts bulk commands as soon as the transactions that give them have committed, and those that have waited since
 * before. A command is started once, by its id, however many workers hear of it.
 *
 * @returns what ends the listening.
 */
export const startBulkOnDemand = async ({
  connection,
  settings: { temporal },
  platform,
  logger,
}: {
  connection: NativeConnection
  settings: Pick<Settings, 'temporal'>
  platform: Pick<Platform, 'repositories' | 'repository'>
  logger: Logger
}): Promise<() => Promise<void>> => {
  const client = new Client({ connection, namespace: temporal.namespace })

  const startOne = async (
    input: BulkInput,
    { action, repairs }: { action: string; repairs: string | null },
  ): Promise<void> => {
    try {
      await client.workflow.start('bulk', {
        taskQueue: temporal.taskQueue,
        workflowId: bulkRunId(input.commandId),
        // A command that was aborted may go on. One that has ended finds that it has.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        args: [input],
        staticSummary: `bulk ${action}`,
        memo: {
          principal: input.principal,
          requestId: input.requestId,
          ...(input.repository !== undefined && { repository: input.repository }),
          ...(repairs !== null && { repairs: bulkRunId(repairs) }),
        },
        typedSearchAttributes: runAttributes({
          chainId: `bulk ${action}`,
          principal: input.principal,
          requestId: input.requestId,
        }),
      })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }

  const startWaiting = async (sql: Sql, repository: string | undefined): Promise<void> => {
    try {
      const store = createBulkStore(sql)
      for (const { id, principal, requestId, eventDepth, ...about } of await store.waiting()) {
        const place = { ...(repository && { repository }), ...(eventDepth > 0 && { eventDepth }) }
        await startOne({ commandId: id, principal, requestId, ...place }, about)
        await store.markStarted(id)
      }
    } catch (error) {
      logger.warn(error, 'bulk commands could not be started; they will be tried again')
    }
  }

  const listeners = await Promise.all(
    [...platform.repositories].map(async ([name, { database }]) => {
      const look = () => void startWaiting(database.sql, name === platform.repository ? undefined : name)
      const listener = await database.sql.listen(BULK_CHANNEL, look, look)
      return { listener, timer: setInterval(look, LOOK_MS) }
    }),
  )
  return async () => {
    for (const { listener, timer } of listeners) {
      clearInterval(timer)
      await listener.unlisten()
    }
  }
}
