import type { Principal } from '../core/access/security/index.js'
import {
  type RunContext,
  runSegment,
  runSegmentsTogether,
  type SegmentDependencies,
  withinTimeLimit,
} from '../core/automation/execution/index.js'
import type { InlineRun } from '../core/automation/run-store/index.js'
import { fail } from '../core/platform/errors/index.js'
import { createTurns, type Turns } from '../core/platform/limits/index.js'
import type { EventPageInput, EventRun, RunPlace } from './types.js'

/**
 * Transactions of all pages of a worker that are under way at once, one of each page: whoever writes meanwhile comes
 * first, and finds a core that is free.
 */
const AT_ONCE = 2

/** Runs that one transaction does at most: what it costs, and waits for the disk, is shared. */
const TOGETHER = 25

/** Milliseconds after which a chain is not short: the runs that are left are workflows by themselves, many at once. */
const SHORT_MS = 2_000

/** Seconds after which a transaction is left to a workflow of its own, which may last longer. */
const MAX_SECONDS = 10

/** Step of the only segment of a run: what its own workflow would look for the receipt by. */
const STEP = '0'

/** How far a page has come: runs that are done, those that go on as workflows of their own, and the last that are not begun. */
type Ended = { done: number; apart: number; left: number }

/**
 * An attempt to do a page.
 *
 * @property isRepeated whether one before may have done some of it.
 * @property longestMs after which no other run begins.
 */
type Attempt = { signal: AbortSignal; isRepeated: boolean; longestMs: number; report(ended: Ended): void }

type Runs = readonly [EventRun, ...EventRun[]]

export type EventPageDependencies = {
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

/** What one run leaves in the list of runs, from now on. */
const recordOf = (
  { plan, chainId }: EventPageInput,
  { workflowId, requestId, documentId, event, principal }: EventRun,
): InlineRun => {
  const title = plan.nodes[0]?.title ?? ''
  return {
    runId: workflowId,
    ...{ chainId, requestId, documentId, event, principal, title, startedAt: new Date() },
  }
}

/**
 * Does some runs for one user, each with its receipt and its record, once: one in a transaction of its own, several in
 * one transaction.
 *
 * @returns how many, the first of them.
 * @throws what their steps throw: then none is done.
 */
const runOnce = async (
  { segments, principal }: EventPageDependencies,
  { page, attempt }: { page: EventPageInput; attempt: Attempt },
  [first, ...others]: Runs,
): Promise<number> => {
  const { plan, chainId, repository } = page
  const [node] = plan.nodes
  if (node?.kind !== 'segment') throw fail('invalid', `The chain ${chainId} is more than one transaction`)
  const found = await principal(first.principal)
  if (!found) throw fail('forbidden', `User ${first.principal} does not exist or is disabled`)
  const seconds = Math.min(plan.seconds ?? MAX_SECONDS, MAX_SECONDS)
  const dependencies = await segments({ repository, eventDepth: first.eventDepth })
  const contextOf = ({ workflowId, state }: EventRun): RunContext => ({
    key: { workflowId, step: STEP, isRepeated: attempt.isRepeated },
    ...{ state, chains: plan.chains },
  })
  const done = await withinTimeLimit({ signal: attempt.signal, seconds }, async (signal) => {
    const common = { principal: found, steps: node.steps, onError: plan.onError, signal }
    if (others.length > 0)
      return runSegmentsTogether(dependencies, {
        ...common,
        runs: [first, ...others].map((run) => ({ run: contextOf(run), record: () => recordOf(page, run) })),
      })
    await runSegment(dependencies, { ...common, run: contextOf(first), record: recordOf(page, first) })
    return 1
  })
  for (let count = 0; count < done; count++)
    dependencies.services.runEnded({ type: 'inline', chain: chainId, outcome: 'completed' })
  return done
}

/** Those that may share a transaction with the first of some runs: they follow it, act for its user, and are as deep. */
const alike = (runs: readonly EventRun[], at: number): EventRun[] => {
  const first = runs[at]
  const isAlike = (run: EventRun | undefined): boolean =>
    run !== undefined && run.principal === first?.principal && run.eventDepth === first.eventDepth
  let end = at
  while (end < at + TOGETHER && isAlike(runs[end])) end++
  return runs.slice(at, end)
}

/** The runs of a page, in order, as many as its time allows. */
const runPage = async (
  dependencies: EventPageDependencies,
  page: EventPageInput,
  attempt: Attempt & { turns: Turns },
): Promise<Ended> => {
  const { turns, report, signal, isRepeated, longestMs } = attempt
  const { runs } = page
  const endsAt = performance.now() + longestMs
  const ended: Ended = { done: 0, apart: 0, left: runs.length }
  let isShort = true
  const timed = (some: Runs): Promise<number> =>
    turns(async () => {
      const begun = performance.now()
      const done = await runOnce(dependencies, { page, attempt }, some)
      if (performance.now() - begun > SHORT_MS) isShort = false
      ended.done += done
      return done
    })
  const startApart = async (run: EventRun): Promise<number> => {
    signal.throwIfAborted()
    await dependencies.startApart(page, run)
    ended.apart += 1
    return 1
  }
  /** A workflow of its own fails, or succeeds after all, with the retries and the report of any run. */
  const runAlone = (run: EventRun): Promise<number> =>
    isShort ? timed([run]).catch(() => startApart(run)) : startApart(run)
  let aloneUntil = 0
  for (let at = 0; at < runs.length && performance.now() < endsAt; ended.left = runs.length - at) {
    const [first, ...others] = alike(runs, at)
    if (!first) break
    const mayShare = isShort && !isRepeated && others.length > 0 && at >= aloneUntil
    const shared = mayShare ? await timed([first, ...others]).catch(() => 0) : 0
    // What fails together is done again one by one: which of them has failed is to be seen, and the others are good.
    if (mayShare && shared === 0) aloneUntil = at + others.length + 1
    at += shared > 0 ? shared : await runAlone(first)
    report({ ...ended })
  }
  return ended
}

/** What does pages of events for a process, with few of their transactions under way at once. */
export const createEventPages = (
  shared: EventPageDependencies,
): ((page: EventPageInput, attempt: Attempt) => Promise<Ended>) => {
  const turns = createTurns(AT_ONCE)
  return (page, attempt) =>
    runPage({ ...shared, principal: perPage(shared.principal) }, page, { ...attempt, turns })
}
