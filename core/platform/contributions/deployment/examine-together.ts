import { setImmediate } from 'node:timers/promises'
import { type ErrorDetail, fail, isArchivoltError } from '../../errors/index.js'
import type { DeployCall } from './deployments.js'
import { type Deployed, withVersion } from './feed.js'
import { inNamingOrder } from './naming-order.js'
import { pendingVersion } from './pending-version.js'
import type { DeployedVersion, PointHandler } from './point-handler.js'

/** A text to deploy. */
export type Examined = {
  call: DeployCall
  content: unknown
  before: DeployedVersion | undefined
  /** The version in force, when the text equals it. */
  unchanged: DeployedVersion | undefined
  plan: object
  warnings: readonly ErrorDetail[]
}

type Together = {
  deployed: Deployed
  handlerOf(point: string): PointHandler
  examine(call: DeployCall, deployed: Deployed, among?: Deployed): Promise<Examined>
}

type Outcome = { call: DeployCall } & ({ examined: Examined } | { error: unknown })

/** Other requests are answered between any two texts: each is examined without a pause. */
const attempt = async (call: DeployCall, work: () => Promise<Examined>): Promise<Outcome> => {
  await setImmediate()
  try {
    return { call, examined: await work() }
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'invalid') throw error
    return { call, error }
  }
}

const withContent = (deployed: Deployed, call: DeployCall, content: unknown): Deployed =>
  withVersion(deployed, pendingVersion({ ...call, content }))

const isFailed = (outcome: Outcome): outcome is { call: DeployCall; error: unknown } => 'error' in outcome

const labelOf = ({ point, name }: DeployCall): string => `${point}/${name}`

/** The findings of several texts, each with the contribution and its position in the request. */
export const placed = ({
  call,
  details,
}: {
  call: DeployCall
  details: readonly ErrorDetail[]
}): readonly ErrorDetail[] =>
  details.map((detail) => ({
    ...detail,
    contribution: labelOf(call),
    ...(call.source !== undefined && { source: call.source }),
  }))

const detailsOf = ({ call, error }: { call: DeployCall; error: unknown }): readonly ErrorDetail[] => {
  if (!isArchivoltError(error)) throw error
  const details = error.details.length > 0 ? error.details : [{ message: error.message }]
  return placed({ call, details })
}

/** One error for all refused texts, with the warnings of the others. */
const refusalOf = (outcomes: readonly Outcome[]): unknown => {
  const failed = outcomes.filter(isFailed)
  const [first] = failed
  if (!first || outcomes.length === 1) return first?.error
  const message = first.error instanceof Error ? first.error.message : String(first.error)
  const more = failed.length > 1 ? `, and ${failed.length - 1} more of ${outcomes.length}` : ''
  const details = outcomes.flatMap((outcome) =>
    isFailed(outcome)
      ? detailsOf(outcome)
      : placed({
          call: outcome.call,
          details: outcome.examined.warnings.map((warning) => ({ ...warning, severity: 'warning' as const })),
        }),
  )
  return fail('invalid', `Nothing was deployed: ${message}${more}`, { details })
}

/**
 * How often so many texts are tried at most. They come after those that they name: few need what they do not name
 * (a query needs the schema of its prefix), and that takes few rounds.
 */
const maxTries = (count: number): number => 3 * count + 50

/** Contributions that are merged with all others: tried again as long as others that they may need are accepted. */
const examineMerged = async (
  calls: readonly DeployCall[],
  { examine, among }: { examine: Together['examine']; among: Deployed },
): Promise<{ outcomes: readonly Outcome[]; among: Deployed }> => {
  const outcomes: Outcome[] = []
  let state = among
  let left = inNamingOrder(calls)
  let tries = 0
  while (left.length > 0) {
    const tried: Outcome[] = []
    tries += left.length
    for (const call of left) {
      const outcome = await attempt(call, () => examine(call, state))
      tried.push(outcome)
      if (!isFailed(outcome)) state = withContent(state, call, outcome.examined.content)
    }
    const failed = tried.filter(isFailed)
    const isStuck = failed.length === tried.length || tries + failed.length > maxTries(calls.length)
    outcomes.push(...tried.filter((outcome) => isStuck || !isFailed(outcome)))
    left = isStuck ? [] : failed.map(({ call }) => call)
  }
  // What caused a warning may exist now.
  const settled: Outcome[] = []
  for (const outcome of outcomes) {
    const isDoubtful = !isFailed(outcome) && outcome.examined.warnings.length > 0
    settled.push(isDoubtful ? await attempt(outcome.call, () => examine(outcome.call, state)) : outcome)
  }
  return { outcomes: settled, among: state }
}

/**
 * Examines texts that are to be deployed together, each on a state in which the others are deployed, so that they may
 * name one another in whatever order they come.
 *
 * @returns the outcome of each, in the order of the calls.
 * @throws invalid with the details of all refused texts; what else prevents a deployment.
 */
export const examineTogether = async (
  calls: readonly DeployCall[],
  { deployed, handlerOf, examine }: Together,
): Promise<readonly Examined[]> => {
  const [only, second] = calls
  if (only && !second) return [await examine(only, deployed)]
  let drafted = deployed
  for (const call of calls) {
    await setImmediate()
    const content = handlerOf(call.point).draft?.(call)
    if (content !== undefined) drafted = withContent(drafted, call, content)
  }
  const isDrafted = ({ point }: DeployCall): boolean => handlerOf(point).draft !== undefined
  const merged = await examineMerged(
    calls.filter((call) => !isDrafted(call)),
    { examine, among: drafted },
  )
  const outcomes = [...merged.outcomes]
  for (const call of calls.filter(isDrafted))
    outcomes.push(await attempt(call, () => examine(call, deployed, merged.among)))
  const byCall = new Map(outcomes.map((outcome) => [outcome.call, outcome]))
  const inOrder = calls.flatMap((call) => byCall.get(call) ?? [])
  const refusal = refusalOf(inOrder)
  if (refusal !== undefined) throw refusal
  return inOrder.flatMap((outcome) => (isFailed(outcome) ? [] : [outcome.examined]))
}
