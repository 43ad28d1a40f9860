import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  type Authenticator,
  createIdentityChanges,
  FIRST_ADMINISTRATOR,
  type PasswordPolicy,
  STANDARD_COST,
} from '../core/access/identity/index.js'
import { SYSTEM } from '../core/access/security/index.js'
import { labelOf } from '../core/automation/events/index.js'
import { grantsListener } from '../core/automation/routing/instances/index.js'
import type { OpenRunStore, RunKey } from '../core/automation/run-store/index.js'
import { createDirectoryCache, dataFilesOf } from '../core/content/directories/index.js'
import type { DocumentListener } from '../core/content/documents/index.js'
import { createPlaceholders } from '../core/content/media/index.js'
import type { OpenSearch, SearchBackend } from '../core/content/stores/index.js'
import { type AccountedBlobStore, createAccountedStore } from '../core/files/blobs/index.js'
import type { TransientFileStore } from '../core/files/transient/index.js'
import type { Uploads } from '../core/files/uploads/index.js'
import type { ContentModel } from '../core/model/content-model/index.js'
import type { Contributions } from '../core/platform/contributions/index.js'
import { fail, isArchivoltError } from '../core/platform/errors/index.js'
import { createListeners } from '../core/platform/events/index.js'
import { createOwnerQuota, createWriteBudget, type OwnerQuota } from '../core/platform/limits/index.js'
import { createExpressionEngine, type ExpressionEngine } from '../core/platform/sandbox/expressions/index.js'
import { openExpressionThreads } from '../core/platform/sandbox/scripts/index.js'
import { DEFAULT_REPOSITORY, type Settings } from '../core/platform/settings/index.js'
import { createWorkMetrics, type HealthCheck, type WorkMetrics } from '../core/platform/telemetry/index.js'
import {
  createContributionStore,
  createDirectoryLoader,
  type Database,
  DIRECTORY_CHANNEL,
  deriveAclsAnew,
  ensureRunKey,
  IDENTITY_CHANNEL,
  repairScopes,
} from '../storage/postgres/index.js'
import { openAuthenticator } from './authentication.js'
import type { AfterCommit } from './automation/after-commit.js'
import { backends } from './backends.js'
import { dataFilesBeyond, loadDirectoryData, lockSeeds } from './configuration/directory-data.js'
import { seed, seedContent } from './configuration/first-start.js'
import {
  createPlatformSnapshots,
  type PlatformSnapshot,
  type PlatformSnapshots,
} from './configuration/snapshots.js'
import { openCurrency } from './currency.js'
import { databaseCheck, measureDatabases, notificationsCheck, openDatabases, orClose } from './databases.js'
import { requireBlobFolder } from './files/blob-folder.js'
import { createUploadServices } from './files/uploads.js'
import type { MainDataChanges } from './main-data.js'
import { createRepository, type EventChains, type Repository } from './repository.js'

/** What a process of the product, API or worker, is built from. */
export type Platform = Omit<Repository, 'name' | 'database'> & {
  settings: Settings
  logger: Logger
  /** Name of the repository that sessions of this value work on. */
  repository: string
  /** The same platform on each of its repositories, by name. */
  repositories: ReadonlyMap<string, Platform>
  /** The main one: users, groups, contributions, and the documents of the default repository. */
  database: Database
  /** The database of each repository, the main one first. */
  databases: readonly Database[]
  /** What is configured and deployed at this moment; a session keeps the one that it began with. */
  snapshot(): PlatformSnapshot
  deployed: Omit<PlatformSnapshots, 'latest'>
  blobs: AccountedBlobStore
  uploads: Uploads
  /** Streams of progress that are open in this process. */
  progressStreams: OwnerQuota
  /** Those that are configured at this moment. */
  /** The one of a name, as it is configured now. */
  transientStore(name: string): TransientFileStore
  transientStores(): TransientFileStore[]
  /** Count the open runs of users, and their open conversions. */
  openRuns: OpenRunStore
  openConversions: OpenRunStore
  /** The one sandbox of the process. */
  expressions: ExpressionEngine
  /** By which runs of this installation are signed, where the settings have no key. */
  runKey: RunKey
  /** Principals that workflows act for are looked up as of the call. */
  authenticator: Authenticator
  currency: {
    /** See `Currency`. What is asked afterwards is decided by whatever any process had committed before this call. */
    current(): Promise<void>
    /** What this process knows: other values whenever it has learnt of a change. */
    known(): { identities: number; entries: number; deployed: string }
  }
  /** What runs chains that events start; the process's runtime takes its place. */
  eventChains: EventChains
  /** What callers wait for after their transactions; the process's engine sets it. */
  afterCommit: AfterCommit
  healthChecks: readonly HealthCheck[]
  metrics: WorkMetrics
  /** The indexes of each repository, by its name, for whatever feeds them; empty where there are none. */
  indexing: NonNullable<OpenSearch['indexing']>
  /** What follows the audit of each repository, by its name; empty where nothing does. */
  auditIndexes: NonNullable<OpenSearch['auditIndexes']>
  /** Searches in the language of the search engine; undefined where there is none. */
  engineSearches: OpenSearch['engineSearches']
  /** Fits what every backend has indexed to a content model that was deployed. */
  followModel(model: ContentModel): Promise<void>
  close(): Promise<void>
}

