import { z } from 'zod'
import { json, routeGroup, text } from '../../openapi/index.js'
import { operationEntity, registryEntity } from './registry.schema.js'

/** Operations and chains; the parameters of each are in the registry. */
export const registryDocs = routeGroup({
  tag: 'automation',
  path: { operation: 'Id of an operation or chain' },
})({
  getOperations: [
    'GET /automation',
    'All operations and chains',
    {
      query: z.object({ pretty: z.string().optional().describe('true: with line breaks') }),
      200: json('The registry', registryEntity),
    },
  ],
  getOperation: [
    'GET /automation/{operation}',
    'What an operation or chain takes and returns',
    { 200: json('The operation', operationEntity) },
  ],
  getOperationAsYaml: [
    'GET /automation/{operation}/yaml',
    'The steps of a chain, for administrators; {} for an operation',
    { 200: text('application/yaml', 'The chain'), errors: [403] },
  ],
})
