import { calledByBulk } from '../../core/automation/bulk/index.js'
import { unknownNamesInCall, unknownParametersOfCall } from '../../core/automation/chains/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import type { KnownNames } from '../../core/automation/lint/index.js'
import type { PropertyValue } from '../../core/model/properties/index.js'

/**
 * What of an accepted command nothing reads, and what it names that nothing configured is called. As in a call, the
 * first does no harm; by the second each document fails, unless it is deployed meanwhile.
 */
export const warningsOfBulk = (
  action: string,
  parameters: { [name: string]: PropertyValue },
  { registry, names }: { registry: Registry; names: KnownNames },
): string[] => {
  const called = calledByBulk(action, parameters)
  const callable = called && registry.find(called.target)
  if (!called || !callable) return []
  const given = called.parameters
  return [
    ...unknownParametersOfCall({ called: called.target, callable, given }, registry),
    ...unknownNamesInCall({ callable, given }, { registry, names }),
  ]
}
