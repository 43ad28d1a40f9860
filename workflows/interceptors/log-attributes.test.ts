import { ActivityFailure, ApplicationFailure } from '@temporalio/common'
import type { Next, WorkflowInboundCallsInterceptor } from '@temporalio/workflow'
import { expect, test } from 'vitest'
import { interceptors } from './log-attributes.js'

type Execute = Next<WorkflowInboundCallsInterceptor, 'execute'>

/** The attributes of a line logged after a workflow with this input and this end. */
const attributesAfter = async (args: unknown[], execute: Execute): Promise<object> => {
  const { inbound, outbound } = interceptors()
  await inbound?.[0]?.execute?.({ args, headers: {} }, execute).catch(() => undefined)
  return outbound?.[0]?.getLogAttributes?.({ workflowId: 'w1' }, (attributes) => attributes) ?? {}
}

const failingWith =
  (status: number): Execute =>
  async () => {
    const detail = { code: 'code', status, details: [] }
    const cause = ApplicationFailure.create({ message: '/nowhere', details: [detail] })
    throw new ActivityFailure('failed', 'runSegment', '1', 'IN_PROGRESS', 'worker', cause)
  }

test.each<[string, unknown[], Execute, object]>([
  ['a run that ends well', [{ requestId: 'r1' }], async () => undefined, { requestId: 'r1' }],
  [
    'a mistake of the caller',
    [{ requestId: 'r1' }],
    failingWith(404),
    { requestId: 'r1', mistake: { code: 'code', status: 404, reason: '/nowhere' } },
  ],
  ['a fault', [{ requestId: 'r1' }], failingWith(500), { requestId: 'r1' }],
  ['a workflow without input', [], async () => undefined, {}],
])('%s', async (_, args, execute, expected) => {
  expect(await attributesAfter(args, execute)).toEqual({ workflowId: 'w1', ...expected })
})
