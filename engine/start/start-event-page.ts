import type { EventPageInput, EventRun } from '../../activities/types.js'
import { type Plan, planRun } from '../../core/automation/planning/index.js'
import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import { documentOf, isOneSegment } from '../../core/automation/runs/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import type { ChainStart } from './start-chain.js'
import { startRun } from './start-run.js'

/** Characters of the runs of a page: Temporal warns of larger inputs. */
const MAX_CHARACTERS = 200_000

/** What an event starts for a listener. */
export type ChainToStart = ChainStart & Required<Pick<ChainStart, 'eventDepth' | 'event' | 'summary'>>

type Planned = { plan: Plan; run: EventRun; start: ChainToStart }

const plannedOf = async (units: UnitsOfWork, start: ChainToStart): Promise<Planned> => {
  const { workflowId, order, event, summary, eventDepth, repository } = start
  const { plan, principal, requestId, state } = await planRun(order, { units, repository, eventDepth })
  const documentId = documentOf(order)
  const about = { event, summary, eventDepth, ...(documentId !== undefined && { documentId }) }
  return { plan, start, run: { workflowId, principal, requestId, state, ...about } }
}

const firstOf = (planned: readonly Planned[]): Planned[] => {
  let characters = 0
  return planned.filter(({ run }, index) => {
    characters += JSON.stringify(run).length
    return index === 0 || characters < MAX_CHARACTERS
  })
}

/**
 * Starts what one listener does for some events, in order, as one workflow for as many as one can take.
 *
 * @param starts of one registry, with one chain.
 * @returns those that need a workflow of their own: of chains that are more than a short transaction.
 * @throws what `planRun` throws.
 */
export const startEventPage = async (
  { client, taskQueue, units }: Temporal & { units: UnitsOfWork },
  starts: readonly ChainToStart[],
): Promise<readonly ChainToStart[]> => {
  const planned = await Promise.all(starts.map((start) => plannedOf(units, start)))
  for (let left = planned; left.length > 0; ) {
    const taken = firstOf(left)
    const [first] = taken
    const last = taken.at(-1)
    if (!first || !last || taken.length === 1 || !isOneSegment(first.plan))
      return left.map(({ start }) => start)
    const { plan, start, run } = first
    const { chain, principal } = start.order
    const { repository } = start
    await startRun(
      // The worker that relays events may take the page at once.
      { client, taskQueue, isEager: true },
      {
        workflow: 'eventPage',
        input: {
          requestId: run.requestId,
          ...(repository !== undefined && { repository }),
          chainId: chain.id,
          beginsLocally: true,
          runs: taken.map((each) => each.run),
          plan,
        },
        workflowId: `events/${run.workflowId}..${last.run.workflowId}`,
        reuse: 'never',
        attributes: runAttributes({ chainId: chain.id, principal: principal.name, event: run.event }),
        summary: `${run.summary}, ${taken.length} events`,
      },
    )
    left = left.slice(taken.length)
  }
  return []
}

/** Starts the workflow of one run of a page, unless it was started before. */
export const startEventRun = async (
  temporal: Temporal,
  { plan, chainId, repository }: EventPageInput,
  { workflowId, principal, requestId, eventDepth, documentId, event, summary, state }: EventRun,
): Promise<void> => {
  const place = repository !== undefined && { repository }
  await startRun(temporal, {
    workflow: 'chain',
    input: { principal, requestId, ...place, eventDepth, state, plan },
    workflowId,
    reuse: 'never',
    attributes: runAttributes({ chainId, principal, requestId, documentId, event }),
    memo: { principal, requestId, ...place },
    summary,
  })
}
