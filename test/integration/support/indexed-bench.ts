import type { Principal } from '../../../core/access/security/index.js'
import { searchDocuments } from '../../../core/content/documents/index.js'
import type { IndexSides, SubtreeTask } from '../../../core/content/stores/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import {
  beginIndex,
  bringSubtree,
  catchUp,
  createFollower,
  fillIndex,
  promoteIndex,
  SUBTREE_START,
} from '../../../core/search/indexing/index.js'
import type { TestElasticsearch } from '../../support/elasticsearch.js'
import { ADMINISTRATOR, createOperationBench } from './operations-support.js'

/** Operations on a repository with an index, which follows when it is asked to: a worker does so all the time. */
export const createIndexedBench = async (settings: TestElasticsearch) => {
  const bench = await createOperationBench(settings)
  const { platform } = bench
  const sides = platform.indexing.get('default')!
  const build = async (name: string): Promise<void> => {
    await beginIndex(sides, name)
    await fillIndex(sides, name, { from: { after: null, done: 0 }, report: () => undefined })
    await catchUp(sides, name, { subtree: (task) => subtree(name, task) })
    await promoteIndex(sides, name)
  }
  const subtree = async (index: string, task: SubtreeTask): Promise<void> => {
    await bringSubtree(sides, { index, task }, { from: SUBTREE_START, report: () => undefined })
  }
  const followerOn = (of: IndexSides, options: Partial<Parameters<typeof createFollower>[1]> = {}) =>
    createFollower(of, {
      owner: 'test',
      model: async () => platform.snapshot().model,
      build,
      subtree,
      ...options,
    })
  const follower = followerOn(sides)
  /** Brings to the index all that is committed. */
  const follow = async (followed = follower): Promise<void> => {
    const mark = await sides.feed.mark()
    const isPast = async () => {
      const live = (await sides.feed.list()).find(({ state }) => state === 'live')
      return live !== undefined && sides.feed.isPast(live.name, mark)
    }
    do await followed.round()
    while (!(await isPast()))
  }
  const search = async (query: string, principal: Principal = ADMINISTRATOR): Promise<string[]> => {
    const { entries } = await searchDocuments(platform.readSession(principal), query)
    return entries.map(({ id }) => id)
  }
  /** Whether the index answers, and not the repository. */
  const isIndexed = async (query: string, principal: Principal = ADMINISTRATOR): Promise<boolean> => {
    const { stores, model, now } = platform.readSession(principal)
    return 'index' in (await stores.search.explain(parseNxql(query), { model, principal, now }, 10))
  }
  return { ...bench, sides, follow, followerOn, search, isIndexed }
}
