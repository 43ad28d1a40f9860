import type { IdentityStore, LoginTries } from '../../core/access/identity/index.js'
import type { OpenRunStore } from '../../core/automation/run-store/index.js'
import type { DirectoryLoader, DirectoryStore } from '../../core/content/directories/index.js'
import type { ContributionStore } from '../../core/platform/contributions/index.js'
import type { WriteLedger } from '../../core/platform/limits/index.js'
import type { OpenContent } from './content/index.js'
import type { ExecutionBackend } from './execution/index.js'
import type { OpenOutbox } from './outbox-relay.js'

/** Opens what all repositories share, empty. */
export type OpenMain = () => Promise<{
  identities: IdentityStore
  directories: { store: DirectoryStore; loader: DirectoryLoader }
  /** Of two processes, which share nothing but what is stored. */
  contributions: readonly [ContributionStore, ContributionStore]
  loginTries: readonly [LoginTries, LoginTries]
  /** Of two processes, too. */
  writeLedgers: readonly [WriteLedger, WriteLedger]
  openRuns: { runs: readonly [OpenRunStore, OpenRunStore]; others: OpenRunStore }
}>

/** Opens what runs keep, empty. */
export type OpenExecution = () => Promise<ExecutionBackend>

/**
 * What a backend can be opened as, each on data of its own, which is gone after the tests of the file. A part that is
 * absent is not kept by the backend. To be called at the top level of a file.
 */
export type BackendUnderTest = {
  openContent?: OpenContent
  openMain?: OpenMain
  openExecution?: OpenExecution
  openOutbox?: OpenOutbox
}
