import type { Report } from '../../../platform/contributions/index.js'
import type { ChainDefinition, Registry } from '../../language/index.js'
import { committingSteps } from '../../planning/index.js'
import type { ChainPlaces } from '../types.js'
import { reaches } from './targets.js'

type ExecutionCheck = {
  chain: ChainDefinition
  places: ChainPlaces | undefined
  /** As it is before the chain is deployed. */
  registry: Registry
  /** As it is then. */
  deployed: Registry
  report: Report
}

/**
 * Reports steps that commit before they go on in chains that are to be one transaction: in this one, and in those
 * that call it and did not commit until now.
 */
export const checkExecution = ({ chain, places, registry, deployed, report }: ExecutionCheck): void => {
  if (chain.execution === 'inline') {
    for (const position of committingSteps(chain, deployed)) {
      const { operation } = chain.steps[position]!
      const message = `"${operation}" commits before the chain goes on, which a chain with execution: inline cannot`
      report(`operations[${position}]`, places?.steps[position]?.at, message)
    }
  }
  if (committingSteps(chain, deployed).length === 0) return
  for (const other of deployed.chains) {
    if (other.id === chain.id || other.execution !== 'inline' || !reaches(other, chain.id, deployed)) continue
    const [position] = committingSteps(other, deployed)
    if (position === undefined || committingSteps(other, registry).length > 0) continue
    const step = `${other.id}, at operations[${position}] (${other.steps[position]?.operation})`
    report('operations', places?.steps[0]?.at, `it would commit inside of the inline chain ${step}`)
  }
}
