import { randomUUID } from 'node:crypto'
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { principalOf } from '../../../../core/access/security/index.js'
import type { ChainDefinition } from '../../../../core/automation/language/index.js'
import { planRun } from '../../../../core/automation/planning/index.js'
import { createTestAutomation } from '../../../support/automation.js'
import { soon } from '../../../support/soon.js'
import { uniqueName } from '../../../support/template.js'

/** What somebody does who reaches Temporal's port, but has no key of the installation. */
const { platform, settings, runs, registry, define, client } = await createTestAutomation()
const { taskQueue } = settings.temporal
const connection = await Connection.connect({ address: inject('temporalAddress') })
const foreign = new Client({ connection })
afterAll(() => connection.close())

const ADMINISTRATOR = principalOf('Administrator', ['administrators'], true)

const making = (name: string): ChainDefinition => ({
  id: `make-${name}`,
  aliases: [],
  params: [],
  steps: [
    { operation: 'Repository.GetDocument', params: { value: '/' } },
    { operation: 'Document.Create', params: { type: 'Folder', name } },
  ],
})

const folders = async (name: string): Promise<number> =>
  (await platform.database.sql`SELECT FROM documents WHERE name = ${name}`).count

const request = { input: { type: 'void' as const }, params: {}, variables: {} }

/** The input of a run which differs from one of ours by its signature alone. */
const inputOf = (chain: ChainDefinition) =>
  planRun(
    { chain, registry: registry(), request, principal: ADMINISTRATOR, requestId: 'forged' },
    { units: platform.units },
  )

const failureOf = async (handle: WorkflowHandle): Promise<ApplicationFailure> => {
  const error: unknown = await handle.result().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof WorkflowFailedError)) throw new Error(`The run has not failed: ${error}`)
  if (!(error.cause instanceof ApplicationFailure)) throw error
  return error.cause
}

const REFUSED = {
  type: 'forbidden',
  nonRetryable: true,
  message: expect.stringContaining('is not signed by this installation: nothing was done'),
}

const ANOTHER_START = {
  ...REFUSED,
  message: 'The start of the run was signed for another start, or more than a day before: nothing was done',
}

/** A run of ours that has ended. */
const ended = async (name: string): Promise<string> => {
  const chain = making(name)
  define(chain)
  const id = await runs.start({
    chain,
    registry: registry(),
    request,
    principal: ADMINISTRATOR,
    requestId: 'ours',
  })
  await runs.result(id, ADMINISTRATOR)
  return id
}

/** What Temporal keeps as the input of a run: whoever reaches it reads that. */
const startOf = async (workflowId: string) => {
  const { events } = await foreign.workflow.getHandle(workflowId).fetchHistory()
  const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]
  if (!payload) throw new Error('The run has no input')
  return defaultPayloadConverter.fromPayload<object>(payload)
}

describe('a run that was started by somebody else', () => {
  test('fails for good before it does anything', async () => {
    const name = uniqueName('forged')
    const args = [await inputOf(making(name))]
    const handle = await foreign.workflow.start('chain', { taskQueue, workflowId: randomUUID(), args })
    expect(await failureOf(handle)).toMatchObject(REFUSED)
    expect(await folders(name)).toBe(0)
  })

  test.each(['chain', 'bulk', 'conversion', 'scheduledChain', 'scheduledEvent'])(
    'fails as %s, with any input and without one',
    async (workflow) => {
      for (const args of [[], [{}], ['text'], [{ archivoltUnsignedUntil: 9e15 }]]) {
        const handle = await foreign.workflow.start(workflow, { taskQueue, workflowId: randomUUID(), args })
        expect(await failureOf(handle)).toMatchObject(REFUSED)
      }
    },
  )

  test('is not started with a signature that was given to another run', async () => {
    const name = uniqueName('copied')
    const input = await startOf(await ended(name))
    const handle = await foreign.workflow.start('chain', {
      taskQueue,
      workflowId: randomUUID(),
      args: [input],
    })
    expect(await failureOf(handle)).toMatchObject(REFUSED)
    expect(await folders(name)).toBe(1)
  })

  test('is not started as another workflow, on another queue, or a day after its input was written', async () => {
    const id = await ended(uniqueName('bound'))
    const input = await startOf(id)
    const other = await foreign.workflow.start('conversion', { taskQueue, workflowId: id, args: [input] })
    expect(await failureOf(other)).toMatchObject(ANOTHER_START)

    const chain = making(uniqueName('late'))
    const late = async (start: object) => {
      const bound = { workflow: 'chain', taskQueue, until: Date.now() + 60_000, ...start }
      const args = [{ ...(await inputOf(chain)), archivoltStart: bound }]
      return client.workflow.start('chain', { taskQueue, workflowId: randomUUID(), args })
    }
    for (const start of [{ until: Date.now() - 60_000 }, { taskQueue: 'another' }]) {
      const handle = await late(start)
      expect(await failureOf(handle)).toMatchObject(ANOTHER_START)
    }
    expect(await folders(chain.id.slice('make-'.length))).toBe(0)
    expect(await (await late({})).result()).toHaveProperty('state')
  })

  test('gets no signature by being retried', async () => {
    const chain = making(uniqueName('retried'))
    define(chain)
    const handle = await foreign.workflow.start('chain', {
      taskQueue,
      workflowId: randomUUID(),
      args: [await inputOf(chain)],
      memo: { principal: ADMINISTRATOR.name },
    })
    await failureOf(handle)
    for (const latest of [registry(), undefined])
      await expect(runs.retry(handle.workflowId, ADMINISTRATOR, latest)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('is not signed by this installation'),
      })
    expect(await folders(chain.id.slice('make-'.length))).toBe(0)
  })
})

