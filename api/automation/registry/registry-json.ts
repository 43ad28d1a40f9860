import {
  type ChainDefinition,
  collectedType,
  type Operation,
  type Parameters,
  type Registry,
  type ValueType,
} from '../../../core/automation/language/index.js'
import { signaturesOf } from '../../../core/automation/planning/index.js'
import { listedParameters } from './listed-parameters.js'

export type ParameterJson = {
  name: string
  description: string
  type: string
  required: boolean
  widget: null
  order: number
  values: readonly string[]
}

export type OperationJson = {
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

/** Types that current clients know (reference: automation.md §2): one of them fails at any other. */
const WIRE_TYPES = new Set(
  (
    'blob boolean date document documents int integer long list map object properties resource serializable ' +
    'string stringlist validationmethod'
  ).split(' '),
)

/** Clients have no name for numbers with fractions; other types that chains declare are read as text. */
const wireTypeOf = (type: string): string => {
  if (WIRE_TYPES.has(type)) return type
  return type === 'float' ? 'object' : 'string'
}

/** Sorts as Java does, so that clients find the order that they know. */
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type Declared = Pick<ParameterJson, 'name' | 'type' | 'required' | 'values'> & {
  description: string | undefined
}

/** Required parameters first, then by name. */
const parametersJson = (declared: readonly Declared[]): ParameterJson[] =>
  declared
    .map(({ name, description = '', type, required, values }) => ({
      name,
      description,
      type: wireTypeOf(type),
      required,
      widget: null,
      order: 0,
      values,
    }))
    .sort((a, b) => Number(b.required) - Number(a.required) || byText(a.name, b.name))

/** The default comes first. */
const hintsOf = ({ values = [], default: otherwise }: Parameters[string]): readonly string[] =>
  otherwise === undefined ? values : [...new Set([String(otherwise), ...values])]

const declaredBy = (params: Parameters): Declared[] =>
  listedParameters(params).map(([name, parameter]) => ({
    name,
    description: parameter.description,
    type: parameter.type,
    required: Boolean(parameter.isRequired),
    values: hintsOf(parameter),
  }))

/** What passes through an operation that takes any input. */
const ANY_INPUT = ['document', 'documents', 'blob', 'bloblist'] as const

/** Flat pairs of types in and out without repetitions; a mapping operation adds the pair of its lists. */
const signatureOf = (operation: Operation): string[] => {
  const lists: { [type in ValueType]?: ValueType } = { document: 'documents', blob: 'bloblist' }
  const pairs = operation.methods.flatMap((method) => {
    const own = [method.input, method.output]
    const list = lists[method.input]
    if (operation.takesAnyInput) return [own, ...ANY_INPUT.map((type) => [type, type])]
    return method.iterates && list ? [own, [list, collectedType(method.output, list)]] : [own]
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
  params: parametersJson(declaredBy(operation.params)),
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
  params: parametersJson(
    chain.params.map(({ name, description, type, isRequired, values }) => ({
      name,
      description,
      type,
      required: isRequired,
      values,
    })),
  ),
})

const byLabel = (a: OperationJson, b: OperationJson): number => byText(a.label, b.label) || byText(a.id, b.id)

/** All operations and chains, by label. */
export const listOf = (registry: Registry): OperationJson[] =>
  [
    ...registry.operations.map(operationJson),
    ...registry.chains.map((chain) => chainJson(chain, registry, chain.id)),
  ].sort(byLabel)

/** The registry in the order of reference: automation.md §2: operations by label, chains among them and again by themselves. */
export const registryJson = (registry: Registry) => ({
  paths: { login: 'login' },
  codecs: [],
  operations: listOf(registry),
  chains: registry.chains.map((chain) => chainJson(chain, registry, `Chain.${chain.id}`)).sort(byLabel),
})
