import { type Report, suggestion } from '../../../platform/contributions/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import { commitsOnItsWay } from '../../planning/index.js'
import type { ChainPlaces } from '../types.js'
import { cycleThrough } from './cycles.js'

type ErrorChainsCheck = {
  chain: ChainDefinition
  places: ChainPlaces | undefined
  /** With the chain deployed. */
  registry: Registry
  report: Report
}

/** Reports error chains that cannot run: of this chain, and of chains that name this one. */
export const checkErrorChains = ({ chain, places, registry, report }: ErrorChainsCheck): void => {
  for (const [index, { chain: id }] of (chain.onError ?? []).entries()) {
    const at = places?.onError[index]
    const field = `onError[${index}].chain`
    const callable = registry.find(id)
    if (callable?.kind !== 'chain') {
      const ids = registry.chains.flatMap((other) => [other.id, ...other.aliases])
      report(field, at, `unknown chain "${id}"${suggestion(id, ids)}`)
      continue
    }
    const cycle = cycleThrough(chain, { operation: id, params: {} }, registry)
    if (cycle) report(field, at, `the chain is its own error chain: ${cycle.join(' -> ')}`)
    else if (commitsOnItsWay(callable.chain, registry))
      report(field, at, `${id} commits on its way; an error chain is one transaction`)
  }
  const catching = registry.chains.find(
    ({ id, onError = [] }) => id !== chain.id && onError.some((other) => names(chain, other.chain)),
  )
  if (catching && commitsOnItsWay(chain, registry))
    report('operations', undefined, `it is an error chain of ${catching.id}, and must not commit on its way`)
}

const names = ({ id, aliases }: ChainDefinition, name: string): boolean =>
  [id, `Chain.${id}`, ...aliases].includes(name)
