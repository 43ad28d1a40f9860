import type { IndexFeed } from '../../../core/content/stores/index.js'
import type { Database } from '../connection/index.js'
import { createFeedDocuments } from './documents.js'
import { createFeedEvents } from './events.js'
import { createFeedFailures } from './failures.js'
import { createIndexRegistry } from './registry.js'
import { createScopeLookup } from './scopes.js'
import { createWordFolding } from './words.js'

/** What the repository of a database reports to whatever indexes its documents. */
export const createIndexFeed = (database: Pick<Database, 'sql' | 'transaction'>): IndexFeed => ({
  ...createIndexRegistry(database),
  ...createFeedEvents(database.sql),
  ...createFeedDocuments(database.sql),
  ...createFeedFailures(database.sql),
  ...createScopeLookup(database.sql),
  ...createWordFolding(database.sql),
})
