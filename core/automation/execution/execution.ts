import type { Principal } from '../../access/security/index.js'
import type { Session } from '../../content/documents/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import type { ScriptEngine, ScriptNames } from '../../platform/sandbox/scripts/index.js'
import type { Callable, Incident, OperationServices, Registry, TransientStore } from '../language/index.js'
import type { BulkStore, Sequences } from '../run-store/index.js'

/** What every run in a process shares. */
export type ExecutorDependencies = {
  expressions: ExpressionEngine
  scripts: ScriptEngine
  services: OperationServices
}

/** One transaction's worth of execution. */
export type Execution = ExecutorDependencies & {
  session: Session
  /** The same for somebody else, in the same transaction. */
  sessionAs(principal: Principal): Session
  transient: TransientStore
  sequences: Sequences
  bulk: BulkStore
  /** Everything deployed, without what a run carries. */
  registry: Registry
  /** Finds what a step names: the chains that the run carries, then the product's operations. */
  find(id: string): Callable | undefined
  /** The same, as scripts write it. */
  scriptNames(): ScriptNames
  signal: AbortSignal
  /** Takes note of what goes wrong without ending what runs; what it takes stays when a savepoint is undone. */
  report(incident: Incident): void
  /** Work that is undone alone when it throws; it is given the execution to go through. */
  attempt<Result>(work: (execution: Execution) => Promise<Result>): Promise<Result>
}
