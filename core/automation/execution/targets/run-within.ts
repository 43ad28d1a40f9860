import { fail } from '../../../platform/errors/index.js'
import { startVariables, type Value, type Variables } from '../../language/index.js'
import { planChain } from '../../planning/index.js'
import type { TransactionReach } from '../../run-store/index.js'
import { executionOf, type SegmentDependencies } from '../execution-of.js'
import { executeCatching } from '../executor.js'
import { withinTimeLimit } from '../time-limit.js'

/** Somebody waits in a transaction: a chain in it may last this long, seconds. */
const LONGEST = 60

/**
 * Runs a deployed chain in a transaction that is somebody else's: all of it, or none.
 *
 * @throws notFound for an unknown chain; invalid for one that commits on its way; what its steps throw.
 */
export const runChainWithin = async (
  dependencies: Omit<SegmentDependencies, 'units'>,
  reach: TransactionReach,
  { chain: id, input, variables }: { chain: string; input: Value; variables: Variables },
): Promise<Value> => {
  const { registry } = dependencies
  const callable = registry.get(id)
  if (callable.kind !== 'chain') throw fail('notFound', `No chain '${id}' is deployed`)
  const { chain } = callable
  if (planChain(chain, registry).nodes.some(({ kind }) => kind !== 'segment'))
    throw fail('invalid', `Chain '${id}' commits on its way, and cannot run inside of another transaction`)
  const { output } = await withinTimeLimit(
    { signal: new AbortController().signal, seconds: LONGEST },
    (signal) =>
      executeCatching(executionOf(dependencies, reach, { chains: {}, signal }), {
        steps: chain.steps,
        onError: chain.onError,
        input,
        variables: startVariables(chain, { params: {}, variables }),
      }),
  )
  return output
}
