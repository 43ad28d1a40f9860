import type { ContentModel } from '../../core/model/content-model/index.js'
import { type Aggregate, type Bucket, nxqlField } from '../../core/search/page-providers/index.js'
import type { Renderer } from '../rest/index.js'

/** Fetches the entities of term keys: `fetch-aggregate: key` (nxql-search.md §8.3). */
export type KeyFetching = { model: ContentModel; resolve: Renderer['resolve'] }

const TERMS: ReadonlySet<string> = new Set(['terms', 'significant_terms'])

/** Buckets with the entities that their keys refer to; a key that refers to nothing is kept. */
const fetchedBuckets = (
  { field, type }: Aggregate,
  buckets: readonly Bucket[],
  { model, resolve }: KeyFetching,
): Promise<readonly object[]> => {
  const resolver = TERMS.has(type) ? model.resolve(nxqlField(field))?.field.resolver : undefined
  if (!resolver) return Promise.resolve(buckets)
  return Promise.all(
    buckets.map(async ({ key, ...counted }) => ({
      key,
      fetchedKey: (await resolve(key, resolver)) ?? key,
      ...counted,
    })),
  )
}

/** An aggregate as nxql-search.md §8.3 shows it. */
const aggregateEntity = async (aggregate: Aggregate, fetching: KeyFetching | undefined): Promise<object> => {
  const { id, field, properties, ranges, selection, type } = aggregate
  const shown = (buckets: readonly Bucket[]) =>
    fetching ? fetchedBuckets(aggregate, buckets, fetching) : buckets
  return {
    'entity-type': 'aggregate',
    id,
    field,
    properties,
    ranges,
    selection,
    type,
    ...('value' in aggregate && { value: aggregate.value }),
    buckets: await shown(aggregate.buckets),
    extendedBuckets: await shown(aggregate.extendedBuckets),
  }
}

/**
 * Aggregates by id; undefined when there are none, so that the page has no such field.
 *
 * @param fetching absent: only keys are shown.
 */
export const aggregationsOf = async (
  aggregates: readonly Aggregate[],
  fetching?: KeyFetching,
): Promise<object | undefined> => {
  if (aggregates.length === 0) return undefined
  const entities = aggregates.map(async (aggregate) => [
    aggregate.id,
    await aggregateEntity(aggregate, fetching),
  ])
  return Object.fromEntries(await Promise.all(entities))
}
