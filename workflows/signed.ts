import { ApplicationFailure, type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow'
import type { MayBeUnsigned } from '../core/automation/run-store/index.js'

/** What the product does by itself, for nobody: there is nothing that could be forged. */
const WITHOUT_INPUT = ['accessUpkeep', 'blobCollection', 'housekeeping', 'mailDelivery']

const refuse = (what: string): ApplicationFailure =>
  ApplicationFailure.create({
    message: `${what} is not signed by this installation: nothing was done`,
    type: 'forbidden',
    nonRetryable: true,
    details: [{ code: 'forbidden', status: 403, details: [] }],
  })

/** @throws ApplicationFailure, final, for what nobody of this installation has written. */
const requireSigned = <Value>(value: Value, what: string): Value => {
  if (typeof value !== 'object' || value === null) return value
  const marked: MayBeUnsigned = value
  const { archivoltUnsignedUntil: until } = marked
  if (until === undefined) return value
  if (workflowInfo().startTime.getTime() >= until) throw refuse(what)
  delete marked.archivoltUnsignedUntil
  return value
}

const requireSignedStart = (args: readonly unknown[]): void => {
  if (WITHOUT_INPUT.includes(workflowInfo().workflowType)) return
  const [input] = args
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw refuse('The start of the run')
  for (const argument of args) requireSigned(argument, 'The start of the run')
}

/**
 * Lets a run act on nothing but what processes of this installation have written: its start, and the results of its
 * activities and children. Whoever reaches Temporal can write all of them.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: async (input, next) => {
        requireSignedStart(input.args)
        return next(input)
      },
    },
  ],
  outbound: [
    {
      scheduleActivity: (input, next) =>
        next(input).then((result) => requireSigned(result, `The result of ${input.activityType}`)),
      scheduleLocalActivity: (input, next) =>
        next(input).then((result) => requireSigned(result, `The result of ${input.activityType}`)),
      startChildWorkflowExecution: async (input, next) => {
        const [started, ended] = await next(input)
        const checked = ended.then((result) => requireSigned(result, 'The result of a child'))
        // Whoever does not wait for it, hears of its failure from `started`.
        checked.catch(() => undefined)
        return [started, checked]
      },
    },
  ],
})
