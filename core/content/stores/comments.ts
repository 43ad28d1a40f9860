import type { Principal } from '../../access/security/index.js'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'

/** @property type when only one is meant; all are given without a limit. */
export type CommentsWanted = {
  principal: Principal
  properties: Properties
  type?: string
  isTrashed?: boolean
  isNewestFirst?: boolean
  limit?: number
  offset?: number
}

export type CommentStore = {
  /**
   * Comments that a principal may browse whose properties contain the given ones, by date of creation, and how many
   * there are in all.
   */
  list(wanted: CommentsWanted): Promise<{ entries: DocumentRecord[]; total: number }>
}
