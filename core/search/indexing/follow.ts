import type { IndexSides, IndexState, SubtreeTask } from '../../content/stores/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import { PAGE } from './bring.js'
import { followEvents } from './events.js'

/** How long one process feeds an index before others may, after it was heard of last. */
const LEASE_SECONDS = 30

/** How long it counts on its lease before it takes it again, milliseconds: well before others may. */
const LEASED_MS = 10_000

/** How often it is looked whether the model has changed while nothing happens, milliseconds. */
const MODEL_MS = 1_000

/** How often it is looked whether the engine still has the indexes that it should have, milliseconds. */
const CHECK_MS = 30_000

export type Follower = {
  /** Brings what has happened to the indexes, a page of events each. @returns how much: `page` when there may be more at once. */
  round(): Promise<'nothing' | 'some' | 'page'>
}

/**
 * Keeps the indexes of a repository up to date: the one that answers, and the one that is being built. What has no
 * index gets one.
 *
 * @param options `owner`: name of the process; `model`: the newest one; `build`: has an index built that is wanted, as
 *   often as it is called; `subtree`: has a subtree indexed that is held, as often as it is called; `largeFrom`: how
 *   many documents such a subtree has at least.
 */
export const createFollower = (
  sides: IndexSides,
  {
    owner,
    model,
    build,
    subtree,
    largeFrom = PAGE,
  }: {
    owner: string
    model(): Promise<ContentModel>
    build(name: string): Promise<void>
    subtree(name: string, task: SubtreeTask): Promise<void>
    largeFrom?: number
  },
): Follower => {
  const { feed, engine } = sides
  const fitted = new Map<string, ContentModel>()
  const leasedAt = new Map<string, number>()
  const adaptedAt = new Map<string, number>()
  let checkedAt = Number.NEGATIVE_INFINITY

  const isSince = (moments: ReadonlyMap<string, number>, name: string, ms: number): boolean =>
    performance.now() - (moments.get(name) ?? Number.NEGATIVE_INFINITY) < ms

  /**
   * Whether entries have versions that the repository has not given out: its database was restored into another
   * cluster, and whatever is written would lose against what was there before.
   */
  const isAhead = async (name: string): Promise<boolean> => {
    const newest = await engine.newestVersion(name)
    return newest >= (await feed.version())
  }

  /** An index that is gone with a disk, or that is not of this database, is made again. @returns those that are there. */
  const withoutLost = async (indexes: readonly IndexState[]): Promise<readonly IndexState[]> => {
    if (performance.now() - checkedAt < CHECK_MS) return indexes
    const there: IndexState[] = []
    for (const index of indexes) {
      const { name, state } = index
      const exists = state !== 'wanted' && (await engine.exists(name))
      if (state === 'wanted' || (exists && !(await isAhead(name)))) {
        there.push(index)
        // Whoever was to index a subtree may have been ended by hand.
        if (exists) for (const task of await feed.held(name)) await subtree(name, task)
        continue
      }
      await feed.forget(name)
      if (exists) await engine.remove(name)
    }
    checkedAt = performance.now()
    return there
  }

  const current = async (): Promise<readonly IndexState[]> => {
    const indexes = await withoutLost(await feed.list())
    if (indexes.length > 0) return indexes
    await feed.want(engine.newName())
    return feed.list()
  }

  const lease = async (name: string): Promise<boolean> => {
    if (isSince(leasedAt, name, LEASED_MS)) return true
    const at = performance.now()
    const isOwn = await feed.lease(name, owner, LEASE_SECONDS)
    if (isOwn) leasedAt.set(name, at)
    return isOwn
  }

  const adapt = async ({ name, state }: IndexState): Promise<void> => {
    const latest = await model()
    adaptedAt.set(name, performance.now())
    if (fitted.get(name) === latest) return
    const fits = await engine.fit(name)
    if (!fits && state === 'live') await feed.want(engine.newName())
    // One that is being built is asked for another in its place once it answers.
    if (fits || state === 'live') fitted.set(name, latest)
  }

  const feedIndex = async (index: IndexState): Promise<number> => {
    const { name } = index
    if (!(await lease(name))) return 0
    if (!isSince(adaptedAt, name, MODEL_MS)) await adapt(index)
    return followEvents(sides, name, {
      onPage: () => lease(name),
      // What happened since may be of a type that was deployed since.
      before: () => adapt(index),
      subtrees: { limit: largeFrom, start: (task) => subtree(name, task) },
    })
  }

  return {
    round: async () => {
      let outcome: Awaited<ReturnType<Follower['round']>> = 'nothing'
      for (const index of await current()) {
        if (index.state !== 'live') await build(index.name)
        const count = index.state === 'wanted' ? 0 : await feedIndex(index)
        if (count === PAGE) outcome = 'page'
        else if (count > 0 && outcome === 'nothing') outcome = 'some'
      }
      return outcome
    },
  }
}
