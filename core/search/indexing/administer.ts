import type { IndexFailure, IndexSides, IndexState } from '../../content/stores/index.js'
import { fail } from '../../platform/errors/index.js'
import { bring, bringSubtrees, PAGE } from './bring.js'
import { compareIndex, type Drift } from './drift.js'

/** How the indexes of a repository stand. */
export type IndexingStatus = { indexes: IndexState[]; failures: number }

export const indexingStatus = async ({ feed }: IndexSides): Promise<IndexingStatus> => ({
  indexes: await feed.list(),
  failures: (await feed.failures({ limit: 0, offset: 0 })).total,
})

/** Asks for a new index, which a worker builds. @throws conflict while one is being built. */
export const requestRebuild = async ({ feed, engine }: IndexSides): Promise<void> => {
  if (await feed.want(engine.newName())) return
  throw fail('conflict', 'An index is being built already')
}

/** Names of the indexes that there are; one that is wanted is filled later. */
const existing = async ({ feed }: IndexSides): Promise<string[]> =>
  (await feed.list()).flatMap(({ name, state }) => (state === 'wanted' ? [] : [name]))

/** Indexes some documents again, and, where it is said, all that is below them. Searches find them afterwards. */
export const reindex = async (
  sides: IndexSides,
  ids: readonly string[],
  { isDeep }: { isDeep: boolean },
): Promise<void> => {
  for (const name of await existing(sides)) {
    await bring(sides, name, ids)
    if (isDeep) await bringSubtrees(sides, name, { ids, onPage: async () => undefined })
    await sides.engine.refresh(name)
  }
}

/** Indexes again what the engine has refused. @returns what it refuses still, the first of it. */
export const retryFailures = async (
  sides: IndexSides,
): Promise<{ retried: number; total: number; entries: IndexFailure[] }> => {
  const { total } = await sides.feed.failures({ limit: 0, offset: 0 })
  const ids: string[] = []
  while (ids.length < total) {
    const { entries } = await sides.feed.failures({ limit: PAGE, offset: ids.length })
    if (entries.length === 0) break
    ids.push(...entries.map(({ documentId }) => documentId))
  }
  await reindex(sides, ids, { isDeep: false })
  return { retried: ids.length, ...(await sides.feed.failures({ limit: PAGE, offset: 0 })) }
}

/** Compares the index that answers with the repository. @throws conflict while there is none. */
export const driftOf = async (sides: IndexSides, options: { isRepairing: boolean }): Promise<Drift> => {
  const live = (await sides.feed.list()).find(({ state }) => state === 'live')
  if (!live) throw fail('conflict', 'No index answers yet: one is being built')
  return compareIndex(sides, live.name, options)
}
