import { createReport } from '../../../platform/contributions/index.js'
import type { ErrorDetail } from '../../../platform/errors/index.js'
import { type ChainDefinition, createRegistry, type Registry } from '../../language/index.js'
import { fieldOfStep } from '../fields.js'
import { MAX_PROBLEMS } from '../limits.js'
import { refusalOfChain } from '../refusals.js'
import type { ChainPlaces } from '../types.js'
import { checkErrorChains } from './check-error-chains.js'
import { checkExecution } from './check-execution.js'
import { checkNames } from './check-names.js'
import { checkSize } from './check-size.js'
import { checkStep } from './check-step.js'
import { checkTyping } from './check-typing.js'

/** The registry as it will be once a chain is deployed. */
export const registryWith = (registry: Registry, chain: ChainDefinition): Registry =>
  createRegistry(registry.operations, [...registry.chains.filter(({ id }) => id !== chain.id), chain])

type Check = {
  chain: ChainDefinition
  /** Where its parts stand; without it, findings point at the steps. */
  places?: ChainPlaces
  /** Without the chain, or with it as it was before; with those that are deployed together with it. */
  registry: Registry
  /** Before any of them is deployed; the same when absent. */
  before?: Registry
}

/**
 * Everything that is wrong with a chain before it runs: names that are taken, operations and parameters that
 * do not exist, required ones that are missing, literal values of the wrong type, steps that no input gets through to, chains that call
 * themselves, or one another so often that no plan could hold them. Of values that are evaluated
 * (`expr:`, `@{…}`) only the notation is looked at. Empty when all is well.
 */
export const findingsOfChain = ({ chain, places, registry, before = registry }: Check): ErrorDetail[] => {
  const { report, problems } = createReport()
  checkNames({ chain, places, registry, before, report })
  const deployed = registryWith(registry, chain)
  for (const [index, step] of chain.steps.entries()) {
    if (problems.length >= MAX_PROBLEMS) break
    const field = fieldOfStep(step, index)
    checkStep({ chain, step, field, places: places?.steps[index], registry: deployed, report })
  }
  checkErrorChains({ chain, places, registry: deployed, report })
  checkSize(deployed, report)
  if (problems.length === 0) checkExecution({ chain, places, registry: before, deployed, report })
  checkTyping({ chain, places, deployed, report })
  return problems
}

/** @throws invalid with all findings as details. */
export const checkChain = (check: Check): void => {
  const details = findingsOfChain(check)
  if (details.length > 0) throw refusalOfChain(check.chain.id, details)
}
