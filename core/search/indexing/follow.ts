import type { IndexSides, IndexState } from '../../content/stores/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import { PAGE } from './bring.js'
import { followEvents } from './events.js'

/** How long one process feeds an index before others may, after it was heard of last. */
const LEASE_SECONDS = 30

/** How often it is looked whether the engine still has the indexes that it should have, milliseconds. */
const CHECK_MS = 30_000

export type Follower = {
  /** Tells the indexes what has happened, a page of events each. @returns whether there may be more at once. */
  round(): Promise<boolean>
}

/**
 * Keeps the indexes of a repository up to date: the one that answers, and the one that is being built. What has no
 * index gets one.
 *
 * @param options `owner`: name of the process; `model`: the newest one; `build`: has an index built that is wanted, as
 *   often as it is called.
 */
export const createFollower = (
  sides: IndexSides,
  {
    owner,
    model,
    build,
  }: { owner: string; model(): Promise<ContentModel>; build(name: string): Promise<void> },
): Follower => {
  const { feed, engine } = sides
  const fitted = new Map<string, ContentModel>()
  let checkedAt = Number.NEGATIVE_INFINITY

  /** Its index is gone with a disk, or with a restored database: it is made again. */
  const dropLost = async (indexes: readonly IndexState[]): Promise<void> => {
    if (performance.now() - checkedAt < CHECK_MS) return
    for (const { name, state } of indexes)
      if (state !== 'wanted' && !(await engine.exists(name))) await feed.forget(name)
    checkedAt = performance.now()
  }

  const adapt = async (name: string): Promise<void> => {
    const latest = await model()
    if (fitted.get(name) === latest) return
    if (!(await engine.fit(name))) await feed.want(engine.newName())
    fitted.set(name, latest)
  }

  const feedIndex = async (name: string): Promise<number> => {
    const lease = () => feed.lease(name, owner, LEASE_SECONDS)
    if (!(await lease())) return 0
    await adapt(name)
    return followEvents(sides, name, lease)
  }

  return {
    round: async () => {
      await dropLost(await feed.list())
      if ((await feed.list()).length === 0) await feed.want(engine.newName())
      let isMore = false
      for (const { name, state } of await feed.list()) {
        if (state !== 'live') await build(name)
        if (state !== 'wanted') isMore = (await feedIndex(name)) === PAGE || isMore
      }
      return isMore
    },
  }
}
