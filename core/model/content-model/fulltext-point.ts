import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { modelName } from './names.js'

export type FulltextContent = z.output<typeof fulltextContent>

const xpaths = z.array(z.string().min(1))

const fulltextContent = z.strictObject({
  fields: xpaths
    .optional()
    .describe('Properties that the index holds; every string of a document when absent'),
  excludedFields: xpaths.default([]).describe('Properties that it leaves out'),
  excludedTypes: z.array(modelName).default([]).describe('Types whose documents no search of words finds'),
  types: z
    .record(modelName, xpaths)
    .default({})
    .describe('By type, the properties that are held of its documents instead'),
  weight: z
    .enum(['A', 'B', 'C'])
    .optional()
    .describe('Rank of its words, A highest; at most one index for each weight'),
})

/**
 * Full-text indexes (nxql-search.md §6): `default` is what `ecm:fulltext` searches, `x` what
 * `ecm:fulltext_x` searches. What an index of weight A or B holds, `default` finds too.
 */
export const fulltextPoint = defineExtensionPoint({
  point: 'fulltext',
  elements: {
    index: { keys: { excludeField: 'excludedFields' }, ignored: ['analyzer', 'catalog', 'fieldType'] },
  },
  name: z.string().regex(/^[A-Za-z]\w*$/, 'letters, digits or "_", a letter first'),
  schema: fulltextContent,
  references: ({ excludedTypes, types }) => [
    ...excludedTypes.map((name, index) => ({ path: ['excludedTypes', index], point: 'types', name })),
    ...Object.keys(types).map((name) => ({ path: ['types', name], point: 'types', name })),
  ],
  check: ({ weight, fields }, { name, all }) => {
    if (name === 'default') {
      return weight === undefined ? [] : [{ path: ['weight'], message: 'default has the weight C' }]
    }
    if (fields === undefined) return [{ path: [], message: 'needs "fields"' }]
    if (weight !== 'A' && weight !== 'B') return [{ path: ['weight'], message: 'must be A or B' }]
    const other = [...all].find(([key, content]) => key !== name && content.weight === weight)
    return other ? [{ path: ['weight'], message: `is the weight of "${other[0]}" already` }] : []
  },
})
