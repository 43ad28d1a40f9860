import type { PointedScopes } from '../core/access/security/index.js'
import type { BulkProgress } from '../core/automation/bulk/processing/index.js'
import type { ChainFailure, EnteredTarget, TargetCall } from '../core/automation/execution/index.js'
import type { BulkImportRequest, ImportCursor, ImportPage } from '../core/automation/folder-imports/index.js'
import type { ChainDefinition, ChainStep, ErrorChain } from '../core/automation/language/index.js'
import type { EndedItem, LoopCall, LoopPage, NextItem } from '../core/automation/loops/index.js'
import type { Plan, RunStart, SegmentNode } from '../core/automation/planning/index.js'
import type { RouteCommand, RouteView } from '../core/automation/routing/following/index.js'
import type { ItemPlace, PackedState, Removed } from '../core/automation/run-store/index.js'
import type { ConversionJob } from '../core/automation/runs/index.js'
import type { Delivery } from '../core/automation/webhooks/index.js'
import type { Delivered } from '../core/content/mail/index.js'
import type { MediaResult, MediaWork } from '../core/content/media/index.js'
import type { Scan } from '../core/content/scan-import/index.js'
import type { SubtreeTask } from '../core/content/stores/index.js'
import type { Collected } from '../core/files/blobs/index.js'
import type { BlobValue } from '../core/model/properties/index.js'

/** Where, at which depth and until when the transactions of a run are opened. */
export type RunPlace = {
  /** Absent: the default one. */
  repository?: string | undefined
  /** How many runs, each started by an event of the one before, this one is the last of. Absent: no event started it. */
  eventDepth?: number | undefined
  /** When the run is to be over, ms since 1970: what is under way then is not committed. Absent: no step limits it. */
  endsAt?: number | undefined
}

/** What every activity of a chain knows of its run. */
export type StepInput = RunPlace & {
  workflowId: string
  /** Stable name of the step in its run: the key of its receipt. */
  step: string
  principal: string
  requestId: string
  /** The run has been here before, so that its receipt is looked for first. Absent: it has not. */
  isRepeated?: boolean
  /** How long a transaction of it may last. Absent: as long as any. */
  seconds?: number
  state: PackedState
  chains: { [id: string]: ChainDefinition }
}

/** Activities of the workflow `chain`. Each is safe to retry: it finds the receipt of what it has done. */
export type ChainActivities = {
  runSegment(
    input: StepInput &
      Pick<SegmentNode, 'input' | 'endsOnFalse' | 'isApart'> & {
        steps: readonly ChainStep[]
        onError?: readonly ErrorChain[]
      },
  ): Promise<PackedState>
  /** Runs the error chain for a failure on the state before it; null when none holds. */
  catchFailure(
    input: StepInput & { onError: readonly ErrorChain[]; failure: ChainFailure },
  ): Promise<PackedState | null>
  runTarget(input: StepInput & { call: TargetCall }): Promise<PackedState>
  enterTarget(input: StepInput & { call: TargetCall; leaving: string }): Promise<EnteredTarget>
  /** With a `failure` the target has failed, and the run goes on with what came in. */
  leaveTarget(
    input: StepInput & { call: TargetCall; inner: PackedState; isolate: boolean; failure?: ChainFailure },
  ): Promise<PackedState>
  /** The next page of an iteration whose items are transactions; heartbeats `{ position, total }`. */
  runLoopPage(input: StepInput & { call: LoopCall }): Promise<LoopPage>
  /** The next item of an iteration whose items are runs of their own, behind the one that has ended. */
  nextItem(input: StepInput & { call: LoopCall; ended?: EndedItem }): Promise<NextItem>
  /** Takes an item whose run has come to its end after all off the list of those that have failed. */
  resolveFailure(input: StepInput & { item: ItemPlace }): Promise<void>
  /** Waits for the end of a run that somebody else has started, for an hour at most. @returns how it stands then. */
  awaitRun(input: { workflowId: string }): Promise<string>
}

/** What every activity of a bulk command knows. */
export type BulkInput = RunPlace & { commandId: string; principal: string; requestId: string }

/** Activities of the workflow `bulk`, safe to retry: the command knows what is done. Both heartbeat `{ position, total }`. */
export type BulkActivities = {
  collectBulk(input: BulkInput): Promise<BulkProgress>
  runBulkBucket(input: BulkInput): Promise<BulkProgress>
  /** Ends a command that cannot go on. */
  abortBulk(input: BulkInput & { message?: string }): Promise<void>
}

export type ConversionActivities = {
  /** Converts what takes seconds; null: it takes longer, and `convert` goes on with it. */
  beginConversion(job: ConversionJob): Promise<BlobValue | null>
  /** Heartbeats its progress from 0 to 1; cancelling it kills the program that converts. */
  convert(job: ConversionJob): Promise<BlobValue>
}

/** A time of a schedule that has come. */
export type FiredSchedule = {
  /** Its name: what it does is looked up when it does it. */
  schedule: string
  /** Id of the run. */
  runId: string
}

export type ScheduleActivities = {
  planScheduled(fired: FiredSchedule): Promise<RunStart>
  emitScheduled(fired: FiredSchedule): Promise<void>
}

export type AccessUpkeepActivities = {
  /** How many ACLs were derived. */
  deriveAcls(): Promise<number>
  /** For how many documents users were notified. */
  refreshAceStatuses(): Promise<number>
  pointAclScopes(): Promise<PointedScopes>
}

