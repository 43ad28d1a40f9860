import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'

import { type ElasticsearchSettings, elasticsearchSettings, elasticsearchVariables } from './elasticsearch.js'
import { parseRepositories, type RepositorySetting } from './repositories.js'
import { type S3Settings, s3Settings, s3Variables } from './s3.js'
import { withSecretFiles } from './secret-files.js'
import { type TemporalSettings, temporalSettings, temporalVariables } from './temporal.js'
import { unknownAmong } from './unknown.js'

const port = z.coerce.number().int().min(0).max(65_535)
/** What a response header and a log line may hold as it is. */
const nodeName = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, "must be 1 to 100 letters, digits, '.', ':', '-' and '_'")

const count = z.coerce.number().int().positive()

/** Receivers of OTLP over HTTP take JSON, which is what is sent, on the address for protobuf. */
const otlpProtocol = z
  .enum(['http/json', 'http/protobuf'], 'traces are sent over HTTP: give the address of port 4318, not gRPC')
  .optional()

/**
 * Every setting of the API and the worker, by the name of its environment variable. Parsed once at start;
 * modules receive values.
 */
const environment = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  ...temporalVariables,
  ...elasticsearchVariables,
  ...s3Variables,
  ARCHIVOLT_NODE: nodeName.optional(),
  ARCHIVOLT_PORT: port.default(8080),
  ARCHIVOLT_HOST: z.string().min(1).default('127.0.0.1'),
  ARCHIVOLT_HOME: z.string().min(1).default('.archivolt'),
  ARCHIVOLT_CONFIG: z.string().min(1).optional(),
  ARCHIVOLT_PUBLIC_URL: z.url().optional(),
  ARCHIVOLT_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  ARCHIVOLT_ADMIN_PASSWORD: z.string().min(1).optional(),
  ARCHIVOLT_PASSWORD_LENGTH: count.max(128).default(12),
  ARCHIVOLT_COMMON_PASSWORDS: z.enum(['refused', 'allowed']).default('refused'),
  ARCHIVOLT_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ARCHIVOLT_DATABASE_POOL: count.default(20),
  ARCHIVOLT_DATABASE_WAIT_SECONDS: count.max(600).default(30),
  ARCHIVOLT_HOLD_SECONDS: count.max(3_600).default(10),
  ARCHIVOLT_REPOSITORIES: z.string().default(''),
  ARCHIVOLT_MAX_JSON_BYTES: count.default(16 * 1024 * 1024),
  ARCHIVOLT_COUNT_LIMIT: z.coerce.number().int().min(0).default(2_000),
  ARCHIVOLT_LARGE_SUBTREE: count.default(20_000),
  ARCHIVOLT_HTTP_ALLOW: z.string().default('*'),
  ARCHIVOLT_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]/, 'must be smtp://host:port or smtps://host:port')
    .optional(),
  ARCHIVOLT_MAIL_FROM: z.string().min(3).default('archivolt@localhost'),
  ARCHIVOLT_EXPORT_FOLDER: z.string().min(1).optional(),
  ARCHIVOLT_IMPORT_FOLDERS: z.string().default(''),
  ARCHIVOLT_MAX_UPLOAD_BYTES: count.default(10 * 1024 ** 3),
  ARCHIVOLT_USER_QUOTA_BYTES: count.default(50 * 1024 ** 3),
  ARCHIVOLT_FILES_QUOTA_BYTES: count.optional(),
  ARCHIVOLT_BLOB_GRACE_HOURS: count.default(72),
  ARCHIVOLT_PLATFORM_VERSION: z
    .string()
    .regex(
      /^\d+\.\d+(?:[.-]\w+)*$/,
      'must be a version of the reference platform, e.g. 2021.57 or 10.10-HF60',
    )
    .default('2021.57'),
  ARCHIVOLT_AUDIT_DAYS: count.optional(),
  ARCHIVOLT_REST_STACK: z.enum(['true', 'false']).default('false'),
  ARCHIVOLT_API_WORKER: z.enum(['true', 'false']).default('true'),
  ARCHIVOLT_CACHED_WORKFLOWS: count.default(2_000),
  ARCHIVOLT_WORKFLOW_SLOTS: count.default(40),
  ARCHIVOLT_ACTIVITY_SLOTS: count.default(20),
  ARCHIVOLT_WORKER_PORT: port.optional(),
  ARCHIVOLT_TEMPORAL_METRICS_PORT: port.optional(),
  ARCHIVOLT_LIBREOFFICE_INSTANCES: count.default(2),
  ARCHIVOLT_SCRIPT_THREADS: count.default(4),
  ARCHIVOLT_ACCESS_UPKEEP_MINUTES: count.default(5),
  ARCHIVOLT_EVENT_DEPTH: count.max(1_000).default(10),
  ARCHIVOLT_OPEN_BULK_COMMANDS: count.default(10),
  ARCHIVOLT_ESCALATION_SECONDS: z.coerce.number().positive().max(86_400).default(300),
  ARCHIVOLT_OPEN_RUNS: count.default(200),
  ARCHIVOLT_OPEN_CONVERSIONS: count.default(20),
  ARCHIVOLT_OPEN_WORKFLOWS: count.default(1_000),
  ARCHIVOLT_ALL_OPEN_WORKFLOWS: count.default(50_000),
  ARCHIVOLT_OPEN_TASKS: count.default(1_000),
  ARCHIVOLT_EVENT_STREAMS: count.default(10),
  ARCHIVOLT_ALL_EVENT_STREAMS: count.default(200),
  ARCHIVOLT_PROGRESS_STREAMS: count.default(50),
  ARCHIVOLT_ALL_PROGRESS_STREAMS: count.default(500),
  ARCHIVOLT_OPEN_BATCHES: count.default(1_000),
  ARCHIVOLT_CONVERSION_MEMORY_BYTES: count.min(1024 ** 3).default(2 * 1024 ** 3),
  ARCHIVOLT_CONVERSION_FILE_BYTES: count.min(1024 ** 2).default(16 * 1024 ** 3),
  ARCHIVOLT_UNCONFINED_CONVERSIONS: z.enum(['refused', 'allowed']).default('refused'),
  PATH: z.string().default(''),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'console', 'none']).default('otlp'),
  OTEL_SDK_DISABLED: z.string().default('false'),
})

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

const tracingOf = (value: z.infer<typeof environment>): Settings['tracing'] => {
  const isConsole = value.OTEL_TRACES_EXPORTER === 'console'
  const address = value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT
  const isWanted = isConsole || (value.OTEL_TRACES_EXPORTER === 'otlp' && address !== undefined)
  const isDisabled = value.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  return { isEnabled: isWanted && !isDisabled, exporter: isConsole ? 'console' : 'otlp' }
}

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
export { SECRETS } from './secret-files.js'
