import type { Principal } from '../../core/access/security/index.js'
import type { SegmentDependencies } from '../../core/automation/execution/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import type { Runs, Schedules, WorkflowRuns } from '../../core/automation/runs/index.js'
import type { Session } from '../../core/content/documents/index.js'
import type { AccountedBlobStore } from '../../core/files/blobs/index.js'
import type { Uploads } from '../../core/files/uploads/index.js'
import type { Contributions } from '../../core/platform/contributions/index.js'
import type { RequestContext } from '../edge/index.js'
import type { BodyLimits } from './calls/body/request.js'
import type { FileServices } from './calls/files.js'
import type { EntityWriter } from './calls/responses/document-responses.js'
import type { DocDependencies } from './doc/index.js'

export type AutomationDependencies = {
  /** The operations and chains that are callable now: requests come here when the process knows what is current. */
  registry(): Registry
  /** What calls are executed with. @param requestId is added to each line that they log. */
  segments(registry: Registry, requestId?: string): SegmentDependencies
  /** The contributions in force at this moment. */
  contributions(): Contributions
  /** The names that chains may refer to. */
  names(): DocDependencies['names']
  runs: Runs
  workflows: WorkflowRuns
  schedules: Schedules
  blobs: AccountedBlobStore
  uploads: Uploads
  limits: BodyLimits
  /** Documents that a call may change with what is below its input; one that changes more becomes a run. */
  largeSubtree: number
  /** A writer of documents with the selections that this request asks for. */
  writerOf(c: RequestContext, session: Session): EntityWriter
  /** A user as calls are made for; undefined for one that is unknown or disabled. */
  principal(name: string): Promise<Principal | undefined>
  /** Absolute address of the REST tree as the client reached it: `…/api/v1`. */
  restRootOf(c: RequestContext): string
  /** Absolute address of a stored download, as the client reached the server. */
  downloadUrlOf(c: RequestContext, key: string): string
  temporal: DocDependencies['temporal']
  files: Omit<FileServices, 'blobs'>
}
