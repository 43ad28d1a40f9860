export { AUDIT_CURSOR, createAuditStore } from './audit/index.js'
export {
  BULK_CHANNEL,
  createBulkStore,
  createHousekeeping,
  createOpenRunStore,
  createOutboxRelay,
  createUnitsOfWork,
  createWatchHolding,
  ensureRunKey,
  eventsAfter,
  eventsById,
  eventsOfTransaction,
  type OutboxPlace,
  outboxEnd,
  reachOf,
  readBacklog,
} from './automation/index.js'
export { blobReferencesIn, claimBlobStore, createBlobLedger } from './blobs/index.js'
export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  databaseFailure,
  ensureDatabase,
  inSavepoint,
  type Sql,
  whileAlone,
} from './connection/index.js'
export {
  createContributionStore,
  createMarkStore,
  createModelUsage,
  type ModelUsage,
} from './contributions/index.js'
export { createDirectoryLoader, createDirectoryStore, DIRECTORY_CHANNEL } from './directories/index.js'
export {
  applyFulltextRules,
  connectionOf,
  createAccessUpkeep,
  createAclCache,
  createContentStores,
  createWritesTogether,
  deriveAclsAnew,
  pointScopes,
  refreshAceStatuses,
  repairScopes,
  UPKEEP_CHANNEL,
} from './documents/index.js'
export {
  createIdentityStore,
  createLoginTries,
  createWriteLedger,
  IDENTITY_CHANNEL,
} from './identity/index.js'
export { createMailStore, MAIL_CHANNEL } from './mail/index.js'
export { createMediaTasks } from './media/index.js'
export { checkNxql } from './nxql/index.js'
export { createLandmarks, createReaches, createScopesGathered, type QueryMemory } from './queries/index.js'
export { ROUTES_CHANNEL } from './routing/index.js'
export { createIndexFeed } from './search/index.js'
export { createPostgresTransientStore } from './transient/index.js'
