import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { scheduleIdOf } from '../../../../core/automation/runs/index.js'
import { cloudEventOf } from '../../../../core/automation/webhooks/index.js'
import { startDelivery, temporalOn } from '../../../../engine/index.js'
import { startChainSchedules } from '../../../../worker/chain-schedules.js'
import { createCliServer } from '../../support/cli-support.js'

const { cli, client, platform, url, administrator, file } = await createCliServer()
const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
const stop = await startChainSchedules({ connection, platform }, { lookMs: 500 })

const schedules = `${url}/api/v1/contributions/schedules`
const authorization = `Basic ${Buffer.from(`Administrator:${administrator.ARCHIVOLT_PASSWORD}`).toString('base64')}`
const schedule = (method: string, name: string, content?: object) =>
  fetch(`${schedules}/${name}`, {
    method,
    headers: { authorization, 'Content-Type': 'application/json' },
    ...(content && { body: JSON.stringify(content) }),
  })

const made = client.schedule.getHandle(scheduleIdOf(platform.settings.temporal.taskQueue, 'yearly'))

afterAll(async () => {
  await schedule('DELETE', 'yearly')
  // Its worker takes it out of the engine, which other tests share.
  await vi.waitFor(() => expect(made.describe()).rejects.toThrow(/not found/i), { timeout: 30_000 })
  await stop()
  await connection.close()
})

test('schedules are listed, and run at once', { timeout: 60_000 }, async () => {
  expect(
    (await cli(['deploy', await file('greet.yaml', '- Context.SetVar: {name: said, value: hello}\n')])).code,
  ).toBe(0)
  const { status } = await schedule('PUT', 'yearly', { chain: 'greet', cron: '0 0 0 1 1 ? 2099' })
  expect(status).toBe(201)
  await expect
    .poll(async () => (await cli(['schedules'])).out, { timeout: 30_000 })
    .toMatch(/^yearly +greet +0 0 0 1 1 \? 2099 UTC +Administrator +active +2099-01-01T00:00:00/m)
  const run = await cli(['trigger', 'yearly'])
  expect(run).toMatchObject({ code: 0, err: expect.stringMatching(/Run \S+schedule-yearly-\S+\n.*\[x\]/s) })
  expect(await cli(['trigger', 'no-such'])).toMatchObject({
    code: 6,
    err: expect.stringContaining("No schedule 'no-such' is deployed"),
  })
  expect(await cli(['trigger', 'yaerly'])).toMatchObject({
    code: 6,
    err: expect.stringContaining('No schedule \'yaerly\' is deployed, did you mean "yearly"?'),
  })
})

test('webhooks are listed with what was given up for them, which is delivered again', async () => {
  const events = { url: 'http://169.254.169.254/', events: ['documentLocked'] }
  const deployed = await fetch(`${url}/api/v1/contributions/webhooks/inside`, {
    ...{ method: 'PUT', headers: { authorization, 'Content-Type': 'application/json' } },
    body: JSON.stringify(events),
  })
  expect(deployed.status).toBe(201)
  expect((await cli(['webhooks'])).out).toMatch(
    /^inside +http:\/\/169.254.169.254\/ +documentLocked +not signed/m,
  )
  const event = cloudEventOf(
    {
      ...{ id: 1, event: 'documentLocked', documentId: null, principal: 'ann' },
      ...{ payload: {}, createdAt: new Date() },
    },
    { repository: 'default' },
  )
  const id = `webhook-${platform.settings.temporal.taskQueue}`
  await startDelivery(temporalOn(connection, platform), { id, webhook: 'inside', event, requestId: id })
  await expect
    .poll(async () => (await cli(['deliveries', '--webhook', 'inside', '--state', 'failed'])).out, {
      timeout: 30_000,
    })
    .toMatch(new RegExp(`^${id} +inside +documentLocked +- +failed .*is a private address`, 'm'))
  expect((await cli(['redeliver', '--all', 'inside'])).out).toBe(`${id}\n`)
  expect(await cli(['redeliver', 'no-such'])).toMatchObject({ code: 6 })
})

test('document workflows are listed, and followed again', { timeout: 60_000 }, async () => {
  expect(await cli(['workflows', '--stuck'])).toMatchObject({ code: 0, err: expect.stringContaining('None') })
  const started = await fetch(`${url}/api/v1/workflow`, {
    method: 'POST',
    headers: { authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }),
  })
  const { id } = (await started.json()) as { id: string }
  const listed = new RegExp(`^${id} +SerialDocumentReview +Administrator +\\S+ +Task38e +running`, 'm')
  await expect.poll(async () => (await cli(['workflows'])).out, { timeout: 30_000 }).toMatch(listed)
  expect((await cli(['workflows', '--model', 'ParallelDocumentReview'])).err).toContain('None runs')
  expect(await cli(['workflow-backlog'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^SerialDocumentReview +Task38e +\d+ open +\d+ overdue +20/m),
  })
  expect(await cli(['retry-workflow', id])).toMatchObject({
    code: 0,
    err: expect.stringContaining(`route/${id} goes on`),
  })
  expect((await cli(['retry-workflow', 'none'])).code).toBe(6)
  expect(await cli(['migrate-workflow', '--model', 'SerialDocumentReview', '--dry-run'])).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^\d+ can go on by the model/),
  })
  expect(await cli(['migrate-workflow', id])).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^1 go on/),
  })
  expect((await cli(['migrate-workflow'])).code).toBe(2)
})

test('a model of workflows is tried with the clock turned forward', { timeout: 60_000 }, async () => {
  const model = `routes:
  waiting:
    nodes:
      begin: { start: true, transitions: [{ name: go, targetId: ask }] }
      ask:
        hasTask: true
        taskAssigneesExpr: workflowInitiator
        taskDueDateExpr: CurrentDate.days(60)
        transitions: [{ name: go, targetId: end, condition: 'NodeVariables["button"] == "ok"' }]
        escalationRules:
        - { name: late, condition: timeSinceDueDateIsOver() >= 0, chain: voidChain }
      end: { stop: true }
`
  const asked = `startedAt: 2028-02-01T09:00:00Z
answers:
- { node: ask, after: P61D, button: ok }
- { node: nowhere, after: P1D, button: ok }
`
  const files = [
    ...['--model', await file('waiting.yaml', model)],
    ...['--case', await file('case.yaml', asked)],
  ]
  const { code, out, err } = await cli(['try-workflow', 'waiting', ...files])
  expect(code, err).toBe(0)
  expect(out.split('\n').filter((line) => !/entered|left/.test(line))).toEqual([
    '2028-02-01T09:00:00.000Z  waiting  workflow started',
    '2028-02-01T09:00:00.000Z  waiting  ask: task for Administrator, due 2028-04-01T09:00:00.000Z',
    '2028-04-01T09:00:00.000Z  waiting  ask: rule late runs chain voidChain',
    '2028-04-02T09:00:00.000Z  waiting  ask: Administrator answers ok',
    '2028-04-02T09:00:00.000Z  waiting  workflow ended: done',
    'Not used: the answer ok to nowhere',
    '',
  ])
  expect(JSON.parse((await cli(['try-workflow', 'waiting', ...files, '--json'])).out)).toMatchObject({
    state: 'done',
  })
  expect((await cli(['try-workflow', 'waiting'])).code).toBe(6)
  expect((await cli(['try-workflow', 'other', ...files])).code).toBe(2)
})
