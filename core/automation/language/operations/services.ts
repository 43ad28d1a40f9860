import type { Principal } from '../../../access/security/index.js'
import type { BusinessObjects } from '../../../content/business-objects/index.js'
import type { KeptRenditions } from '../../../content/renditions/index.js'
import type { AccountedBlobStore } from '../../../files/blobs/index.js'
import type { Media, MediaEdits } from '../../../files/media/index.js'
import type { BlobValue } from '../../../model/properties/index.js'
import type { HttpClient } from '../../../platform/http/index.js'
import type { RateLimit } from '../../../platform/limits/index.js'
import type { CounterHistory, WorkMetrics } from '../../../platform/telemetry/index.js'
import type { DryRunNotes } from './dry-run-notes.js'
import type { RunTraces, TraceRecording } from './traces.js'

export type OperationServices = {
  /**
   * There when nothing of this transaction is kept: see `dryRun`. What it would do outside of the database is refused.
   */
  dryRun?: DryRunNotes
  blobs: AccountedBlobStore
  businessObjects: BusinessObjects
  /** Converts a blob by converter name or target mime type; slow, so its operation says `isSlow`. */
  convert(request: {
    source: BlobValue
    converter?: string
    type?: string
    parameters?: { [name: string]: string }
    signal?: AbortSignal
    /** Whose the result is, and whose quota of conversions it counts for, where there is one. */
    principal: Principal
  }): Promise<BlobValue>
  /** Joins PDFs, in order, into one; slow, as `convert` is. */
  joinPdfs(request: {
    sources: readonly BlobValue[]
    name: string
    signal?: AbortSignal
    principal: Principal
  }): Promise<BlobValue>
  /** What is made of pictures, films and sounds; slow, as `convert` is. */
  media: Pick<Media, 'comparePictures'> & MediaEdits
  keptRenditions: KeptRenditions
  /** Asks other servers, those that the deployment allows. */
  http: HttpClient
  /** Names of the repositories of this deployment, sorted. */
  repositories: readonly string[]
  /** Whom mail of the product comes from; absent: no mail server is set. */
  mail: { sender: string } | undefined
  limits: {
    /** Bytes of a file that comes from elsewhere. */
    fileBytes: number
    /** Folder of the server that files may be written below; absent: none. */
    exportFolder: string | undefined
    /** Bulk commands of one user that may be under way. */
    openBulkCommands: number
    /** Open document workflows of one user, and of all. */
    openWorkflows: { each: number; all: number }
    /** Open tasks of no workflow that one user has made. */
    openTasks: number
  }
  /** Switches of this process that administrators may turn. */
  switches: {
    /** Whether errors are answered with what went wrong inside. */
    includeStackTrace: boolean
  }
  /** Whether this process records traces, and those of single operations. */
  recording: TraceRecording
  /** Traces of runs; absent where nobody knows of them: in a worker process. */
  traces?: RunTraces | undefined
  /** What counters of this process have been, by name. */
  counters: CounterHistory['read']
  /** How many messages of their own users may have logged. */
  logRate: RateLimit
  /** Counts a run that has ended in this process. */
  runEnded: WorkMetrics['runEnded']
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>): void
  /** What expressions and scripts read as `Env`: no setting whose value is a secret or a place on the server. */
  env: Readonly<Record<string, string>>
}