/**
 * Builds the product on PostgreSQL and a folder of blobs. The first process to do so on a new database makes
 * its tables, groups, administrator and default content; those that start beside it wait.
 *
 * @param options a process whose log nobody watches leaves the administrator, and the password, to another;
 *   `listeners` are notified of what happens to documents, inside its transaction; `search` takes the place of
 *   the backend of searches.
 * @throws invalid for a broken configuration, or the driver's error when the database cannot be reached.
 */
export const createPlatform = async (
  settings: Settings,
  logger: Logger,
  {
    makesAdministrator = true,
    listeners = [],
    search = backends.search,
  }: {
    makesAdministrator?: boolean
    listeners?: readonly DocumentListener[]
    search?: SearchBackend
  } = {},
): Promise<Platform> => {
  const databases = await openDatabases(settings)
  const database = databases[0]!.database
  const blobFolder = join(settings.home, 'blobs')
  const { latest, ...deployed } = await orClose(databases, async () => {
    await requireBlobFolder(blobFolder, database)
    return createPlatformSnapshots(settings, { store: createContributionStore(database), logger })
  })
  const { contributions } = latest()
  const writes = createWriteBudget(backends.writeLedger(database), settings.userWrites)
  const passwords: PasswordPolicy = { cost: STANDARD_COST, ...settings.passwords }
  const runKey = await ensureRunKey(database.sql)
  const expressions = await createExpressionEngine({}, { openThreads: openExpressionThreads })
  const changes = { identities: createIdentityChanges(), entries: createDirectoryCache() }
  const openSearch = await search.open({
    settings,
    logger,
    feeds: new Map(databases.map(({ name, database: own }) => [name, backends.indexFeed(own)])),
    deployed: latest,
  })
  // Default content is made before chains can run, and by the system, for which none do.
  const eventChains: EventChains = { run: async () => undefined }
  const afterCommit: AfterCommit = {}
  const store = await backends.blobs(settings)
  const placeholders = createPlaceholders((bytes) => blobs.write(bytes))
  const repositories = databases.map(({ name, database: own }) =>
    createRepository({
      placeBlob: store.place,
      placeholders,
      name,
      database: own,
      snapshot: latest,
      users: name === DEFAULT_REPOSITORY ? undefined : database.sql,
      changes,
      passwords,
      expressions,
      search: openSearch,
      connections: { places: settings.databasePool, waitTimeoutMs: settings.databaseWaitSeconds * 1000 },
      holdSeconds: settings.holdSeconds,
      writes,
      eventChains,
      afterCommit,
      listeners: createListeners([grantsListener, ...listeners], (error, listener, { event, documentId }) =>
        logger.error({ err: error, listener: listener.name, event, documentId }, 'a listener failed'),
      ),
    }),
  )
  const metrics = createWorkMetrics(settings)
  measureDatabases(metrics, databases)
  const main = repositories[0]!
  const blobs = createAccountedStore(store, {
    ledger: backends.blobLedger(database),
    quotas: settings.fileQuotas,
  })
  for (const repository of repositories)
    await firstStart({
      repository,
      contributions,
      configured: deployed.snapshots.configured.contributions,
      settings,
      passwords,
      logger,
      makesAdministrator,
    })
  eventChains.run = async (_, { subscription }) => {
    throw fail('unavailable', `This process runs no chains, and so not ${labelOf(subscription)}`)
  }

  await openSearch.followModel(latest().model)
  await listenToChanges(database, changes)
  const currency = openCurrency({ database, feed: deployed.feed, changes, logger })
  const authenticator = openAuthenticator({ database, snapshot: latest, passwords, changes, logger })

  const byName = new Map<string, Platform>()
  const shared = {
    settings,
    logger,
    database,
    databases: repositories.map((repository) => repository.database),
    snapshot: latest,
    deployed,
    blobs,
    ...createUploadServices({ settings, database, blobs, contributions: () => latest().contributions }),
    progressStreams: createOwnerQuota(settings.progressStreams),
    openRuns: backends.openRuns(database.sql),
    openConversions: backends.openRuns(database.sql, 'conversion'),
    expressions,
    indexing: openSearch.indexing ?? new Map(),
    auditIndexes: openSearch.auditIndexes ?? new Map(),
    engineSearches: openSearch.engineSearches,
    metrics,
    runKey,
    eventChains,
    afterCommit,
    authenticator: {
      ...authenticator,
      principal: async (name: string) => {
        await currency.current()
        return authenticator.principal(name)
      },
    },
    currency: {
      current: currency.current,
      known: () => ({
        identities: changes.identities.count,
        entries: changes.entries.count,
        deployed: deployed.feed.latest().mark,
      }),
    },
    healthChecks: [
      ...repositories.map(databaseCheck),
      ...repositories.map(notificationsCheck),
      ...openSearch.healthChecks,
      { name: 'blobs', isRequired: true, check: blobs.check },
    ],
    followModel: async (model: ContentModel) => {
      for (const { transaction } of databases.map((each) => each.database))
        await transaction((sql) => backends.content.followModel(sql, model))
      await openSearch.followModel(model)
    },
    repositories: byName,
    close: async () => {
      currency.close()
      await deployed.feed.close()
      await openSearch.close()
      await Promise.all(repositories.map((repository) => repository.database.close()))
      expressions.dispose()
    },
  }
  for (const { name, withSession, withSingleWrite, readSession, units } of repositories)
    byName.set(name, { ...shared, repository: name, withSession, withSingleWrite, readSession, units })
  return byName.get(main.name)!
}

