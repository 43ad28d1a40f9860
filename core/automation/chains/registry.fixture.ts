import { type ChainDefinition, createRegistry, defineOperation, type Parameters } from '../language/index.js'
import { parseChain } from './reading/parse-chain.js'

const operation = (
  id: string,
  params: Parameters = {},
  rest: { aliases?: string[]; callsTarget?: 'once' | 'list' } = {},
) =>
  defineOperation({
    id,
    label: id,
    category: 'Test',
    description: `Does ${id}`,
    params,
    methods: ({ method }) => [method('void', 'void', async () => ({ type: 'void' }))],
    ...rest,
  })

/** Operations with parameters of every type, as the tests of this room use them. */
export const testOperations = [
  operation('Context.FetchDocument'),
  operation('Document.Copy', { target: { type: 'document', isRequired: true }, name: { type: 'string' } }),
  operation(
    'Document.Update',
    { properties: { type: 'properties', isRequired: true }, save: { type: 'boolean', default: true } },
    { aliases: ['Update.It'] },
  ),
  operation(
    'RunOperation',
    { id: { type: 'string', isRequired: true }, parameters: { type: 'properties' } },
    { callsTarget: 'once' },
  ),
  operation(
    'Test.Loop',
    {
      id: { type: 'string', isRequired: true },
      list: { type: 'string' },
      item: { type: 'string', default: 'item' },
      parameters: { type: 'properties' },
    },
    { callsTarget: 'list' },
  ),
  operation('Bulk.RunAction', {
    action: { type: 'string', isRequired: true },
    query: { type: 'string', notation: 'nxql' },
    parameters: { type: 'serializable' },
  }),
  operation('Every.Notation', {
    condition: { type: 'string', notation: 'expression' },
    query: { type: 'string', notation: 'nxql' },
    where: { type: 'string', notation: 'conditions' },
    script: { type: 'string', notation: 'statements' },
  }),
  operation('Every.Name', {
    properties: { type: 'properties', names: 'property' },
    types: { type: 'stringlist', names: 'documentType' },
  }),
  operation('Every.Type', {
    text: { type: 'string', aliases: ['words'] },
    flag: { type: 'boolean' },
    count: { type: 'integer' },
    big: { type: 'long' },
    ratio: { type: 'float' },
    on: { type: 'date' },
    one: { type: 'document' },
    many: { type: 'documents' },
    file: { type: 'blob' },
    tags: { type: 'stringlist' },
    values: { type: 'properties' },
    any: { type: 'object' },
    table: { type: 'map' },
    rows: { type: 'list' },
  }),
]

export const chainOf = (id: string, text: string): ChainDefinition =>
  parseChain({ id, text, format: 'yaml' }).chain

export const registryOf = (chains: { [id: string]: string } = {}) =>
  createRegistry(
    testOperations,
    Object.entries(chains).map(([id, text]) => chainOf(id, text)),
  )
