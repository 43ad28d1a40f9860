import type { Report } from '../../../platform/contributions/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import type { ChainPlaces } from '../types.js'
import { callersOf } from './targets.js'

type NamesCheck = {
  chain: ChainDefinition
  places: ChainPlaces | undefined
  /** With those that are deployed together with the chain. */
  registry: Registry
  before: Registry
  report: Report
}

/** Reports names that already mean something else, and aliases that others still need. */
export const checkNames = ({ chain, places, registry, before: earlier, report }: NamesCheck): void => {
  const claim = ownerOf(chain.id, chain, registry)
  if (claim) report('id', places?.id, `the id "${chain.id}" is taken by ${claim}`)
  const seen = new Set([chain.id])
  for (const [index, alias] of chain.aliases.entries()) {
    const owner = ownerOf(alias, chain, registry) ?? (seen.has(alias) ? 'this chain itself' : undefined)
    if (owner)
      report(`aliases[${index}]`, places?.aliases[index], `the alias "${alias}" is taken by ${owner}`)
    seen.add(alias)
  }
  const before = earlier.chains.find(({ id }) => id === chain.id)
  for (const alias of before?.aliases ?? []) {
    if (seen.has(alias)) continue
    const callers = callersOf({ ...chain, id: alias, aliases: [] }, registry).filter((id) => id !== chain.id)
    if (callers.length > 0)
      report('aliases', places?.aliases[0], `the alias "${alias}" is still used by ${callers.join(', ')}`)
  }
}

const ownerOf = (name: string, chain: ChainDefinition, registry: Registry): string | undefined => {
  const owner = registry.find(name)
  if (owner?.kind === 'operation') return `the operation ${owner.operation.id}`
  return owner && owner.chain.id !== chain.id ? `the chain ${owner.chain.id}` : undefined
}
