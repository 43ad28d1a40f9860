import { requireMayCall } from '../../language/index.js'
import type { RunsDependencies } from '../dependencies.js'
import type { RetryCall } from '../runs.js'

/** Refuses a retry to callers who may no longer call the chain. @throws forbidden. */
export const requireCallable = async (
  { units, current }: Pick<RunsDependencies, 'units' | 'current'>,
  { principal, isSecure }: RetryCall,
  chainId: string,
): Promise<void> => {
  const { registry } = await current()
  const callable = registry.find(chainId)
  const { session } = units.reading(principal)
  if (callable) requireMayCall(session, { id: chainId, callable }, { isSecure })
}
