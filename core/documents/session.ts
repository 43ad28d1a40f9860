import type { ContentModel } from '../content-model/index.js'
import type { PermissionModel, Principal } from '../security/index.js'
import type { DocumentStore } from './store.js'

/** Everything a rule needs to act for somebody inside one transaction. */
export type Session = {
  principal: Principal
  /** Name of the repository that `store` reads and writes. */
  repository: string
  store: DocumentStore
  model: ContentModel
  permissions: PermissionModel
  /** Time of the unit of work: one instant for all that it writes. */
  now: Date
}