/** What others commit, and, after the channel was lost, whatever they may have committed meanwhile. */
const listenToChanges = async (
  { listening }: Database,
  { identities, entries }: MainDataChanges,
): Promise<void> => {
  const { announced } = identities
  await listening.listen(IDENTITY_CHANNEL, announced, announced)
  await listening.listen(DIRECTORY_CHANNEL, entries.announced, () => entries.announced())
}

/** Users and groups belong to the main database, default content to every repository. */
const firstStart = async ({
  repository,
  contributions,
  configured,
  settings,
  passwords,
  logger,
  makesAdministrator,
}: Pick<Platform, 'settings' | 'logger'> & {
  passwords: PasswordPolicy
  /** With what is deployed over the configuration's files. */
  contributions: Contributions
  /** Of the files alone. */
  configured: Contributions
  repository: Repository
  makesAdministrator: boolean
}): Promise<void> => {
  const generated = await repository.withSession(SYSTEM, async (session, sql) => {
    await lockSeeds(sql)
    await backends.content.followModel(sql, session.model)
    await deriveAclsAnew(sql, session.permissions)
    await repairScopes(sql, session.permissions)
    if (repository.name !== DEFAULT_REPOSITORY) return seedContent(session, contributions)
    const { registry } = session.directories
    const deployed = dataFilesBeyond(contributions, configured)
    const files = new Map([...dataFilesOf(contributions)].filter(([name]) => !deployed.has(name)))
    await loadDirectoryData(sql, { registry, files, configuration: settings.config })
    return seed({
      session,
      identities: backends.identities(sql),
      seeded: createDirectoryLoader(sql),
      contributions,
      administrator: makesAdministrator ? { password: settings.adminPassword, policy: passwords } : undefined,
    })
  })
  if (repository.name === DEFAULT_REPOSITORY)
    await loadDeployedData({ repository, contributions, configured, settings, logger })
  if (generated === undefined) return
  logger.warn(
    { username: FIRST_ADMINISTRATOR, password: generated },
    'first administrator made with a generated password, shown only now; ARCHIVOLT_ADMIN_PASSWORD sets it at a first start',
  )
}

/** What is deployed never keeps the product from starting: a data file that has gone is logged, and left out. */
const loadDeployedData = async ({
  repository,
  contributions,
  configured,
  settings,
  logger,
}: Pick<Platform, 'settings' | 'logger'> & {
  repository: Repository
  contributions: Contributions
  configured: Contributions
}): Promise<void> => {
  for (const [name, file] of dataFilesBeyond(contributions, configured)) {
    const files = new Map([[name, file]])
    try {
      await repository.withSession(SYSTEM, async ({ directories: { registry } }, sql) => {
        await lockSeeds(sql)
        await loadDirectoryData(sql, { registry, files, configuration: settings.config })
      })
    } catch (error) {
      if (!isArchivoltError(error)) throw error
      logger.error({ err: error, directory: name }, 'the data of a deployed directory cannot be brought in')
    }
  }
}
