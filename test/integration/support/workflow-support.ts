import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { createDocument } from '../../../core/content/documents/index.js'
import { ensureSearchAttributes } from '../../../engine/index.js'
import { createAutomationRuntime } from '../../../runtime/index.js'
import { startRoutesOnDemand } from '../../../worker/on-demand/routes.js'
import { soon } from '../../support/soon.js'
import { startTestWorker } from '../../support/start-worker.js'
import { uniqueName } from '../../support/template.js'
import { ADMINISTRATOR } from './operations-support.js'
import { type Answer, addUser, createClient, type Entity } from './rest-client.js'
import { createTestPlatform } from './rest-support.js'

export const API = '/api/v1'

/** The API with a worker that follows workflows of documents, and what their tests ask of it. */
export const createWorkflowBench = async (env: NodeJS.ProcessEnv = {}) => {
  const address = inject('temporalAddress')
  const platform = await createTestPlatform({
    TEMPORAL_ADDRESS: address,
    ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
    ...env,
  })
  const { settings } = platform
  const runtime = await createAutomationRuntime(platform)
  const engine = await createEngine(platform)
  const call = createClient(platform, engine)
  for (const user of ['ann', 'bob', 'eve']) await addUser(platform, user)
  const connection = await NativeConnection.connect({ address })
  await ensureSearchAttributes(connection, settings.temporal.namespace)
  const client = new Client({ connection: await Connection.connect({ address }) })
  const stopRoutes = await startRoutesOnDemand({ connection, platform })
  const startWorker = () => startTestWorker({ connection, settings, platform, runtime })
  let stop = await startWorker()

  afterAll(async () => {
    await stop()
    await stopRoutes()
    await client.connection.close()
    await engine.close()
    await runtime.close()
    await connection.close()
  })

  const ok = async (answer: Promise<Answer>, status = 200): Promise<Entity> => {
    const { status: found, json, text } = await answer
    expect(found, text).toBe(status)
    return json
  }

  /** Open tasks of a user in a workflow. */
  const tasks = async (user: string, workflow: string): Promise<Entity[]> => {
    const query = new URLSearchParams({ userId: user, workflowInstanceId: workflow })
    return (await ok(call('GET', `${API}/task?${query}`, { user }))).entries
  }

  return {
    platform,
    client,
    call,
    ok,

    /** A new file that ann may read and write, and bob and eve may read. @returns its id. */
    file: async (): Promise<string> => {
      const { id } = await platform.withSession(ADMINISTRATOR, (session) =>
        createDocument(session, { parent: '/', type: 'File', name: uniqueName('file') }),
      )
      await ok(
        call('POST', `${API}/automation/Document.AddPermission`, {
          json: { input: `doc:${id}`, params: { username: 'ann', permission: 'ReadWrite' } },
        }),
      )
      return id
    },

    /** Deploys a model of workflows, or another contribution. */
    deploy: (point: string, name: string, text: string) =>
      call('PUT', `${API}/contributions/${point}/${name}`, {
        body: text,
        headers: { 'Content-Type': 'application/yaml' },
      }),

    start: async (
      model: string,
      documents: string[],
      { user = 'ann', variables = {} } = {},
    ): Promise<Entity> =>
      ok(
        call('POST', `${API}/workflow`, {
          user,
          json: {
            'entity-type': 'workflow',
            workflowModelName: model,
            attachedDocumentIds: documents,
            variables,
          },
        }),
        201,
      ),

    tasks,

    /** The one open task of a user in a workflow. */
    only: async (user: string, workflow: string): Promise<Entity> => {
      const found = await tasks(user, workflow)
      expect(found).toHaveLength(1)
      return found[0]!
    },

    complete: (
      user: string,
      task: { id: string },
      action: string,
      { comment = '', variables = {} }: { comment?: string; variables?: object } = {},
    ) =>
      call('PUT', `${API}/task/${task.id}/${action}`, {
        user,
        json: { 'entity-type': 'task', id: task.id, comment, variables },
      }),

    workflow: (id: string) => ok(call('GET', `${API}/workflow/${id}`)),

    document: (id: string) => ok(call('GET', `${API}/id/${id}`)),

    restartWorker: async () => {
      await stop()
      stop = await startWorker()
    },

    /** Waits until Temporal says so of the workflow of a route. */
    statusInTemporal: (id: string, status: string) =>
      soon(async () =>
        expect((await client.workflow.getHandle(`route/${id}`).describe()).status.name).toBe(status),
      ),
  }
}
