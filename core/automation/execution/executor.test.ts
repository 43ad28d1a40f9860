import { expect, test, vi } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import { createRegistry, defineOperation, type OperationServices, VOID } from '../language/index.js'
import { createMemoryUnits } from '../run-store/memory.fixture.js'
import { executionOf, type SegmentDependencies } from './execution-of.js'
import { executeTarget } from './executor.js'

const ANN = principalOf('ann', [], false)
const BOB = principalOf('bob', [], false)

test('services are made for who acts once, however many steps use them', async () => {
  const used: OperationServices[] = []
  const use = defineOperation({
    id: 'Test.Use',
    label: 'Use',
    category: 'Test',
    description: 'Uses the services, in the end as somebody else',
    params: { as: { type: 'string', required: false, description: 'Who acts from now on' } },
    methods: ({ method }) => [
      method('void', 'void', async ({ context: { services, login }, params }) => {
        used.push(services)
        if (params.as !== undefined) login(BOB)
        return VOID
      }),
    ],
  })
  const ownedBy = vi.fn((owner: { name: string }) => ({ write: owner.name }))
  const step = { operation: 'Test.Use', params: {} }
  const asBob = { operation: 'Test.Use', params: { as: 'bob' } }
  const chain = { id: 'several', aliases: [], params: [], steps: [step, step, asBob, step, step] }
  const dependencies = {
    registry: createRegistry([use], [chain]),
    services: { blobs: { ownedBy } },
    expressions: {},
    scripts: { openRunner: () => undefined },
  } as unknown as SegmentDependencies
  await createMemoryUnits().units.transaction(ANN, (unit) =>
    executeTarget(executionOf(dependencies, unit, { chains: {}, signal: new AbortController().signal }), {
      caller: { operation: 'several', params: {} },
      id: 'several',
      input: VOID,
      variables: {},
      isolate: false,
    }),
  )
  expect(used.map(({ blobs }) => blobs.write)).toEqual(['ann', 'ann', 'ann', 'bob', 'bob'])
  expect(ownedBy).toHaveBeenCalledTimes(2)
})
