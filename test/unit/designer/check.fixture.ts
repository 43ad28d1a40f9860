import {
  chainsOf,
  createChainHandler,
  createChainRegistry,
  parseChain,
} from '../../../core/automation/chains/index.js'
import { knownNamesRegistry } from '../../../core/automation/lint/index.js'
import { operations } from '../../../core/automation/operations/index.js'
import {
  type ContributionFormat,
  createSnapshots,
  type Deployed,
} from '../../../core/platform/contributions/index.js'
import { type ErrorDetail, isArchivoltError } from '../../../core/platform/errors/index.js'
import {
  configuredPoints,
  readConfigurationOf,
  registries,
} from '../../../runtime/configuration/configuration.js'

const NOTHING: Deployed = { mark: '', of: () => new Map(), points: [] }
const feed = { current: async () => NOTHING, latest: () => NOTHING }

const snapshot = createSnapshots({
  files: await readConfigurationOf(undefined),
  points: configuredPoints,
  apart: [],
  definitions: registries,
  onRefused: (_, error) => {
    throw error
  },
}).configured

const lineOf = (
  { line, column, message, severity }: ErrorDetail,
  isWarning = severity === 'warning',
): string => `${line === undefined ? '' : `${line}:${column} `}${isWarning ? 'warning: ' : ''}${message}`

/**
 * What a designer reads of a chain, line by line, on the product as it is delivered: all its operations and its
 * default configuration. Nothing when all is well.
 *
 * @param others chains that are deployed already, as YAML by id.
 */
export const reported = async (
  text: string,
  { format = 'yaml', others = {} }: { format?: ContributionFormat; others?: { [id: string]: string } } = {},
): Promise<string[]> => {
  const defaults = [
    ...chainsOf(snapshot.contributions),
    ...Object.entries(others).map(([id, other]) => parseChain({ id, text: other, format: 'yaml' }).chain),
  ]
  const registry = createChainRegistry({ operations, defaults, feed })
  const handler = createChainHandler(registry, { namesOf: () => snapshot.get(knownNamesRegistry) })
  try {
    const { warnings = [] } = await handler.examine({ name: 'demo', text, format }, NOTHING)
    return warnings.map((warning) => lineOf(warning, true))
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return error.details.map((detail) => lineOf(detail))
  }
}
