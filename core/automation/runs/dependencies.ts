import type { Principal } from '../../access/security/index.js'
import type { SegmentDependencies } from '../execution/index.js'
import type { Registry } from '../language/index.js'
import type { UnitsOfWork } from '../run-store/index.js'
import type { WorkflowRuns } from './workflow-runs.js'

export type RunsDependencies = {
  workflows: WorkflowRuns
  /** Those of the repository. */
  units: UnitsOfWork
  /** The current registry, and the dependencies of its calls. */
  current(): Promise<{ registry: Registry; segments: SegmentDependencies }>
  /** A user as calls are made for; undefined for one that is unknown or disabled. */
  principal(name: string): Promise<Principal | undefined>
}
