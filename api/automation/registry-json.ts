import {
  type ChainDefinition,
  type Operation,
  type Parameters,
  type Registry,
  signaturesOf,
} from '../../core/automation/index.js'

type ParameterJson = {
  name: string
  description: string
  type: string
  required: boolean
  widget: null
  order: number
  values: readonly string[]
}

type OperationJson = {
  id: string
  aliases?: readonly string[]
  label: string
  category: string
  requires: null
  description: string
  since?: string
  url: string
  signature: readonly string[]
  params: readonly ParameterJson[]
}

const parametersJson = (params: Parameters): ParameterJson[] =>
  Object.entries(params)
    .map(([name, parameter]) => ({
      name,
      description: parameter.description ?? '',
      type: parameter.type,
      required: Boolean(parameter.isRequired),
      widget: null,
      order: 0,
      values: parameter.values ?? (parameter.default === undefined ? [] : [String(parameter.default)]),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required) || a.name.localeCompare(b.name))

/** Flat pairs of types in and out without repetitions; a mapping operation adds the pair of its lists. */
const signatureOf = (operation: Operation): string[] => {
  const lists: { [type: string]: string } = { document: 'documents', blob: 'bloblist' }
  const pairs = operation.methods.flatMap((method) => {
    const own = [method.input, method.output]
    const list = lists[method.input]
    return method.iterates && list ? [own, [list, lists[method.output] ?? list]] : [own]
  })
  const known = new Set<string>()
  return pairs.filter((pair) => !known.has(pair.join()) && known.add(pair.join())).flat()
}

export const operationJson = (operation: Operation): OperationJson => ({
  id: operation.id,
  ...(operation.aliases?.length && { aliases: operation.aliases }),
  label: operation.label,
  category: operation.category,
  requires: null,
  description: operation.description,
  ...(operation.since && { since: operation.since }),
  url: operation.id,
  signature: signatureOf(operation),
  params: parametersJson(operation.params),
})

/** A chain among the operations; its types are those for which a path through it exists. */
export const chainJson = (chain: ChainDefinition, registry: Registry, url: string): OperationJson => ({
  id: chain.id,
  ...(chain.aliases.length > 0 && { aliases: chain.aliases }),
  label: chain.id,
  category: 'Chain',
  requires: null,
  description: chain.description ?? '',
  url,
  signature: signaturesOf(chain, registry).flatMap(({ input, output }) => [input, output]),
  params: chain.params.map((param) => ({
    name: param.name,
    description: param.description ?? '',
    type: param.type,
    required: param.isRequired,
    widget: null,
    order: 0,
    values: param.values,
  })),
})

/** The registry in the order of automation.md §2: operations by label, chains among them and again by themselves. */
export const registryJson = (registry: Registry) => {
  const { operations, chains } = registry
  const all = [
    ...operations.map(operationJson),
    ...chains.map((chain) => chainJson(chain, registry, chain.id)),
  ]
  return {
    paths: { login: 'login' },
    codecs: [],
    operations: all.sort((a, b) => a.label.localeCompare(b.label)),
    chains: chains.map((chain) => chainJson(chain, registry, `Chain.${chain.id}`)),
  }
}
