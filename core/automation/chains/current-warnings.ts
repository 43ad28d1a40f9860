import { type ErrorDetail, isArchivoltError } from '../../platform/errors/index.js'
import type { Callable, ChainDefinition, Registry } from '../language/index.js'
import type { KnownNames } from '../lint/index.js'
import { warningsOfChain } from './checking/warnings/chain-warnings.js'
import { parseChain } from './reading/parse-chain.js'
import { inOrder } from './refusals.js'
import { unknownCallsOf } from './scripts/handler.js'
import type { ChainPlaces } from './types.js'
import { writeYaml } from './writing/write-yaml.js'

const NO_PLACES: ChainPlaces = { aliases: [], steps: [], onError: [] }

/** XML says some things that YAML does not: those are reported without a place. */
const placesOf = (chain: ChainDefinition): ChainPlaces => {
  try {
    return parseChain({ id: chain.id, text: writeYaml(chain), format: 'yaml' }).places
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return NO_PLACES
  }
}

/**
 * What a deployment of a chain or scripted operation would warn of by now: what else is deployed may have changed
 * since. Lines and columns are those of the chain as `writeYaml` writes it, and of the script itself.
 */
export const currentWarnings = (
  callable: Callable,
  { registry, names }: { registry: Registry; names: KnownNames },
): readonly ErrorDetail[] => {
  if (callable.kind === 'chain') {
    const { chain } = callable
    return inOrder(warningsOfChain({ chain, places: placesOf(chain), registry, names }))
  }
  const { script } = callable.operation
  if (!script) return []
  const { wrong, doubtful } = unknownCallsOf(script, { registry, text: script.script })
  return [...wrong, ...doubtful]
}
