import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import {
  CHAIN_PARAMETERS,
  packState,
  planChain,
  type Registry,
  type UnitsOfWork,
  type Value,
  type Variables,
  withDefaults,
} from '../core/automation/index.js'
import type { PropertyValue } from '../core/documents/index.js'
import { fail } from '../core/errors/index.js'
import type { Principal } from '../core/security/index.js'
import type { ChainRun } from '../workflows/types.js'

const CHAIN_ID = defineSearchAttributeKey('ChainId', SearchAttributeType.KEYWORD)
const PRINCIPAL = defineSearchAttributeKey('Principal', SearchAttributeType.KEYWORD)

/** A chain that the product starts by itself. */
export type StartedChain = {
  chain: string
  registry: Registry
  principal: Principal
  /** Told in the log of its steps. */
  requestId: string
  /** Absent: the default one. */
  repository?: string | undefined
  units: UnitsOfWork
  input: Value
  variables: Variables
  params?: { [name: string]: PropertyValue }
}

/**
 * The input of a workflow `chain`, with the chain as it is deployed now.
 *
 * @throws notFound for an unknown chain; invalid for one that cannot be planned; badRequest for a missing parameter.
 */
export const plannedRun = async ({
  chain: id,
  registry,
  principal,
  requestId,
  repository,
  units,
  input,
  variables,
  params = {},
}: StartedChain): Promise<ChainRun> => {
  const callable = registry.get(id)
  if (callable.kind !== 'chain') throw fail('notFound', `No chain '${id}' is deployed`)
  const plan = planChain(callable.chain, registry)
  const parameters = withDefaults(callable.chain.params, params)
  const all: Variables = { ...variables, [CHAIN_PARAMETERS]: { type: 'json', value: parameters } }
  const state = await packState(units.reading(principal).transient, { input, variables: all })
  return {
    principal: principal.name,
    requestId,
    ...(repository !== undefined && { repository }),
    state,
    plan,
  }
}

/** By what such a run is found. */
export const startedAttributes = ({ plan, principal }: ChainRun): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: CHAIN_ID, value: plan.chainId },
    { key: PRINCIPAL, value: principal },
  ])
