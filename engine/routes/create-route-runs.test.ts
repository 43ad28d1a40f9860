import { expect, test, vi } from 'vitest'
import type { Principal } from '../../core/access/security/index.js'
import type { RouteCall } from '../../core/automation/routing/following/index.js'
import { createRouteRuns } from './create-route-runs.js'

const named = (name: string): Principal => ({ name, groups: [], identities: [name], isAdministrator: false })

const startOf = (principal: Principal, index: number): RouteCall => ({
  ...{ routeId: `${principal.name}-${index}`, modelId: 'model', initiator: principal.name, principal },
  ...{ requestId: 'request', command: { kind: 'start', wanted: { modelId: 'model', documentIds: [] } } },
})

test('what one user begins leaves places to others', async () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const executeUpdateWithStart = vi.fn((_: string, { args: [action] }: { args: [{ principal: string }] }) => {
    asked.push(action.principal)
    return new Promise<void>((resolve) => answers.push(resolve))
  })
  const client = {
    workflow: { executeUpdateWithStart },
    withDeadline: (_: number, work: () => unknown) => work(),
  }
  const runs = createRouteRuns({ client, taskQueue: 'queue' } as unknown as Parameters<
    typeof createRouteRuns
  >[0])

  const ofEve = Array.from({ length: 30 }, (_, index) => runs.act(startOf(named('eve'), index)))
  expect(asked).toEqual(Array.from({ length: 6 }, () => 'eve'))
  const ofAnn = runs.act(startOf(named('ann'), 0))
  expect(asked.at(-1)).toBe('ann')

  // Each that has ended lets the next one begin: all are answered.
  const answering = setInterval(() => {
    for (const answer of answers.splice(0)) answer()
  }, 1)
  await Promise.all([...ofEve, ofAnn])
  clearInterval(answering)
  expect(asked).toHaveLength(31)
})
