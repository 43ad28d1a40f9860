import { HIDING_LISTS } from '../../content/documents/index.js'
import type { ContentModel, ResolvedField } from '../../model/content-model/index.js'
import type { Contributions } from '../../platform/contributions/index.js'
import { type AddedField, type SearchIndexContent, searchIndexPoint } from './search-index-point.js'

/** What contributions add to the mapping of a search index. */
export type IndexShape = {
  analysis: SearchIndexContent['analysis']
  /** Added fields by where their property stands in the index, names separated by `/`, and their own names. */
  fields: { readonly [place: string]: { readonly [name: string]: AddedField } }
  /** Keys of properties that are left out. */
  excludes: readonly string[]
}

/**
 * Of no contribution. Lists with ids that are hidden from some who read their document stay out of each index: the ways in
 * which an engine can be asked about a field are too many to keep all of them closed.
 */
export const NO_ADDITIONS: IndexShape = { analysis: {}, fields: {}, excludes: HIDING_LISTS }

export const KINDS = ['analyzer', 'tokenizer', 'filter', 'char_filter', 'normalizer'] as const

export type Named = { name: string; content: SearchIndexContent }

export const namedOf = (contributions: Contributions): Named[] =>
  [...contributions.get(searchIndexPoint)].map(([name, content]) => ({ name, content }))

const placeOf = ({ key, steps }: ResolvedField): string =>
  [key, ...steps.filter((step) => typeof step === 'string' && !step.startsWith('*'))].join('/')

/** Where the values of an xpath stand in an index; undefined for an unknown one. */
export const resolvedPlace = (model: ContentModel, xpath: string): string | undefined => {
  const resolved = model.resolve(xpath)
  return resolved && placeOf(resolved)
}

const sorted = <Value>(record: { readonly [name: string]: Value }): { [name: string]: Value } =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * What all contributions add to a search index, in an order of its own: equal shapes are equal texts in JSON.
 *
 * @param model what `indexShapeRegistry` has checked them with.
 */
export const indexShapeOf = (contributions: Contributions, model: ContentModel): IndexShape => {
  const all = namedOf(contributions)
  const analysis = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const entries = Object.assign({}, ...all.map(({ content }) => content.analysis[kind] ?? {}))
      return Object.keys(entries).length > 0 ? [[kind, sorted(entries)]] : []
    }),
  )
  const fields = new Map<string, { [name: string]: AddedField }>()
  for (const { content } of all)
    for (const [xpath, own] of Object.entries(content.fields)) {
      const place = resolvedPlace(model, xpath)
      if (place !== undefined) fields.set(place, sorted({ ...fields.get(place), ...own }))
    }
  const contributed = all.flatMap(({ content }) =>
    content.excludes.flatMap((key) => model.resolve(key)?.key ?? []),
  )
  return {
    analysis,
    fields: sorted(Object.fromEntries(fields)),
    excludes: [...new Set([...NO_ADDITIONS.excludes, ...contributed])].sort(),
  }
}
