import { hostname } from 'node:os'
import { resolve } from 'node:path'

import { type ElasticsearchSettings, elasticsearchSettings } from './elasticsearch.js'
import { type Environment, environment } from './environment.js'
import { parseRepositories, type RepositorySetting } from './repositories.js'
import { type S3Settings, s3Settings } from './s3.js'
import { withSecretFiles } from './secret-files.js'
import { type TemporalSettings, temporalSettings } from './temporal.js'
import { unknownAmong } from './unknown.js'

export type Settings = {
  databaseUrl: string
  databasePool: number
  /** Seconds to wait for a connection while all are in use, before a request is refused or an activity is retried. */
  databaseWaitSeconds: number
  /** How long the transactions of somebody who is no administrator may hold what they have changed. */
  holdSeconds: number
  /** Repositories beside `default`, each with a database of its own. */
  repositories: readonly RepositorySetting[]
  /** Name of this process among all of the installation: in its logs, metrics and responses. */
  node: string
  temporal: TemporalSettings
  /** What answers searches; absent: the repository does. */
  elasticsearch: ElasticsearchSettings | undefined
  /** A bucket for files; absent: they are in the folder of the installation. */
  s3: S3Settings | undefined
  http: {
    host: string
    port: number
    publicUrl: string | undefined
    /** Proxies in front of the API, each of which adds its client to `X-Forwarded-For`. */
    proxies: number
    maxJsonBytes: number
    maxUploadBytes: number
    /** Whether the API runs the first steps of the runs that it starts itself. */
    carriesWorker: boolean
    /** Whether error responses include the stack trace: for development, never on a public server. */
    includeStackTrace: boolean
    /** The version of the reference platform that clients are to expect. */
    platformVersion: string
  }
  /** Folder of this installation's data: blobs, converter profiles. */
  home: string
  /** Folder with the deployment's own contributions. */
  config: string | undefined
  /** Results that lists and searches over HTTP count, unless the request says how many; absent: all. */
  countLimit: number | undefined
  /** Documents that a call may move, copy, trash or remove while its caller waits; more are a run. */
  largeSubtree: number
  /** Hosts that operations may reach, as `createHttpRules` reads them. */
  httpAllow: string
  /** Folder below which administrators may have operations write files. */
  exportFolder: string | undefined
  /** Folders below which importers may read files of the server. */
  importFolders: readonly string[]
  /** The mail server, and the sender of the product's mail; absent: no mail is sent. */
  mail: { url: string; sender: string } | undefined
  adminPassword: string | undefined
  /** What new passwords must be; `cost` of their hashes is set by tests alone, for which no variable stands. */
  passwords: { minLength: number; refusesCommon: boolean; cost?: { log2N: number; p: number } }
  logLevel: string
  worker: {
    cachedWorkflows: number
    workflowSlots: number
    activitySlots: number
    /** Serves health and metrics of the worker; absent: nothing is served. */
    port: number | undefined
    /** Serves the metrics of Temporal's SDK. */
    temporalMetricsPort: number | undefined
  }
  libreOfficeInstances: number
  /** Scripts that run at the same time in a process. */
  scriptThreads: number
  /** Longest sequence of runs that are each started by an event of the one before; further events start none. */
  eventDepth: number
  /** Quota of running bulk commands for one user; none for administrators. */
  openBulkCommands: number
  /** How often escalation rules that hold again and again are executed at most, milliseconds. */
  escalationPeriodMs: number
  /** Quota of open chain runs for one user; none for administrators. */
  openRuns: number
  /** Quota of open conversions for one user; none for administrators. */
  openConversions: number
  /** Quotas of open document workflows for one user and for all; none for administrators. */
  openWorkflows: { each: number; all: number }
  /** Quota of open tasks of no workflow that one user has made; none for administrators. */
  openTasks: number
  /** Streams of events that one process of the API serves to one user, and to all. */
  eventStreams: { each: number; all: number }
  /** Streams of progress that one process serves to a user, and to all. */
  progressStreams: { each: number; all: number }
  /** Batches of uploads that one user may have. */
  openBatches: number
  /** Memory of one program of a converter. */
  conversionMemoryBytes: number
  conversionFileBytes: number
  /** Whether files that cannot be sanitised are converted where the system gives no sandbox. */
  allowsUnconfinedConversions: boolean
  /** Bytes of files that one user, and all together, may have stored; absent: as many as there is room for. */
  fileQuotas: { user: number; total: number | undefined }
  /** Characters of documents and of states of runs that one user may write in 24 hours. */
  userWrites: number
  /** Hours that a file which nothing names is kept, twice: see `collectBlobs`. */
  blobGraceHours: number
  /** Days that entries of the audit are kept; absent: for ever. */
  auditDays: number | undefined
  /** Minutes between two rounds of the upkeep of access rights. */
  access: { upkeepMinutes: number }
  /** Where the programs that converters need are looked for. */
  toolPath: string
  tracing: { isEnabled: boolean; exporter: 'otlp' | 'console' }
}

