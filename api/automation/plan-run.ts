import {
  CHAIN_PARAMETERS,
  type ChainDefinition,
  packState,
  planChain,
  type Registry,
  type UnitsOfWork,
  withDefaults,
} from '../../core/automation/index.js'
import { fail } from '../../core/errors/index.js'
import type { Principal } from '../../core/security/index.js'
import type { ChainRun } from '../../workflows/types.js'
import type { AutomationRequest } from './decode.js'

/** Temporal refuses larger payloads; a plan must travel inline because the workflow reads it. */
const MAX_PLAN_BYTES = 1_500_000

export type NewRun = {
  chain: ChainDefinition
  /** What the chain was found in, and what it calls is looked up in. */
  registry: Registry
  request: AutomationRequest
  principal: Principal
  requestId: string
  idempotencyKey?: string | undefined
}

/**
 * What the workflow of a run begins with.
 *
 * @param repository that it acts on; absent: the default one.
 * @throws badRequest for a required parameter that is missing, tooLarge for a plan that cannot travel.
 */
export const planRun = async (
  { chain, registry, request, principal, requestId }: NewRun,
  { units, repository }: { units: UnitsOfWork; repository?: string | undefined },
): Promise<ChainRun> => {
  const plan = planChain(chain, registry)
  const bytes = Buffer.byteLength(JSON.stringify(plan))
  if (bytes > MAX_PLAN_BYTES)
    throw fail(
      'tooLarge',
      `The chain ${chain.id} with all that it calls is ${bytes} bytes large, ${MAX_PLAN_BYTES} are possible`,
    )
  const params = withDefaults(chain.params, request.params)
  const isStep = chain.steps.some((step) => step.isLiteral)
  const variables = isStep
    ? request.variables
    : { ...request.variables, [CHAIN_PARAMETERS]: { type: 'json' as const, value: params } }
  const state = await packState(units.reading(principal).transient, { input: request.input, variables })
  // The Temporal UI shows a run's input in this order: what the caller gave is read before the long plan.
  return {
    principal: principal.name,
    requestId,
    ...(repository !== undefined && { repository }),
    state,
    plan,
  }
}
