import type { IndexSides, IndexState, SubtreeTask } from '../../content/stores/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import { PAGE } from './bring.js'
import { followEvents } from './events.js'

/** How long one process feeds an index before others may, after it was heard of last. */
const LEASE_SECONDS = 30

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
  let checkedAt = Number.NEGATIVE_INFINITY

  /**
   * Whether entries have versions that the repository has not given out: its database was restored into another
   * cluster, and whatever is written would lose against what was there before.
   */
  const isAhead = async (name: string): Promise<boolean> => {
    const newest = await engine.newestVersion(name)
    return newest >= (await feed.version())
  }

  /** An index that is gone with a disk, or that is not of this database, is made again. */
  const dropLost = async (indexes: readonly IndexState[]): Promise<void> => {
    if (performance.now() - checkedAt < CHECK_MS) return
    for (const { name, state } of indexes) {
      if (state === 'wanted') continue
      const exists = await engine.exists(name)
      if (exists && !(await isAhead(name))) {
        // Whoever was to index a subtree may have been ended by hand.
        for (const task of await feed.held(name)) await subtree(name, task)
        continue
      }
      await feed.forget(name)
      if (exists) await engine.remove(name)
    }
    checkedAt = performance.now()
  }

  const adapt = async ({ name, state }: IndexState): Promise<void> => {
    const latest = await model()
    if (fitted.get(name) === latest) return
    const fits = await engine.fit(name)
    if (!fits && state === 'live') await feed.want(engine.newName())
    // One that is being built is asked for another in its place once it answers.
    if (fits || state === 'live') fitted.set(name, latest)
  }

  const feedIndex = async (index: IndexState): Promise<number> => {
    const { name } = index
    const lease = () => feed.lease(name, owner, LEASE_SECONDS)
    if (!(await lease())) return 0
    await adapt(index)
    return followEvents(sides, name, {
      onPage: lease,
      subtrees: { limit: largeFrom, start: (task) => subtree(name, task) },
    })
  }

  return {
    round: async () => {
      await dropLost(await feed.list())
      if ((await feed.list()).length === 0) await feed.want(engine.newName())
      let outcome: Awaited<ReturnType<Follower['round']>> = 'nothing'
      for (const index of await feed.list()) {
        if (index.state !== 'live') await build(index.name)
        const count = index.state === 'wanted' ? 0 : await feedIndex(index)
        if (count === PAGE) outcome = 'page'
        else if (count > 0 && outcome === 'nothing') outcome = 'some'
      }
      return outcome
    },
  }
}
