import { z } from 'zod'
import { defineExtensionPoint } from '../../platform/contributions/index.js'
import { searchIndexElements } from './search-index-xml.js'

/** An analyzer, or a part of one, in the words of the engine. */
const component = z.record(z.string(), z.json())

const components = z.record(z.string().regex(/^[A-Za-z]\w*$/, 'letters, digits or "_"'), component)

const analysis = z.strictObject({
  analyzer: components.optional(),
  tokenizer: components.optional(),
  filter: components.optional(),
  char_filter: components.optional(),
  normalizer: components.optional(),
})

/** What a value may be indexed as beside what it is. */
const FIELD_TYPES = [
  ...['text', 'keyword', 'wildcard', 'search_as_you_type', 'token_count'],
  ...['long', 'double', 'boolean', 'date', 'ip', 'geo_point', 'geo_shape'],
] as const

const field = z.strictObject({
  type: z.enum(FIELD_TYPES),
  analyzer: z.string().optional(),
  search_analyzer: z.string().optional(),
  normalizer: z.string().optional(),
  index: z.boolean().optional(),
  doc_values: z.boolean().optional(),
  norms: z.boolean().optional(),
  index_phrases: z.boolean().optional(),
  index_options: z.enum(['docs', 'freqs', 'positions', 'offsets']).optional(),
  ignore_above: z.int().min(1).max(8_191).optional(),
  max_shingle_size: z.int().min(2).max(4).optional(),
  format: z.string().optional().describe('Of dates'),
})

export type AddedField = z.output<typeof field>

const content = z.strictObject({
  analysis: analysis.default({}).describe('Analyzers and their parts, in the words of Elasticsearch'),
  fields: z
    .record(z.string(), z.record(z.string().regex(/^[A-Za-z]\w*$/, 'letters, digits or "_"'), field))
    .default({})
    .describe('By property, what else it is indexed as: dc:title with ngram becomes dc:title.ngram'),
  excludes: z.array(z.string()).default([]).describe('Properties that the index leaves out'),
})

export type SearchIndexContent = z.output<typeof content>

/** What the mapping of the search index has beside what follows from the schemas (nxql-search.md §9.2). */
export const searchIndexPoint = defineExtensionPoint({
  point: 'searchIndex',
  schema: content,
  elements: searchIndexElements,
})
