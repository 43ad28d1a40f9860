import type { ListedHalf, RunStatus, RunsFilter } from '../../core/automation/runs/index.js'
import type { DeliveriesFilter } from '../../core/automation/webhooks/index.js'
import { BULK, CHAIN_TYPES } from '../describe/index.js'

/** How runs can stand, in the words of Temporal's visibility. */
const STATES: { readonly [state in RunStatus]: string } = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
}

const TYPES = { any: [...CHAIN_TYPES, BULK], workflow: CHAIN_TYPES, bulk: [BULK], inline: [] } as const

export const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`

/** Runs that somebody has asked for; parts of theirs are found by way of them. */
const filterConditions = ({
  execution,
  chainId,
  principal,
  documentIds,
  event,
  from,
  to,
}: RunsFilter): string[] => [
  `WorkflowType IN (${TYPES[execution ?? 'any'].map(quoted).join(', ')})`,
  'ParentWorkflowId IS NULL',
  ...(chainId === undefined ? [] : [`ChainId = ${quoted(chainId)}`]),
  ...(principal === undefined ? [] : [`Principal = ${quoted(principal)}`]),
  ...(documentIds === undefined ? [] : [`DocumentId IN (${documentIds.map(quoted).join(', ')})`]),
  ...(event === undefined ? [] : [`EventName = ${quoted(event)}`]),
  ...(from === undefined ? [] : [`StartTime >= '${from.toISOString()}'`]),
  ...(to === undefined ? [] : [`StartTime < '${to.toISOString()}'`]),
]

const before = (field: string, time: Date | undefined): string[] =>
  time === undefined ? [] : [`${field} < '${time.toISOString()}'`]

const stateConditions = ({ filter: { state }, isRunning, before: time }: ListedHalf): string[] => {
  if (isRunning) return ["ExecutionStatus = 'Running'", ...before('StartTime', time)]
  const ended = state
    ? `ExecutionStatus = '${STATES[state]}'`
    : "ExecutionStatus != 'Running' AND ExecutionStatus != 'ContinuedAsNew'"
  return [ended, ...before('CloseTime', time)]
}

/** The query of Temporal's visibility for some runs of one installation: others may share its namespace. */
export const queryOf = (half: ListedHalf, taskQueue: string): string =>
  [`TaskQueue = ${quoted(taskQueue)}`, ...filterConditions(half.filter), ...stateConditions(half)].join(
    ' AND ',
  )

/** The query for all runs of a workflow. */
export const workflowQuery = (workflow: string, taskQueue: string): string =>
  [`WorkflowType = ${quoted(workflow)}`, `TaskQueue = ${quoted(taskQueue)}`].join(' AND ')

/** The query for the conversions of a user. */
export const conversionsQuery = (username: string, taskQueue: string): string =>
  ["WorkflowType = 'conversion'", `TaskQueue = ${quoted(taskQueue)}`, `Principal = ${quoted(username)}`].join(
    ' AND ',
  )

/** The query for the deliveries of webhooks. */
export const deliveriesQuery = (
  { webhook, state, event, from, to }: DeliveriesFilter,
  taskQueue: string,
): string =>
  [
    "WorkflowType = 'webhookDelivery'",
    `TaskQueue = ${quoted(taskQueue)}`,
    ...(webhook === undefined ? [] : [`ChainId = ${quoted(webhook)}`]),
    ...(state === undefined ? [] : [`ExecutionStatus = '${STATES[state]}'`]),
    ...(event === undefined ? [] : [`EventName = ${quoted(event)}`]),
    ...(from === undefined ? [] : [`StartTime >= '${from.toISOString()}'`]),
    ...before('StartTime', to),
  ].join(' AND ')
