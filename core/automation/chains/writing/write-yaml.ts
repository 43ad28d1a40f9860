import { stringify } from 'yaml'
import type { PropertyValue } from '../../../model/properties/index.js'
import type { ChainDefinition, ChainParameter, ChainStep, ErrorChain } from '../../language/index.js'

type View = { [key: string]: PropertyValue }

const viewOfParam = ({ name, type, description, isRequired, values }: ChainParameter): View => ({
  [name]: {
    type,
    ...(description !== undefined && { description }),
    ...(isRequired && { required: true }),
    ...(values.length > 0 && { values: [...values] }),
  },
})

const viewOfStep = ({ operation, params }: ChainStep): PropertyValue =>
  Object.keys(params).length === 0 ? operation : { [operation]: params }

const viewOfErrorChain = ({ chain, filter, rollback, priority }: ErrorChain): View => ({
  chain,
  ...(filter !== undefined && { filter }),
  ...(!rollback && { rollback }),
  ...(priority !== 0 && { priority }),
})

/**
 * The view of reference: automation.md §8 as plain values: the list of operations alone, or a map when the chain has a
 * description, aliases, parameters, error chains or an execution of its own. `{}` when it has no operations.
 */
export const viewOf = (chain: ChainDefinition): View | PropertyValue[] => {
  if (chain.steps.length === 0) return {}
  const operations = chain.steps.map(viewOfStep)
  const head: View = {
    ...(chain.description !== undefined && { description: chain.description }),
    ...(chain.aliases.length > 0 && { aliases: [...chain.aliases] }),
    ...(chain.execution && { execution: chain.execution }),
    ...(chain.params.length > 0 && { params: chain.params.map(viewOfParam) }),
  }
  const tail: View = chain.onError ? { onError: chain.onError.map(viewOfErrorChain) } : {}
  return Object.keys({ ...head, ...tail }).length === 0 ? operations : { ...head, operations, ...tail }
}

/** A chain's YAML view, in the layout of the reference platform. */
export const writeYaml = (chain: ChainDefinition): string =>
  stringify(viewOf(chain), { indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false })

/**
 * A chain as YAML for clients of the reference platform (reference: automation.md §8): its description, parameters and
 * operations alone, so that what they compare is what they know. It is not what is deployed: `writeYaml` is.
 */
export const writeYamlView = ({ id, description, params, steps }: ChainDefinition): string =>
  writeYaml({
    id,
    ...(description !== undefined && { description }),
    aliases: [],
    params: params.map((param) => ({ ...param, isRequired: false })),
    steps,
  })
