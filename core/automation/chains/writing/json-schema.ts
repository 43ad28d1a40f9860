import {
  type ChainParameter,
  EXECUTIONS,
  type Operation,
  type Parameter,
  type ParameterType,
  type Registry,
} from '../../language/index.js'
import { PARAMETER_TYPES } from '../reading/literals.js'

type JsonSchema = { [key: string]: unknown }

const TEXT = { type: 'string' }
const SCALAR = { type: ['string', 'number', 'boolean'] }
const TEXTS = { type: 'array', items: SCALAR }

/** What may be written for a parameter of each type; every text may also be an expression. */
const LITERALS: { [type in ParameterType]: JsonSchema } = {
  string: SCALAR,
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  long: { type: 'integer' },
  float: { type: 'number' },
  date: { type: 'string' },
  document: TEXT,
  documents: { anyOf: [TEXT, TEXTS] },
  blob: { $ref: '#/$defs/expression' },
  stringlist: { anyOf: [SCALAR, TEXTS] },
  resource: TEXT,
  properties: { anyOf: [{ type: 'object' }, TEXT] },
  serializable: {},
  object: {},
  map: { type: 'object' },
  list: { type: 'array' },
}

const literalOf = (type: string): JsonSchema =>
  Object.hasOwn(LITERALS, type) ? LITERALS[type as ParameterType] : SCALAR

const EXPRESSION = { $ref: '#/$defs/expression' }

const valueSchema = (type: string, details: JsonSchema): JsonSchema => ({
  ...details,
  anyOf: [literalOf(type), EXPRESSION, { type: 'null' }],
})

const ofParameter = ({ type, description, default: fallback, values }: Parameter): JsonSchema =>
  valueSchema(type, {
    ...(description && { description }),
    ...(fallback !== undefined && { default: fallback }),
    ...(values && values.length > 0 && { examples: values }),
  })

const ofChainParameter = ({ type, description, values }: ChainParameter): JsonSchema =>
  valueSchema(type, {
    ...(description && { description }),
    ...(values.length > 0 && { default: values[0], examples: values }),
  })

const textsOf = (title: string, description: string | undefined): JsonSchema => ({
  title,
  ...(description && { description }),
})

/** A step that requires a parameter cannot do without the map of them. */
const parametersOf = (required: readonly string[]): JsonSchema =>
  required.length > 0 ? { type: 'object', required } : { type: ['object', 'null'] }

/**
 * The map of parameters of one operation. A schema cannot see that a parameter of the chain fills a required
 * one of the same name (reference: automation.md §6), so an editor may ask for what the deployment would not.
 */
const ofOperation = ({ label, description, params }: Operation): JsonSchema => {
  const entries = Object.entries(params)
  const properties = entries.flatMap(([name, parameter]) =>
    [name, ...(parameter.aliases ?? [])].map((key) => [key, ofParameter(parameter)] as const),
  )
  const required = entries.flatMap(([name, { isRequired, aliases = [], default: fallback }]) =>
    isRequired && fallback === undefined && aliases.length === 0 ? [name] : [],
  )
  return {
    ...textsOf(label, description),
    ...parametersOf(required),
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}

const ofChain = ({ id, description, params }: Registry['chains'][number]): JsonSchema => ({
  ...textsOf(`Chain ${id}`, description),
  ...parametersOf(
    params.flatMap(({ name, isRequired, values }) => (isRequired && values.length === 0 ? [name] : [])),
  ),
  properties: Object.fromEntries(params.map((param) => [param.name, ofChainParameter(param)])),
})

const DECLARED_PARAMETER: JsonSchema = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      type: { enum: PARAMETER_TYPES, default: 'string' },
      description: { type: 'string' },
      required: { type: 'boolean', default: false },
      values: { ...TEXTS, description: 'Hints; the first one is also the default' },
    },
  },
}

const ERROR_CHAIN: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chain'],
  properties: {
    chain: { ...TEXT, description: 'The chain that runs; it must not commit on its way' },
    filter: { ...TEXT, description: 'An expression that must be true; exceptionName names the failure' },
    rollback: {
      type: 'boolean',
      default: true,
      description: 'false: what was done before the failed step is kept',
    },
    priority: { type: 'number', default: 0, description: 'The highest wins, and the last of equals' },
  },
}

/**
 * JSON Schema (2020-12) of a chain's YAML or JSON, with every operation and deployed chain that a step can
 * name, so that an editor completes and checks what is written.
 */
export const jsonSchemaOfChains = (registry: Registry): JsonSchema => {
  const callables = [
    ...registry.operations.map((operation) => ({ ...operation, schema: ofOperation(operation) })),
    ...registry.chains.map((chain) => ({ ...chain, schema: ofChain(chain) })),
  ]
  const bare = callables
    .filter(({ schema }) => !('required' in schema))
    .flatMap(({ id, aliases = [] }) => [id, ...aliases])
  const steps = callables.flatMap(({ id, aliases = [] }) =>
    [id, ...aliases].map((name) => [name, { $ref: `#/$defs/${definitionOf(id)}` }] as const),
  )
  const operations = { type: 'array', items: { $ref: '#/$defs/step' } }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Automation chain',
    anyOf: [operations, { $ref: '#/$defs/chain' }],
    $defs: {
      chain: {
        type: 'object',
        additionalProperties: false,
        properties: {
          description: { type: 'string' },
          aliases: { type: 'array', items: TEXT, description: 'Other names of the chain' },
          execution: {
            enum: EXECUTIONS,
            default: 'workflow',
            description:
              'inline: one transaction of the process that is asked, without operations that commit',
          },
          params: {
            description: 'Parameters of the chain; also read by its operations under the same name',
            type: 'array',
            items: DECLARED_PARAMETER,
          },
          operations,
          onError: {
            description:
              'Chains of which one runs when this one fails: the highest priority whose filter is true',
            type: 'array',
            items: ERROR_CHAIN,
          },
        },
      },
      step: {
        anyOf: [
          { type: 'string', enum: bare },
          {
            type: 'object',
            minProperties: 1,
            maxProperties: 1,
            additionalProperties: false,
            properties: Object.fromEntries(steps),
          },
        ],
      },
      expression: { type: 'string', pattern: '^expr:', description: 'Evaluated when the step runs' },
      ...Object.fromEntries(callables.map(({ id, schema }) => [definitionOf(id), schema])),
    },
  }
}

/**
 * Kept apart from the names of the schema's own definitions, and free of what a reference would have to
 * escape: not every editor undoes that.
 */
const definitionOf = (id: string): string =>
  `call.${id.replace(/[^\w.-]/gu, (character) => `:${character.codePointAt(0)?.toString(16)}:`)}`
