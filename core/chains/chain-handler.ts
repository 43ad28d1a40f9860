import {
  type ChainDefinition,
  describePlan,
  type PlanDescription,
  type Registry,
} from '../automation/index.js'
import type { Deployed, PointHandler } from '../contributions/index.js'
import { fail, isArchivoltError } from '../errors/index.js'
import { CHAINS, type ChainRegistry } from './chain-registry.js'
import { type Properties, warningsOfChain } from './chain-warnings.js'
import { checkChain, registryWith } from './check-chain.js'
import { refusalOfId } from './ids.js'
import { jsonSchemaOfChains } from './json-schema.js'
import { parseChain } from './parse-chain.js'
import { callersOf } from './targets.js'
import { writeXml } from './write-xml.js'
import { viewOf, writeYaml } from './write-yaml.js'

/**
 * What deploying a chain means: it replaces a chain of the configuration as a whole.
 *
 * @param modelOf the properties that there are, for warnings.
 */
export const createChainHandler = (
  registry: ChainRegistry,
  { modelOf }: { modelOf(deployed: Deployed): Properties },
): PointHandler<ChainDefinition> => ({
  point: CHAINS,
  entityType: 'chain',
  noun: 'chain',
  formats: ['yaml', 'json', 'xml'],
  refusalOfName: refusalOfId,
  defaults: () => registry.defaults,
  examine: async ({ name: id, text, format }, deployed) => {
    const base = registry.of(deployed)
    const { chain, places, mayReplace } = parseChain({ id, text, format })
    checkChain({ chain, places, registry: base })
    const warnings = warningsOfChain({ chain, places, registry: base, model: modelOf(deployed) })
    return { content: chain, mayReplace, plan: planOf(chain, base), warnings }
  },
  checkRemovable: async ({ content: chain }, deployed) => {
    if (registry.defaults.has(chain.id)) return
    const callers = callersOf(chain, registry.of(deployed))
    if (callers.length > 0) throw fail('conflict', `Chain '${chain.id}' is called by ${callers.join(', ')}`)
  },
  write: ({ content }, format, entity = {}) =>
    format === 'json' ? jsonOf(content, entity) : WRITERS[format](content),
  entity: ({ content }) => ({
    ...(content.description !== undefined && { description: content.description }),
    aliases: content.aliases,
    execution: content.execution ?? 'workflow',
  }),
  jsonSchema: (deployed) => jsonSchemaOfChains(registry.of(deployed)),
})

const jsonOf = (chain: ChainDefinition, entity: object): string => {
  const view = viewOf(chain)
  const content = Array.isArray(view) ? { operations: view } : { operations: [], ...view }
  return JSON.stringify({ ...entity, ...content })
}

const WRITERS = { yaml: writeYaml, xml: writeXml }

/** What planning refuses is a fault of the text, whatever its code. */
const planOf = (chain: ChainDefinition, registry: Registry): PlanDescription => {
  try {
    return describePlan(chain, registryWith(registry, chain))
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    throw fail('invalid', error.message, { cause: error, details: [{ message: error.message }] })
  }
}
