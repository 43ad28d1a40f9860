import { expect, test } from 'vitest'
import { createAutomationRuntime, purgeRoutes } from '../../../../runtime/index.js'
import { soon } from '../../../support/soon.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { platform, call, ok, file, start, tasks, workflow, deploy, statusInTemporal } =
  await createWorkflowBench()

const MODEL = `nodes:
  begin: { start: true, transitions: [{ name: go, targetId: ask }] }
  ask:
    hasTask: true
    taskAssignees: [bob]
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`

test('a workflow goes with the last document that it is about: cancelled first, then removed with its tasks', async () => {
  await ok(deploy('routes', 'purged', MODEL), 201)
  const [one, other] = [await file(), await file()]
  const [both, single, none] = [
    await start('purged', [one, other], { user: 'Administrator' }),
    await start('purged', [one], { user: 'Administrator' }),
    await start('purged', [], { user: 'Administrator' }),
  ]
  const [task] = await tasks('bob', single.id)
  const runtime = await createAutomationRuntime(platform)
  const purge = () => purgeRoutes(platform, runtime, new AbortController().signal)
  try {
    expect(await purge()).toBe(0)
    expect((await call('DELETE', `${API}/id/${one}`)).status).toBe(204)
    expect(await purge()).toBe(0)
    expect(await workflow(single.id)).toMatchObject({ state: 'canceled' })
    expect(await ok(call('GET', `${API}/task/${task!.id}`))).toMatchObject({ state: 'cancelled' })
    await soon(async () => expect(await purge()).toBe(1))
    for (const path of [`workflow/${single.id}`, `task/${task!.id}`])
      expect((await call('GET', `${API}/${path}`)).status).toBe(404)
    expect(await platform.database.sql`SELECT FROM routes WHERE id = ${single.id}`).toHaveLength(0)
    for (const { id } of [both, none]) expect(await workflow(id)).toMatchObject({ state: 'running' })
    await statusInTemporal(single.id, 'COMPLETED')
  } finally {
    await runtime.close()
  }
})
