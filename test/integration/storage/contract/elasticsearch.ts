import { pino } from 'pino'
import { afterAll } from 'vitest'
import { mergeContributions } from '../../../../core/platform/contributions/index.js'
import { parseSettings } from '../../../../core/platform/settings/index.js'
import {
  beginIndex,
  bringSubtree,
  createFollower,
  fillIndex,
  promoteIndex,
  SUBTREE_START,
} from '../../../../core/search/indexing/index.js'
import type { OpenContent } from '../../../../storage/contract/content/index.js'
import { elasticsearch } from '../../../../storage/elasticsearch/index.js'
import { createIndexFeed } from '../../../../storage/postgres/index.js'
import type { TestElasticsearch } from '../../../support/elasticsearch.js'
import { openContentOn, openDatabase } from './postgres.js'

const REPOSITORY = 'default'

/**
 * Opens repositories whose searches Elasticsearch answers. What is written is indexed when it is waited for.
 *
 * @param name of the repository's indexes, behind those of the settings.
 */
export const openIndexed =
  (settings: TestElasticsearch, name: string): OpenContent =>
  async (rules) => {
    const database = await openDatabase()
    const feed = createIndexFeed(database)
    const search = await elasticsearch.open({
      settings: parseSettings({
        ...settings,
        DATABASE_URL: 'postgres://unused',
        ARCHIVOLT_ELASTICSEARCH_INDEX: `${settings.ARCHIVOLT_ELASTICSEARCH_INDEX}-${name}`,
      }),
      logger: pino({ level: 'silent' }),
      feeds: new Map([[REPOSITORY, feed]]),
      deployed: () => ({ model: rules.model, contributions: mergeContributions([], []) }),
    })
    afterAll(() => search.close())
    const sides = search.indexing!.get(REPOSITORY)!
    const build = async (index: string): Promise<void> => {
      await beginIndex(sides, index)
      await fillIndex(sides, index, { from: { after: null, done: 0 }, report: () => undefined })
      await promoteIndex(sides, index)
    }
    const follower = createFollower(sides, {
      owner: 'test',
      model: async () => rules.model,
      build,
      subtree: async (index, task) => {
        await bringSubtree(sides, { index, task }, { from: SUBTREE_START, report: () => undefined })
      },
    })
    const content = await openContentOn(database, rules, (stores) =>
      search.on({ ...stores, repository: REPOSITORY }),
    )
    return {
      ...content,
      settled: async () => {
        const mark = await feed.mark()
        const isPast = async () => {
          const live = (await feed.list()).find(({ state }) => state === 'live')
          return live !== undefined && feed.isPast(live.name, mark)
        }
        do await follower.round()
        while (!(await isPast()))
      },
    }
  }
