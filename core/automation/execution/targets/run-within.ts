import { fail } from '../../../platform/errors/index.js'
import { type ChainDefinition, startVariables, type Value } from '../../language/index.js'
import { planChain } from '../../planning/index.js'
import type { TransactionReach } from '../../run-store/index.js'
import { executionOf, type SegmentDependencies } from '../execution-of.js'
import { executeCatching } from '../executor.js'
import { withinTimeLimit } from '../time-limit.js'

/** Somebody waits in a transaction: a chain in it may last this long, seconds. */
const LONGEST = 60

/**
 * Runs a chain in a transaction that is somebody else's: all of it, or none.
 *
 * @throws invalid for one that commits on its way; what its steps throw.
 */
export const runChainWithin = async (
  dependencies: Omit<SegmentDependencies, 'units'>,
  reach: TransactionReach,
  { chain, input, ...given }: { chain: ChainDefinition; input: Value } & Parameters<typeof startVariables>[1],
): Promise<Value> => {
  if (planChain(chain, dependencies.registry).nodes.some(({ kind }) => kind !== 'segment'))
    throw fail(
      'invalid',
      `Chain '${chain.id}' commits on its way, and cannot run inside of another transaction`,
    )
  const { output } = await withinTimeLimit(
    { signal: new AbortController().signal, seconds: LONGEST },
    (signal) =>
      executeCatching(executionOf(dependencies, reach, { chains: {}, signal }), {
        steps: chain.steps,
        onError: chain.onError,
        input,
        variables: startVariables(chain, given),
      }),
  )
  return output
}
