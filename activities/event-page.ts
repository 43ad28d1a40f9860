import { Context } from '@temporalio/activity'
import type { Principal } from '../core/access/security/index.js'
import { runSegment, type SegmentDependencies, withinTimeLimit } from '../core/automation/execution/index.js'
import { fail } from '../core/platform/errors/index.js'
import { createTurns } from '../core/platform/limits/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { EventPageActivities, EventPageInput, EventRun, RunPlace } from './types.js'

/** Transactions under way at once: of one page, and of all pages of a worker. Whoever writes meanwhile comes first. */
const SIDE_BY_SIDE = 2
const AT_ONCE = 4

/** Milliseconds after which a chain is not short: the runs that are left are workflows by themselves, many at once. */
const SHORT_MS = 2_000

/** Seconds after which a transaction is left to a workflow of its own, which may last longer. */
const MAX_SECONDS = 10

/** Step of the only segment of a run: what its own workflow would look for the receipt by. */
const STEP = '0'

type EventPageDependencies = {
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  /** Starts the workflow of one run, unless it was started before. */
  startApart(page: EventPageInput, run: EventRun): Promise<void>
}

/** Looks each user up once for a page. */
const perPage = (find: EventPageDependencies['principal']): EventPageDependencies['principal'] => {
  const found = new Map<string, Promise<Principal | undefined>>()
  return (name) => {
    const known = found.get(name) ?? find(name)
    found.set(name, known)
    return known
  }
}

/** Does one run, with its receipt and its record, once. @throws what its steps throw. */
const runOnce = async (
  { segments, principal }: EventPageDependencies,
  { plan, chainId, repository }: EventPageInput,
  { workflowId, requestId, eventDepth, documentId, event, state, ...run }: EventRun,
): Promise<void> => {
  const [node] = plan.nodes
  if (node?.kind !== 'segment') throw fail('invalid', `The chain ${chainId} is more than one transaction`)
  const found = await principal(run.principal)
  if (!found) throw fail('forbidden', `User ${run.principal} does not exist or is disabled`)
  const { info, cancellationSignal } = Context.current()
  const seconds = Math.min(plan.seconds ?? MAX_SECONDS, MAX_SECONDS)
  const dependencies = await segments({ repository, eventDepth })
  await withinTimeLimit({ signal: cancellationSignal, seconds }, (signal) =>
    runSegment(dependencies, {
      principal: found,
      run: { key: { workflowId, step: STEP, isRepeated: info.attempt > 1 }, state, chains: plan.chains },
      steps: node.steps,
      onError: plan.onError,
      signal,
      record: {
        ...{ runId: workflowId, chainId, requestId, documentId, event },
        ...{ principal: run.principal, title: node.title, startedAt: new Date() },
      },
    }),
  )
  dependencies.services.runEnded({ type: 'inline', chain: chainId, outcome: 'completed' })
}

/** The activity of the workflow `eventPage`. */
export const createEventPageActivities = (shared: EventPageDependencies): EventPageActivities => {
  const turns = createTurns(AT_ONCE)
  return {
    runEventPage: (input) =>
      failing(() =>
        withHeartbeat(async (report) => {
          const { cancellationSignal } = Context.current()
          let isShort = true
          const dependencies = { ...shared, principal: perPage(shared.principal) }
          const ended = { done: 0, apart: 0 }
          const left = input.runs.values()
          const startApart = async (run: EventRun): Promise<void> => {
            cancellationSignal.throwIfAborted()
            await dependencies.startApart(input, run)
            ended.apart += 1
          }
          const timed = async (run: EventRun): Promise<void> => {
            const begun = performance.now()
            await runOnce(dependencies, input, run)
            if (performance.now() - begun > SHORT_MS) isShort = false
            ended.done += 1
          }
          const work = async (): Promise<void> => {
            for (const run of left) {
              // A workflow of its own fails, or succeeds after all, with the retries and the report of any run.
              if (isShort) await turns(() => timed(run)).catch(() => startApart(run))
              else await startApart(run)
              report({ ...ended })
            }
          }
          await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
          return ended
        }),
      ),
  }
}
