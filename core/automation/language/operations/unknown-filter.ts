import { didYouMean, type Finding } from '../../../platform/contributions/index.js'
import { filterNameOf } from './filters-point.js'
import type { Registry } from './registry.js'

const found = (message: string): Finding[] => [{ path: [], message }]

/**
 * Says that a filter binds nothing: no operation has its name as its id, and no chain as `Chain.{id}`. A finding, not a
 * refusal: the filter may be deployed before the chain is.
 */
export const unknownFilter = (name: string, registry: Registry): Finding[] => {
  const callable = registry.find(name)
  if (!callable) {
    const meant = didYouMean(name, [
      ...registry.operations.map((operation) => filterNameOf({ kind: 'operation', operation })),
      ...registry.chains.map((chain) => filterNameOf({ kind: 'chain', chain })),
    ])
    const hint = meant === undefined ? '' : `, did you mean "${meant}"?`
    return found(`nobody is kept from anything: there is no operation or chain "${name}"${hint}`)
  }
  const bound = filterNameOf(callable)
  return name === bound
    ? []
    : found(`nobody is kept from anything: the filter of this ${callable.kind} is called "${bound}"`)
}
