import { ApplicationFailure, type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow'
import type { BoundToStart, MayBeUnsigned } from '../../core/automation/run-store/index.js'

/** What the product does by itself, for nobody: without an input there is nothing that could be forged. */
const WITHOUT_INPUT = ['accessUpkeep', 'blobCollection', 'housekeeping', 'mailDelivery']

/** Milliseconds within which a run starts; receipts are kept thirty times as long. */
const LONGEST_WAY = 86_400_000

const refuse = (what: string, reason = 'is not signed by this installation'): ApplicationFailure =>
  ApplicationFailure.create({
    message: `${what} ${reason}: nothing was done`,
    type: 'forbidden',
    nonRetryable: true,
    details: [{ code: 'forbidden', status: 403, details: [] }],
  })

/** The same input, bound to a start by this run. */
const boundTo = (args: readonly unknown[], start: { workflow: string; taskQueue: string }): unknown[] => {
  const [input, ...more] = args
  if (typeof input !== 'object' || input === null) return [...args]
  const bound: BoundToStart = { ...input, archivoltStart: { ...start, until: Date.now() + LONGEST_WAY } }
  return [bound, ...more]
}

/** @throws ApplicationFailure, final, for an input that was written for another start than this one. */
const requireThisStart = (input: BoundToStart): void => {
  const { archivoltStart: start } = input
  // Those of schedules are written once for all their times, and those of releases before this one are marked.
  if (!start) return
  const { workflowType, taskQueue, startTime, unsafe } = workflowInfo()
  // A history that is replayed, on whatever queue, was accepted when it was written.
  const isQueue = start.taskQueue === taskQueue || unsafe.isReplaying
  const isThis = start.workflow === workflowType && isQueue
  if (!isThis || startTime.getTime() > start.until)
    throw refuse('The start of the run', 'was signed for another start, or more than a day before')
  delete input.archivoltStart
}

/**
 * What one run looks at. What is refused in a replay keeps it from its next step: nothing may part from a history.
 *
 * @throws all of them ApplicationFailure, final.
 */
const createChecks = () => {
  let refused: ApplicationFailure | undefined

  const refuseNow = (failure: ApplicationFailure): void => {
    if (!workflowInfo().unsafe.isReplaying) throw failure
    refused ??= failure
  }

  /** What nobody of this installation has written. */
  const requireSigned = <Value>(value: Value, what: string): Value => {
    if (typeof value !== 'object' || value === null) return value
    const marked: MayBeUnsigned = value
    const { archivoltUnsignedUntil: until } = marked
    if (until === undefined) return value
    if (workflowInfo().startTime.getTime() >= until) refuseNow(refuse(what))
    delete marked.archivoltUnsignedUntil
    return value
  }

  return {
    requireSigned,
    requireSignedStart: (args: readonly unknown[]): void => {
      if (WITHOUT_INPUT.includes(workflowInfo().workflowType) && args.length === 0) return
      const [input] = args
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        throw refuse('The start of the run')
      for (const argument of args) requireSigned(argument, 'The start of the run')
      requireThisStart(input)
    },
    /** Behind a replay that has met something of the kind. */
    requireNoneRefused: (): void => {
      if (refused && !workflowInfo().unsafe.isReplaying) throw refused
    },
  }
}

/**
 * Lets a run act on nothing but what processes of this installation have written: its start, and the results of its
 * activities and children. Whoever reaches Temporal can write all of them. What it starts itself is bound to that start.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { requireSigned, requireSignedStart, requireNoneRefused } = createChecks()
  return {
    inbound: [
      {
        execute: async (input, next) => {
          requireSignedStart(input.args)
          return next(input)
        },
        handleUpdate: async (input, next) => {
          for (const argument of input.args) requireSigned(argument, 'The update')
          return next(input)
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => {
          requireNoneRefused()
          return requireSigned(await next(input), `The result of ${input.activityType}`)
        },
        scheduleLocalActivity: async (input, next) => {
          requireNoneRefused()
          return requireSigned(await next(input), `The result of ${input.activityType}`)
        },
        continueAsNew: (input, next) => {
          requireNoneRefused()
          const { workflowType: workflow, taskQueue = workflowInfo().taskQueue } = input.options
          return next({ ...input, args: boundTo(input.args, { workflow, taskQueue }) })
        },
        startChildWorkflowExecution: async (input, next) => {
          requireNoneRefused()
          const { workflowType: workflow, options } = input
          const { taskQueue = workflowInfo().taskQueue, args = [] } = options
          const bound = { ...options, args: boundTo(args, { workflow, taskQueue }) }
          const [started, ended] = await next({ ...input, options: bound })
          const checked = ended.then((result) => requireSigned(result, 'The result of a child'))
          // Whoever does not wait for it, hears of its failure from `started`.
          checked.catch(() => undefined)
          return [started, checked]
        },
      },
    ],
  }
}
