import { setTimeout as pause } from 'node:timers/promises'
import type { NativeConnection } from '@temporalio/worker'
import type { IndexSides } from '../../core/content/stores/index.js'
import { isPropertyTrue } from '../../core/platform/configuration/index.js'
import { createFollower, ELASTICSEARCH_ENABLED } from '../../core/search/indexing/index.js'
import { startSearchIndex, startSearchSubtree, temporalOn } from '../../engine/index.js'
import type { Platform } from '../../runtime/index.js'
import { createIndexFeed } from '../../storage/postgres/index.js'

/**
 * Poll intervals in milliseconds: the usual one, the bounds of the one while documents are written, and the one while the
 * search engine, or something else, is away.
 */
const LOOK_MS = 250
const BUSY_MS = { least: 50, most: 400 }
const AWAY_MS = 5_000

/**
 * How long to wait after a round that has taken so long, while documents are written: as long. Where writers keep the
 * processors busy rounds take longer, and so fewer of them each do more, which costs less for each document.
 */
const busyPause = (tookMs: number): number => Math.min(BUSY_MS.most, Math.max(BUSY_MS.least, tookMs))

/** How often it is made sure that an index which is to be built has its workflow, milliseconds. */
const BUILD_MS = 10_000

type Followed = { platform: Platform; connection: NativeConnection; signal: AbortSignal }

const followerOf = (sides: IndexSides, repository: string, { platform, connection }: Followed) => {
  const temporal = temporalOn(connection, platform)
  const startedAt = new Map<string, number>()
  const place = repository !== platform.repository ? { repository } : {}
  return createFollower(sides, {
    owner: platform.settings.node,
    model: async () => {
      await platform.deployed.feed.current()
      return platform.snapshot().model
    },
    build: async (index) => {
      if (performance.now() - (startedAt.get(index) ?? Number.NEGATIVE_INFINITY) < BUILD_MS) return
      startedAt.set(index, performance.now())
      await startSearchIndex(temporal, { index, ...place })
    },
    subtree: (index, task) => startSearchSubtree(temporal, { index, task, ...place }),
  })
}

const follow = async (sides: IndexSides, repository: string, followed: Followed): Promise<void> => {
  const { platform, signal } = followed
  const follower = followerOf(sides, repository, followed)
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    try {
      const isEnabled = isPropertyTrue(platform.snapshot().contributions, ELASTICSEARCH_ENABLED)
      const startedAt = performance.now()
      const outcome = isEnabled ? await follower.round() : 'nothing'
      if (outcome !== 'page')
        await wait(outcome === 'some' ? busyPause(performance.now() - startedAt) : LOOK_MS)
    } catch (error) {
      platform.logger.warn(error, 'documents could not be indexed; will retry')
      await wait(AWAY_MS)
    }
  }
}

/** Without a search engine nothing reads the outbox for its indexes, whose positions would keep all events. */
const forgetIndexes = async ({ databases, logger }: Platform): Promise<void> => {
  for (const database of databases) {
    const feed = createIndexFeed(database)
    for (const { name } of await feed.list()) {
      await feed.forget(name)
      logger.warn({ index: name }, 'searches have no search engine any more: its index is forgotten')
    }
  }
}

/**
 * Notifies the indexes of each repository of what has happened there, and has those built that are missing. One worker at a
 * time feeds an index.
 *
 * @returns a function that stops it.
 */
export const startIndexing = async ({
  connection,
  platform,
}: {
  connection: NativeConnection
  platform: Platform
}): Promise<() => Promise<void>> => {
  if (platform.indexing.size === 0) await forgetIndexes(platform)
  const ending = new AbortController()
  const following = [...platform.indexing].map(([repository, sides]) =>
    follow(sides, repository, { platform, connection, signal: ending.signal }),
  )
  return async () => {
    ending.abort()
    await Promise.all(following)
  }
}
