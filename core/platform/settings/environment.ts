import { z } from 'zod'
import { elasticsearchVariables } from './elasticsearch.js'
import { s3Variables } from './s3.js'
import { temporalVariables } from './temporal.js'

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
export const environment = z.object({
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
    .regex(/^$|^smtps?:\/\/[^/]/, 'must be smtp://host:port or smtps://host:port')
    .optional(),
  ARCHIVOLT_MAIL_FROM: z.string().min(3).default('archivolt@localhost'),
  ARCHIVOLT_EXPORT_FOLDER: z.string().min(1).optional(),
  ARCHIVOLT_IMPORT_FOLDERS: z.string().default(''),
  ARCHIVOLT_MAX_UPLOAD_BYTES: count.default(10 * 1024 ** 3),
  ARCHIVOLT_USER_QUOTA_BYTES: count.default(50 * 1024 ** 3),
  ARCHIVOLT_FILES_QUOTA_BYTES: count.optional(),
  ARCHIVOLT_USER_WRITES_BYTES: count.default(10 * 1024 ** 3),
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

export type Environment = z.output<typeof environment>