describe('a run of ours', () => {
  test('may be started again with the input that the Temporal UI shows, under its id', async () => {
    const id = await ended(uniqueName('again'))
    const input = JSON.parse(JSON.stringify(await startOf(id), undefined, 2))
    const handle = await foreign.workflow.start('chain', { taskQueue, workflowId: id, args: [input] })
    expect(await client.workflow.getHandle(handle.workflowId).result()).toHaveProperty('state')
  })

  test('may be reset by an operator', async () => {
    const name = uniqueName('reset')
    const id = await ended(name)
    const { events } = await foreign.workflow.getHandle(id).fetchHistory()
    const task = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId
    await foreign.workflowService.resetWorkflowExecution({
      namespace: settings.temporal.namespace,
      workflowExecution: { workflowId: id },
      reason: 'by hand',
      workflowTaskFinishEventId: task ?? null,
      requestId: randomUUID(),
    })
    expect(await client.workflow.getHandle(id).result()).toHaveProperty('state')
    expect(await folders(name)).toBe(1)
  })
})

test('runs of another installation in the namespace are neither listed nor found', async () => {
  const own = await ended(uniqueName('listed'))
  const others = await foreign.workflow.start('chain', {
    taskQueue: uniqueName('another'),
    workflowId: randomUUID(),
  })
  const noCommand = await foreign.workflow.start('bulk', { taskQueue, workflowId: randomUUID(), args: [{}] })
  await failureOf(noCommand)
  const listed = async () => {
    const halves = [true, false].map((isRunning) => runs.list({ isRunning, filter: {}, limit: 1_000 }))
    return (await Promise.all(halves)).flat().map(({ workflowId }) => workflowId)
  }
  const known = (id: string) => foreign.workflow.count(`WorkflowId = '${id}'`)
  await soon(async () => {
    expect(await listed()).toContain(own)
    for (const { workflowId } of [others, noCommand]) expect((await known(workflowId)).count).toBe(1)
  })
  const ids = await listed()
  for (const { workflowId } of [others, noCommand]) expect(ids).not.toContain(workflowId)
  await expect(runs.find(others.workflowId, ADMINISTRATOR)).rejects.toMatchObject({ code: 'notFound' })
  await others.terminate()
})

/** A workflow of somebody else, on a task queue of his own, that schedules an activity on ours. */
const scheduleByHand = async (activity: string, input: object): Promise<string> => {
  const { namespace } = settings.temporal
  const own = uniqueName('foreign')
  const { workflowId } = await foreign.workflow.start('foreign', { taskQueue: own, workflowId: own })
  const poll = () =>
    connection.withDeadline(Date.now() + 60_000, () =>
      foreign.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: own } }),
    )
  const first = await poll()
  await foreign.workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken: first.taskToken,
    commands: [
      {
        commandType: 1,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name: activity },
          taskQueue: { name: taskQueue },
          input: { payloads: [defaultPayloadConverter.toPayload(input)!] },
          startToCloseTimeout: { seconds: 30 as never },
          scheduleToCloseTimeout: { seconds: 60 as never },
        },
      },
    ],
  })
  await poll()
  const { events } = await foreign.workflow.getHandle(workflowId).fetchHistory()
  await foreign.workflow.getHandle(workflowId).terminate()
  const failure = events?.find((event) => event.activityTaskFailedEventAttributes)
  return failure?.activityTaskFailedEventAttributes?.failure?.message ?? 'The activity has not failed'
}

test('an activity that a workflow of somebody else schedules is refused', async () => {
  const name = uniqueName('scheduled')
  const { plan, ...rest } = await inputOf(making(name))
  const input = { ...rest, workflowId: 'w', step: '0', chains: plan.chains, steps: making(name).steps }
  expect(await scheduleByHand('runSegment', input)).toMatch(/not signed by this installation/)
  expect(await folders(name)).toBe(0)
})
