import type { Deployed, PointHandler } from '../../platform/contributions/index.js'
import { type ErrorDetail, fail, isArchivoltError } from '../../platform/errors/index.js'
import type { ChainDefinition, Registry } from '../language/index.js'
import type { KnownNames } from '../lint/index.js'
import { describePlan, type PlanDescription } from '../planning/index.js'
import { CHAINS, type ChainRegistry } from './chain-registry.js'
import { findingsOfChain, registryWith } from './checking/check-chain.js'
import { callersOf, isWhole } from './checking/targets.js'
import { warningsOfChain } from './checking/warnings/chain-warnings.js'
import { refusalOfId } from './ids.js'
import { readChain } from './reading/parse-chain.js'
import { inOrder, refusalOfChain } from './refusals.js'
import { jsonSchemaOfChains } from './writing/json-schema.js'
import { writeXml } from './writing/write-xml.js'
import { viewOf, writeYaml } from './writing/write-yaml.js'

/** Whether what is refused needs no warning as well: of the same place, or of one that the doubt does not know. */
const isAlsoRefused = (refused: ErrorDetail, { field, line, column }: ErrorDetail): boolean =>
  refused.field === field && (line === undefined || (refused.line === line && refused.column === column))

/**
 * What deploying a chain means: it replaces a chain of the configuration as a whole.
 *
 * @param namesOf what is configured and deployed, for warnings.
 */
export const createChainHandler = (
  registry: ChainRegistry,
  { namesOf }: { namesOf(deployed: Deployed): KnownNames },
): PointHandler<ChainDefinition> => ({
  point: CHAINS,
  entityType: 'chain',
  noun: 'chain',
  formats: ['yaml', 'json', 'xml'],
  refusalOfName: refusalOfId,
  defaults: () => registry.defaults,
  draft: ({ name: id, text, format }) => readChain({ id, text, format }).parsed?.chain,
  examine: async ({ name: id, text, format }, deployed, among = deployed) => {
    const base = registry.of(among)
    const { parsed, problems, isDoubtful } = readChain({ id, text, format })
    const isCertain = ({ line }: ErrorDetail) => !isDoubtful || (line !== undefined && !isDoubtful(line))
    const checked = parsed && {
      ...parsed,
      registry: base,
      before: registry.of(deployed),
      isMisshapen: problems.length > 0,
    }
    const wrong = [...problems, ...(checked ? findingsOfChain(checked).filter(isCertain) : [])]
    const doubts = checked ? warningsOfChain({ ...checked, names: namesOf(among) }).filter(isCertain) : []
    const warnings = inOrder(
      doubts.filter((doubt) => !wrong.some((problem) => isAlsoRefused(problem, doubt))),
    )
    if (!parsed || wrong.length > 0) throw refusalOfChain(id, wrong, warnings)
    const { chain, mayReplace } = parsed
    return {
      content: chain,
      mayReplace,
      plan: planOf(chain, base, { isAmongOthers: among !== deployed }),
      warnings,
    }
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
const planOf = (
  chain: ChainDefinition,
  registry: Registry,
  { isAmongOthers }: { isAmongOthers: boolean },
): PlanDescription | object => {
  const deployed = registryWith(registry, chain)
  // One that is refused by itself, with which all are.
  if (isAmongOthers && !isWhole(chain, deployed)) return {}
  try {
    return describePlan(chain, deployed)
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    throw fail('invalid', error.message, { cause: error, details: [{ message: error.message }] })
  }
}
