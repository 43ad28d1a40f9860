import type { Principal } from '../../access/security/index.js'
import type { PropertyValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  type ChainDefinition,
  type Registry,
  startVariables,
  type Value,
  type Variables,
} from '../language/index.js'
import {
  enteredState,
  type PackedState,
  packState,
  type UnitsOfWork,
  unpackState,
} from '../run-store/index.js'
import type { Plan } from './plan.js'
import { planChain } from './planner.js'

/** Temporal refuses larger payloads; a plan must travel inline because the workflow reads it. */
const MAX_PLAN_BYTES = 1_500_000

/** What a chain is started with. */
export type RunRequest = {
  input: Value
  params: { [name: string]: PropertyValue }
  variables: Variables
}

/** Everything that a run will ever know of its chain and its caller. */
export type RunStart = {
  plan: Plan
  /** Name of the user for whom it acts; the rights are looked up when a step runs. */
  principal: string
  /** In the log of its steps. */
  requestId: string
  /** The repository that it acts on; absent: the default one. */
  repository?: string
  /** How many runs, each started by an event of the one before, it is the last of. Absent: no event has started it. */
  eventDepth?: number
  state: PackedState
}

/** A chain that is to be run for somebody. */
export type RunOrder = {
  chain: ChainDefinition
  /** What the chain was found in, and what it calls is looked up in. */
  registry: Registry
  request: RunRequest
  principal: Principal
  requestId: string
  /** Absent: the run does the plan as it is. */
  arrange?(plan: Plan): Plan
}

/** Plans by what they were made of, of which neither ever changes. */
const planned = new WeakMap<Registry, WeakMap<ChainDefinition, Plan>>()

/**
 * A chain with all that it calls as they are deployed now.
 *
 * @throws invalid for a chain that cannot be planned, tooLarge for a plan that cannot travel.
 */
export const planToTravel = (chain: ChainDefinition, registry: Registry): Plan => {
  const known = planned.get(registry) ?? new WeakMap<ChainDefinition, Plan>()
  planned.set(registry, known)
  const before = known.get(chain)
  if (before) return before
  const plan = planChain(chain, registry)
  const bytes = Buffer.byteLength(JSON.stringify(plan))
  if (bytes <= MAX_PLAN_BYTES) {
    known.set(chain, plan)
    return plan
  }
  throw fail(
    'tooLarge',
    `The chain ${chain.id} with all that it calls is ${bytes} bytes large, ${MAX_PLAN_BYTES} are possible`,
  )
}

/**
 * The state of a run that goes on with another definition of its chain: parameters that are new have their defaults.
 *
 * @throws badRequest for one that is required and was never given.
 */
export const adoptState = async (
  packed: PackedState,
  chain: ChainDefinition,
  { units, principal }: { units: UnitsOfWork; principal: Principal },
): Promise<PackedState> => {
  const state = await unpackState(units.reading(principal).transient, packed)
  return units.transaction(principal, ({ transient }) => packState(transient, enteredState(state, chain, {})))
}

/**
 * What a run begins with, with the chain and all that it calls as they are deployed now.
 *
 * @param place `repository`: absent for the default one; `eventDepth`: of a run that an event starts.
 * @throws invalid for a chain that cannot be planned, badRequest for a required parameter that is missing,
 * tooLarge for a plan that cannot travel.
 */
export const planRun = async (
  { chain, registry, request, principal, requestId, arrange = (plan) => plan }: RunOrder,
  {
    units,
    repository,
    eventDepth,
  }: { units: UnitsOfWork; repository?: string | undefined; eventDepth?: number | undefined },
): Promise<RunStart> => {
  const plan = arrange(planToTravel(chain, registry))
  const variables = startVariables(chain, request)
  const state = await packState(units.reading(principal).transient, { input: request.input, variables })
  // The Temporal UI shows a run's input in this order: what the caller gave is read before the long plan.
  return {
    principal: principal.name,
    requestId,
    ...(repository !== undefined && { repository }),
    ...(eventDepth !== undefined && { eventDepth }),
    state,
    plan,
  }
}
