import type {
  ChainDefinition,
  Operation,
  Parameter,
  Registry,
} from '../../../core/automation/language/index.js'
import { errorResponses, type FurtherPaths, type JsonSchema } from '../../openapi/index.js'
import { listedParameters } from './listed-parameters.js'
import { operationJson } from './registry-json.js'

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: { type: ['string', 'number', 'boolean'] } }

/** What a call may send for a parameter of each type that is not a plain text (reference: automation.md §3). */
const PARAMETERS: { readonly [type: string]: JsonSchema } = {
  document: { type: ['string', 'object'], description: 'Its id, its path or its entity' },
  documents: { anyOf: [TEXT, TEXTS], description: 'Ids or paths' },
  stringlist: { anyOf: [TEXT, TEXTS], description: 'A list, or a text with commas' },
  properties: {
    anyOf: [TEXT, { type: 'object' }],
    description: 'An object by property, or a text with key=value on each line',
  },
}

/** Numbers and booleans are read as texts, too. */
const AS_TEXT = ['string', 'number', 'boolean']

const PLAIN: { readonly [type: string]: JsonSchema } = {
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  long: { type: 'integer' },
  float: { type: 'number' },
  map: { type: 'object' },
  list: { type: 'array' },
  object: {},
  serializable: {},
}

const refTo = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` })

const schemaOf = ({ type, isRequired }: Pick<Declared, 'type' | 'isRequired'>): JsonSchema => {
  if (type === 'string') return { type: isRequired ? AS_TEXT : [...AS_TEXT, 'null'] }
  return Object.hasOwn(PARAMETERS, type) ? refTo('schemas', `parameter.${type}`) : (PLAIN[type] ?? TEXT)
}

type Declared = Pick<Parameter, 'description' | 'default' | 'values'> & {
  name: string
  type: string
  isRequired: boolean
}

const declaredBy = ({ params }: Operation): Declared[] =>
  listedParameters(params).map(([name, parameter]) => ({
    name,
    ...parameter,
    isRequired: Boolean(parameter.isRequired) && parameter.default === undefined,
  }))

const declaredByChain = ({ params }: ChainDefinition): Declared[] =>
  params.map(({ name, type, description, isRequired, values }) => ({
    name,
    type,
    description,
    isRequired: isRequired && values.length === 0,
    values,
  }))

const parametersOf = (declared: readonly Declared[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    declared.map(({ name, type, isRequired, description, default: otherwise, values = [] }) => [
      name,
      {
        ...schemaOf({ type, isRequired }),
        ...(description && { description }),
        ...(otherwise !== undefined && { default: otherwise }),
        ...(values.length > 0 && { examples: values }),
      },
    ]),
  ),
})

const callOf = (declared: readonly Declared[]): JsonSchema => {
  const required = declared.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: {
      input: {},
      context: { type: ['object', 'null'] },
      params: {
        ...parametersOf(declared),
        ...(required.length > 0 ? { required } : { type: ['object', 'null'] }),
      },
    },
    ...(required.length > 0 && { required: ['params'] }),
  }
}

const RESPONSES: JsonSchema = {
  200: refTo('responses', 'called'),
  204: refTo('responses', 'calledToNothing'),
  ...errorResponses([400, 401, 404]),
}

type Described = {
  id: string
  label: string
  category: string
  description: string
  declared: readonly Declared[]
  takesFiles: boolean
}

const tagOf = (category: string): string => `operations: ${category}`

/** Unique, and of characters that an address may have: a chain may be named by any. */
const operationIdOf = (id: string): string =>
  `call.${id.replace(/[^\w.-]/gu, (character) => `~${character.codePointAt(0)?.toString(16)}`)}`

const itemOf = ({ id, label, category, description, declared, takesFiles }: Described) => {
  const schema = callOf(declared)
  const parts = {
    type: 'object',
    properties: { params: schema, input: { type: 'string', format: 'binary' } },
  }
  return {
    post: {
      operationId: operationIdOf(id),
      summary: label,
      ...(description && { description }),
      tags: [tagOf(category)],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema },
          ...(takesFiles && { 'multipart/form-data': { schema: parts } }),
        },
      },
      responses: RESPONSES,
    },
  }
}

const describedBy = ({ operations, chains }: Registry): Described[] => [
  ...operations.map((operation) => {
    const { signature, ...entry } = operationJson(operation)
    const takesFiles = signature.some((type, at) => at % 2 === 0 && /^(?:blob|bloblist|object)$/.test(type))
    return { ...entry, declared: declaredBy(operation), takesFiles }
  }),
  ...chains.map((chain) => ({
    id: chain.id,
    label: chain.id,
    category: 'Chain',
    description: chain.description ?? '',
    declared: declaredByChain(chain),
    takesFiles: true,
  })),
]

const COMPONENTS: Pick<FurtherPaths, 'schemas' | 'responses'> = {
  schemas: Object.fromEntries(
    Object.entries(PARAMETERS).map(([type, schema]) => [`parameter.${type}`, schema]),
  ),
  responses: {
    called: {
      description: 'The output of the call: an entity, other JSON, a file, or files',
      content: {
        'application/json': {
          schema: {
            anyOf: [
              refTo('schemas', 'value'),
              { type: ['array', 'object'], description: 'Its JSON as it is' },
            ],
          },
        },
        '*/*': { schema: { type: 'string', format: 'binary' } },
      },
    },
    calledToNothing: { description: 'The call has no output' },
  },
}

/** An OpenAPI path for each operation and chain, with its parameters. */
const pathsOf = (registry: Registry): FurtherPaths => {
  const described = describedBy(registry)
  return {
    ...COMPONENTS,
    paths: Object.fromEntries(
      described.map((each) => [`/automation/${encodeURIComponent(each.id)}`, itemOf(each)]),
    ),
    tags: [...new Set(described.map(({ category }) => tagOf(category)))].sort(),
  }
}

/** Describes the current operations and chains: the same object until something is deployed. */
export const createOperationPaths = (current: () => Promise<Registry>): (() => Promise<FurtherPaths>) => {
  const known = new WeakMap<Registry, FurtherPaths>()
  return async () => {
    const registry = await current()
    const paths = known.get(registry) ?? pathsOf(registry)
    known.set(registry, paths)
    return paths
  }
}
