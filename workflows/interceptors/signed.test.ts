import type { WorkflowInterceptors } from '@temporalio/workflow'
import { beforeEach, expect, test, vi } from 'vitest'

const info = { workflowType: 'chain', taskQueue: 'q', startTime: new Date(1), unsafe: { isReplaying: false } }
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<typeof import('@temporalio/workflow')>()),
  workflowInfo: () => info,
}))

let interceptors: WorkflowInterceptors
beforeEach(async () => {
  vi.resetModules()
  interceptors = (await import('./signed.js')).interceptors()
  info.unsafe.isReplaying = false
})

const run = (input: object) =>
  interceptors.inbound?.[0]?.execute?.({ headers: {}, args: [input] }, async () => 'done')
const step = (result: unknown) =>
  interceptors.outbound?.[0]?.scheduleActivity?.(
    { activityType: 'runSegment', headers: {}, args: [], options: {}, seq: 1 },
    async () => result,
  )

const UNSIGNED = { archivoltUnsignedUntil: 0 }
const REFUSED = { type: 'forbidden', nonRetryable: true }

test('a run of somebody else fails before its first step', async () => {
  await expect(run({ ...UNSIGNED })).rejects.toMatchObject(REFUSED)
})

test.each<[string, object, object]>([
  ['was started', UNSIGNED, {}],
  ['got a result', {}, UNSIGNED],
])(
  'a run that %s with a key that is no longer valid is replayed as it was, and fails at its next step',
  async (...[, start, result]) => {
    info.unsafe.isReplaying = true
    await expect(run({ ...start })).resolves.toBe('done')
    await expect(step({ ...result, state: 1 })).resolves.toEqual({ state: 1 })
    info.unsafe.isReplaying = false
    await expect(step({})).rejects.toMatchObject(REFUSED)
  },
)

test('a run of ours goes on behind its replay', async () => {
  info.unsafe.isReplaying = true
  await expect(run({})).resolves.toBe('done')
  info.unsafe.isReplaying = false
  await expect(step({ state: 1 })).resolves.toEqual({ state: 1 })
})
