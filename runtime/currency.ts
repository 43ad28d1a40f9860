import type { Logger } from 'pino'
import type { ContributionFeed } from '../core/platform/contributions/index.js'
import { type Currency, createCurrency, forgetting } from '../core/platform/currency/index.js'
import { createMarkStore, type Database } from '../storage/postgres/index.js'
import type { MainDataChanges } from './main-data.js'

/** Keeps what this process remembers of the main database on what any process has committed. */
export const openCurrency = ({
  database,
  feed,
  changes,
  logger,
}: {
  database: Database
  feed: ContributionFeed
  changes: MainDataChanges
  logger: Logger
}): Currency =>
  createCurrency({
    store: createMarkStore(database),
    followers: {
      contributions: {
        isAt: (mark) => feed.latest().mark === mark,
        follow: async () => {
          await feed.current()
        },
      },
      identities: forgetting(changes.identities.announced),
      directories: forgetting(() => changes.entries.announced()),
    },
    onError: (error) => logger.warn(error, 'what is current could not be looked up; will retry'),
  })