export type MailActivities = {
  /** How many mails were sent, given up and put off. */
  deliverMail(): Promise<Delivered>
}

/** Absent: what nothing names is removed. */
export type BlobCollectionInput = { isDryRun: boolean }

export type HousekeepingActivities = {
  removeExpired(): Promise<Removed>
  /** Removes files that nothing names, or counts them. */
  collectBlobs(input?: BlobCollectionInput): Promise<Collected>
}

/** An index of a repository that is to be built. */
export type SearchIndexInput = Pick<RunPlace, 'repository'> & { index: string; requestId: string }

/** Activities of the workflow `searchIndex`, safe to retry. */
export type SearchIndexActivities = {
  /** How many documents there are. */
  beginSearchIndex(input: SearchIndexInput): Promise<number>
  /** Indexes all documents; heartbeats how far it is, and goes on there. @returns how many there were. */
  fillSearchIndex(input: SearchIndexInput): Promise<number>
  /** Waits until the index has caught up, and lets it answer. */
  promoteSearchIndex(input: SearchIndexInput): Promise<void>
  /** Leaves nothing of it. */
  dropSearchIndex(input: SearchIndexInput): Promise<void>
}

/** What is below a document, which is to be indexed after an event. */
export type SearchSubtreeInput = SearchIndexInput & { task: SubtreeTask }

/** Activities of the workflow `searchSubtree`, safe to retry. */
export type SearchSubtreeActivities = {
  /** Indexes it; heartbeats how far it is, and goes on there. @returns how many documents there were. */
  bringSearchSubtree(input: SearchSubtreeInput): Promise<number>
}

/** An event that is to be delivered to a webhook. */
export type WebhookInput = Delivery & { webhook: string; requestId: string }

export type WebhookActivities = {
  /** @returns the status with which it was accepted. */
  deliverWebhook(input: WebhookInput): Promise<{ status: number }>
}

/** A run that an event starts: one transaction of a page of them. */
export type EventRun = Pick<RunStart, 'principal' | 'requestId' | 'state'> & {
  workflowId: string
  /** See `RunStart`. */
  eventDepth: number
  documentId?: string
  event: string
  /** The event and the listener, as operators read them. */
  summary: string
}

/** Runs of one listener whose events were read together. */
export type EventPageInput = Pick<RunPlace, 'repository'> & {
  requestId: string
  chainId: string
  /** Its first task does what takes seconds; absent in pages of the previous release. */
  beginsLocally?: true
  /** Of one segment. */
  plan: Plan
  runs: readonly EventRun[]
}

export type EventPageActivities = {
  /** Does some runs, the first of them, within seconds; one that fails begins a workflow of its own. */
  beginEventPage(input: EventPageInput): Promise<{ done: number; apart: number; left: number }>
  /** Does all. Heartbeats how far it is. */
  runEventPage(input: EventPageInput): Promise<{ done: number; apart: number }>
}

/** The route of a run, and the step of it that is done: the key of its receipt. */
export type RouteStep = RunPlace & { routeId: string; workflowId: string; step: string; isRepeated?: boolean }

/** What somebody asks of a route. */
export type RouteAction = { principal: string; requestId: string; command: RouteCommand }

/** Activities of the workflow `route`, safe to retry. */
export type RouteActivities = {
  /** Does what somebody asks, in one transaction. */
  moveRoute(input: RouteStep & RouteAction): Promise<RouteView>
  /** How the route stands; null when there is none. */
  lookAtRoute(input: RouteStep): Promise<RouteView | null>
  /** Executes the escalation rules that hold now, each in a transaction of its own; null when there is no route. */
  escalateRoute(input: RouteStep): Promise<RouteView | null>
  /** Cancels the route, as the system. */
  cancelRoute(input: RouteStep): Promise<void>
}

/** A folder of the server that is imported, for a user. */
export type FolderImportInput = Pick<RunPlace, 'repository'> & {
  /** Names the receipts of its transactions. */
  importId: string
  principal: string
  requestId: string
  /** What the bulk importer is asked for, or what a deployment scans: one of them. */
  bulk?: BulkImportRequest
  scan?: Scan
}

/** Activities of the workflow `folderImport`, safe to retry: each transaction has a receipt. */
export type FolderImportActivities = {
  /** Imports what is next, for a minute at most; heartbeats how far it is. */
  importFolderPage(input: FolderImportInput & { cursor: ImportCursor }): Promise<ImportPage>
}

/** One thing that is to be made of one file. */
export type MediaInput = Pick<RunPlace, 'repository'> & MediaWork & { requestId: string }

/** Activities of the workflow `media`, safe to retry: files are stored by their bytes. All but the last heartbeat. */
export type MediaActivities = {
  prepareMedia(
    input: MediaInput,
  ): Promise<{ result?: MediaResult; segments?: BlobValue[]; hasSound?: boolean }>
  makeMedia(input: MediaInput): Promise<MediaResult>
  convertFilmPart(input: MediaInput & { part: BlobValue }): Promise<BlobValue>
  /** The sound of a film that is converted in parts. */
  convertFilmSound(input: MediaInput): Promise<BlobValue>
  joinFilmParts(
    input: MediaInput & { parts: readonly BlobValue[]; sound?: BlobValue | undefined },
  ): Promise<MediaResult>
  /** @returns how many documents of a page have it; 0 when none is left. */
  applyMedia(input: MediaInput & { result: MediaResult }): Promise<number>
  giveUpMedia(input: MediaInput & { message: string }): Promise<void>
}
