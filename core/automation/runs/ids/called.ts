import { randomUUID } from 'node:crypto'
import type { ChainExecution } from '../../language/index.js'
import { digest } from './digest.js'
import { EVENT_PREFIX } from './event.js'
import { scheduleIdOf } from './schedule.js'

type RunIdentity = {
  chainId: string
  execution: ChainExecution
  /** The user whose key it is. */
  principal: string
  idempotencyKey?: string | undefined
}

const INLINE = /-inline-(key-[0-9a-f]{32}|[0-9a-f-]{36})$/

/** Operators read run ids, and headers contain them: the chain's id first, then a unique part. */
export const newRunId = ({ chainId, execution, principal, idempotencyKey }: RunIdentity): string => {
  const chain = chainId.replace(/[^\x20-\x7e]|\//g, '_')
  const name = execution === 'inline' ? `${chain}-inline` : chain
  if (idempotencyKey === undefined) return `${name}-${randomUUID()}`
  return `${name}-key-${digest([principal, idempotencyKey]).slice(0, 32)}`
}

/** Whether a run's id may be that of an inline run, as those of events may; a chain's own name may end like one. */
export const mayBeInline = (runId: string): boolean => runId.startsWith(EVENT_PREFIX) || INLINE.test(runId)

/** Prefixes of the ids of runs without a caller: those of event handlers and schedules. */
export const uncalledPrefixes = (taskQueue: string): readonly string[] => [
  EVENT_PREFIX,
  scheduleIdOf(taskQueue, ''),
]

/** The id of a run with a caller, distinct from those without, whatever its chain's name is. */
export const calledRunId = (runId: string, taskQueue: string): string =>
  uncalledPrefixes(taskQueue).some((prefix) => runId.startsWith(prefix)) ? `run-${runId}` : runId

/** The id of a run that retries failed items of another one. */
export const itemsRunId = (workflowId: string, taskQueue: string): string =>
  calledRunId(`${workflowId.replace(/\//g, '_')}-items-${randomUUID()}`, taskQueue)
