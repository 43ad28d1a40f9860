import { fail } from '../../platform/errors/index.js'
import { type ChainDefinition, type ChainStep, type Registry, type Value, VOID } from '../language/index.js'
import type { Plan, PlanNode } from '../planning/index.js'
import { labelOf, type Subscription } from './subscriptions.js'

const chainOf = (id: string, steps: readonly ChainStep[]): ChainDefinition => ({
  id,
  aliases: [],
  params: [],
  steps: [...steps],
})

/**
 * What a subscription runs, as it is deployed now: the steps of a long-running listener one after another.
 *
 * @throws notFound for a chain or an operation that is not deployed.
 */
export const subscribedChain = (subscription: Subscription, registry: Registry): ChainDefinition => {
  const { work, params } = subscription
  if (work.kind === 'long') {
    const steps = [work.before, work.work, work.after].flatMap((operation) =>
      operation === undefined ? [] : [{ operation, params: {} }],
    )
    return chainOf(labelOf(subscription), steps)
  }
  const callable = registry.find(work.id)
  if (callable?.kind !== work.kind) throw fail('notFound', `No ${work.kind} '${work.id}' is deployed`)
  return callable.kind === 'chain' ? callable.chain : chainOf(work.id, [{ operation: work.id, params }])
}

/** Each step of a long-running listener by itself; the one that may take long knows no document and no transaction. */
const phasesOf = ({ work }: Subscription, steps: readonly ChainStep[], input: Value): PlanNode[] =>
  steps.map((step, index) => {
    const isLong = work.kind === 'long' && (work.before === undefined ? index === 0 : index === 1)
    return {
      kind: 'segment',
      steps: [step],
      isSlow: true,
      title: step.operation,
      endsOnFalse: true,
      input: isLong ? VOID : input,
      ...(isLong && { isApart: true }),
    }
  })

/** The plan of what a subscription runs after the commit. */
export const subscribedPlan = (
  subscription: Subscription,
  { plan, input }: { plan: Plan; input: Value },
): Plan => {
  const { work, retries, seconds } = subscription
  const steps = plan.nodes.flatMap((node) => (node.kind === 'segment' ? node.steps : []))
  return {
    ...plan,
    ...(work.kind === 'long' && { nodes: phasesOf(subscription, steps, input) }),
    ...(retries > 0 && { retries }),
    ...(seconds !== undefined && { seconds }),
  }
}
