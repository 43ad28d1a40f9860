import type { UnitsOfWork } from '../core/automation/run-store/index.js'
import type { RunQuota } from '../core/automation/runs/index.js'
import type { Temporal } from './client/index.js'
import type { EmbeddedWorker } from './start/index.js'

/** What the runs of one repository are started and followed with. */
export type RunsContext = Temporal & {
  /** The worker in this process, once there is one. */
  embedded(): EmbeddedWorker | undefined
  /** Address of the Temporal UI, when it is known. */
  uiUrl?: string | undefined
  units: UnitsOfWork
  /** The repository that the runs act on; absent: the default one. */
  repository?: string | undefined
  /** For the runs that users start. Absent: for any number. */
  quota?: RunQuota | undefined
}