const tracingOf = (value: Environment): Settings['tracing'] => {
  const isConsole = value.OTEL_TRACES_EXPORTER === 'console'
  const address = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT
  const isWanted = isConsole || (value.OTEL_TRACES_EXPORTER === 'otlp' && address !== undefined)
  const isDisabled = value.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  return { isEnabled: isWanted && !isDisabled, exporter: isConsole ? 'console' : 'otlp' }
}

/** What a process says that cannot start for what `parseSettings` has thrown. */
export const explainSettings = (error: unknown): string =>
  `The settings are not valid:\n${error instanceof Error ? error.message : String(error)}`

/**
 * Reads the settings from an environment.
 *
 * Secrets may stand in files, which variables with `_FILE` behind their names give.
 *
 * @throws Error with one line for each variable that is missing or wrong.
 */
export const parseSettings = (env: NodeJS.ProcessEnv): Settings => {
  const parsed = environment.safeParse(withSecretFiles(env))
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues
        .map(({ path, message }) => {
          const name = path.join('.')
          // Of numbers alone, which are no secrets.
          return `${name}: ${message.replace(/received NaN$/, () => `received "${env[name]}"`)}`
        })
        .join('\n'),
    )
  }
  const value = parsed.data
  return {
    databaseUrl: value.DATABASE_URL,
    databasePool: value.ARCHIVOLT_DATABASE_POOL,
    databaseWaitSeconds: value.ARCHIVOLT_DATABASE_WAIT_SECONDS,
    holdSeconds: value.ARCHIVOLT_HOLD_SECONDS,
    repositories: parseRepositories(value.ARCHIVOLT_REPOSITORIES, value.DATABASE_URL),
    node: value.ARCHIVOLT_NODE ?? `${hostname()}-${process.pid}`,
    temporal: temporalSettings(value),
    elasticsearch: elasticsearchSettings(value),
    s3: s3Settings(value),
    http: {
      host: value.ARCHIVOLT_HOST,
      port: value.ARCHIVOLT_PORT,
      publicUrl: value.ARCHIVOLT_PUBLIC_URL,
      proxies: value.ARCHIVOLT_PROXIES,
      maxJsonBytes: value.ARCHIVOLT_MAX_JSON_BYTES,
      maxUploadBytes: value.ARCHIVOLT_MAX_UPLOAD_BYTES,
      carriesWorker: value.ARCHIVOLT_API_WORKER === 'true',
      includeStackTrace: value.ARCHIVOLT_REST_STACK === 'true',
      platformVersion: value.ARCHIVOLT_PLATFORM_VERSION,
    },
    home: resolve(value.ARCHIVOLT_HOME),
    config: value.ARCHIVOLT_CONFIG && resolve(value.ARCHIVOLT_CONFIG),
    countLimit: value.ARCHIVOLT_COUNT_LIMIT || undefined,
    largeSubtree: value.ARCHIVOLT_LARGE_SUBTREE,
    httpAllow: value.ARCHIVOLT_HTTP_ALLOW,
    exportFolder: value.ARCHIVOLT_EXPORT_FOLDER && resolve(value.ARCHIVOLT_EXPORT_FOLDER),
    importFolders: value.ARCHIVOLT_IMPORT_FOLDERS.split(',').flatMap((folder) =>
      folder.trim() === '' ? [] : [resolve(folder.trim())],
    ),
    mail: value.ARCHIVOLT_SMTP_URL
      ? { url: value.ARCHIVOLT_SMTP_URL, sender: value.ARCHIVOLT_MAIL_FROM }
      : undefined,
    adminPassword: value.ARCHIVOLT_ADMIN_PASSWORD,
    passwords: {
      minLength: value.ARCHIVOLT_PASSWORD_LENGTH,
      refusesCommon: value.ARCHIVOLT_COMMON_PASSWORDS === 'refused',
    },
    logLevel: value.ARCHIVOLT_LOG_LEVEL,
    worker: {
      cachedWorkflows: value.ARCHIVOLT_CACHED_WORKFLOWS,
      workflowSlots: value.ARCHIVOLT_WORKFLOW_SLOTS,
      activitySlots: value.ARCHIVOLT_ACTIVITY_SLOTS,
      port: value.ARCHIVOLT_WORKER_PORT,
      temporalMetricsPort: value.ARCHIVOLT_TEMPORAL_METRICS_PORT,
    },
    libreOfficeInstances: value.ARCHIVOLT_LIBREOFFICE_INSTANCES,
    scriptThreads: value.ARCHIVOLT_SCRIPT_THREADS,
    eventDepth: value.ARCHIVOLT_EVENT_DEPTH,
    openBulkCommands: value.ARCHIVOLT_OPEN_BULK_COMMANDS,
    escalationPeriodMs: value.ARCHIVOLT_ESCALATION_SECONDS * 1000,
    openRuns: value.ARCHIVOLT_OPEN_RUNS,
    openConversions: value.ARCHIVOLT_OPEN_CONVERSIONS,
    openWorkflows: { each: value.ARCHIVOLT_OPEN_WORKFLOWS, all: value.ARCHIVOLT_ALL_OPEN_WORKFLOWS },
    openTasks: value.ARCHIVOLT_OPEN_TASKS,
    eventStreams: { each: value.ARCHIVOLT_EVENT_STREAMS, all: value.ARCHIVOLT_ALL_EVENT_STREAMS },
    progressStreams: {
      each: value.ARCHIVOLT_PROGRESS_STREAMS,
      all: value.ARCHIVOLT_ALL_PROGRESS_STREAMS,
    },
    openBatches: value.ARCHIVOLT_OPEN_BATCHES,
    conversionMemoryBytes: value.ARCHIVOLT_CONVERSION_MEMORY_BYTES,
    conversionFileBytes: value.ARCHIVOLT_CONVERSION_FILE_BYTES,
    allowsUnconfinedConversions: value.ARCHIVOLT_UNCONFINED_CONVERSIONS === 'allowed',
    fileQuotas: { user: value.ARCHIVOLT_USER_QUOTA_BYTES, total: value.ARCHIVOLT_FILES_QUOTA_BYTES },
    userWrites: value.ARCHIVOLT_USER_WRITES_BYTES,
    blobGraceHours: value.ARCHIVOLT_BLOB_GRACE_HOURS,
    auditDays: value.ARCHIVOLT_AUDIT_DAYS,
    access: { upkeepMinutes: value.ARCHIVOLT_ACCESS_UPKEEP_MINUTES },
    toolPath: value.PATH,
    tracing: tracingOf(value),
  }
}

/** Names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape)

/** What is said of variables of an environment that look like settings and are none; undefined: there are none. */
export const unknownSettings = (env: NodeJS.ProcessEnv): string | undefined => unknownAmong(env, SETTINGS)

export type { ElasticsearchSettings } from './elasticsearch.js'
export { DEFAULT_REPOSITORY, type RepositorySetting } from './repositories.js'
export type { S3Settings } from './s3.js'
export { SECRETS, withSecretFiles } from './secret-files.js'
export { DEFAULT_TASK_QUEUE } from './temporal.js'
