import type { UnitsOfWork } from '../core/automation/run-store/index.js'
import type { RunQuota } from '../core/automation/runs/index.js'
import type { Temporal } from './client/index.js'
import type { EmbeddedWorker } from './start/index.js'

/** The dependencies of starting and following the runs of one repository. */
export type RunsContext = Temporal & {
  /** The worker in this process, once it has started. */
  embedded(): EmbeddedWorker | undefined
  /** Address of the Temporal UI, when it is known. */
  uiUrl?: string | undefined
  units: UnitsOfWork
  /** The repository that the runs act on; absent: the default one. */
  repository?: string | undefined
  /** The quota of the runs that users start. Absent: unlimited. */
  quota?: RunQuota | undefined
}
