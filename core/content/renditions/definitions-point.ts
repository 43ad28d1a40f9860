import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { filterNames, filterReferences } from '../filters/index.js'

const names = z.array(z.string().min(1)).min(1)

const definition = z.strictObject({
  label: z.string().optional(),
  kind: z.string().optional().describe('Default nuxeo:rendition'),
  icon: z.string().optional().describe('Below the base address of the server'),
  visible: z.stringbool().or(z.boolean()).optional().describe('false: it is fetched by its name alone'),
  storeByDefault: z
    .stringbool()
    .or(z.boolean())
    .optional()
    .describe('true: what was made is kept in the transient store RenditionCache, and not made again'),
  variantPolicy: z.enum(['user']).optional().describe('user: what is kept is kept for each user'),
  converter: z.string().optional().describe('Name of a converter, which is given the main file'),
  operationChain: z
    .string()
    .optional()
    .describe('In place of a converter: an operation or chain that makes a file of the document'),
  allowEmptyBlob: z
    .stringbool()
    .or(z.boolean())
    .optional()
    .describe('true: an operationChain is given documents without a file, too'),
  parameters: z.record(z.string(), z.coerce.string()).optional().describe('Of the converter'),
  available: z
    .strictObject({
      types: names.optional().describe('Of documents'),
      facets: names.optional().describe('Of which a document has one'),
      mimeTypes: names.optional().describe('Of the main file, type/* among them'),
    })
    .optional()
    .describe('All must hold; the document has a main file in any case'),
  filters: filterNames,
})

export type RenditionDefinition = z.output<typeof definition>

/** `renditionDefinitions:` in the configuration: renditions by converters, and which of all are visible. */
export const renditionDefinitionsPoint = defineExtensionPoint({
  point: 'renditionDefinitions',
  elements: {
    renditionDefinition: {
      ignored: ['cmisName', 'class', 'contentType'],
    },
  },
  schema: definition,
  references: ({ converter, filters }) => [
    ...(converter === undefined ? [] : [{ path: ['converter'], point: 'converters', name: converter }]),
    ...filterReferences(filters),
  ],
  check: ({ converter, operationChain, label, kind, icon }, { name }) => {
    if (converter !== undefined && operationChain !== undefined)
      return [{ path: ['operationChain'], message: 'expected either a converter or an operationChain' }]
    return (converter ?? operationChain) === undefined && (label ?? kind ?? icon) !== undefined
      ? [{ path: [], message: `expected the converter or the operationChain of ${name}` }]
      : []
  },
})
