import type { Identities } from '../../access/identity/index.js'
import type { PermissionModel, Principal } from '../../access/security/index.js'
import type { ContentModel } from '../../model/content-model/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../model/properties/index.js'
import type { Contributions, Snapshot } from '../../platform/contributions/index.js'
import type { WriteAccount } from '../../platform/limits/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import type { Directories } from '../directories/index.js'
import type { ContentStores } from '../stores/index.js'
import type { DocumentListeners } from './listeners.js'

/** What of a session is bound to its transaction, or to a savepoint of it. */
export type TransactionScope = {
  /** What the repository keeps, by the names of its stores. */
  stores: ContentStores
  /** Users and groups, without a look at the caller's rights: rules on them are functions of `core/access/identity`. */
  readonly identities: Identities
  /** Directories; read and written, with the caller's rights, by the functions of `core/content/directories`. */
  readonly directories: Directories
  /**
   * Work that may fail without failing the transaction (a savepoint): what it wrote is undone, and the error thrown.
   * It reads and writes through what it is given alone. Only inside a transaction.
   */
  attempt<Result>(work: (inner: TransactionScope) => Promise<Result>): Promise<Result>
}

/** Documents by the references that callers named them by; any of them may have changed since. */
export type ParentMemory = {
  get(ref: string): DocumentRecord | undefined
  set(ref: string, parent: DocumentRecord): unknown
  delete(ref: string): unknown
}

/** Everything a rule needs to act for somebody inside one transaction. */
export type Session = TransactionScope & {
  principal: Principal
  /** Name of the repository whose stores these are. */
  repository: string
  model: ContentModel
  permissions: PermissionModel
  /** What the deployment decides beyond the content model; each room reads its own extension points. */
  contributions: Contributions
  /** All of this at one moment, with what rooms have derived of it: `snapshot.get(registry)`. */
  snapshot: Pick<Snapshot, 'get'>
  /** Evaluates what a deployment says in expressions. */
  expressions: Pick<ExpressionEngine, 'evaluate'>
  /** Work of the product that is done inside the transaction of what happens to a document. */
  listeners: DocumentListeners
  /** Whether all that it writes is one transaction; else it may write one statement. */
  isAtomic: boolean
  /** The work has lost against others before: what it reads is held, and what was read before it is not relied on. */
  isContended?: boolean
  /** Documents that children were created in, so that the next is not read before. Absent: each is read. */
  parents?: ParentMemory
  /** What answers its searches: `database` is the repository itself, else an index where one can. */
  searchBackend?: 'index' | 'database'
  /** Moves a file that a document of a type is saved with into the store that the deployment's rules want. */
  placeBlob?(blob: BlobValue, type: string): Promise<void>
  /**
   * Properties that stand for what is yet to be made of the file of a document that is about to be saved.
   *
   * @param saving.document as it is about to be; `previous` as it was, null when it is created.
   */
  placeholders?(
    session: Session,
    saving: { document: DocumentRecord; previous: DocumentRecord | null },
  ): Promise<Properties>
  /** What its principal writes is counted there; absent: nothing limits that. */
  writes?: WriteAccount | undefined
  /** Ends its transaction, when what that has changed was held for longer than others may be kept waiting. */
  over?: AbortSignal | undefined
  /** Time of the unit of work: one instant for all that it writes. */
  now: Date
}
