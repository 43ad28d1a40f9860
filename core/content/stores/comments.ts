import type { Principal } from '../../access/security/index.js'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'

/**
 * @property type when only one is meant.
 * @property limit all are given without, as far as they are no more than a list may hold.
 */
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
   * there are in all. Of their properties there are those of a comment alone.
   *
   * @throws tooLarge when they have more characters than a list may have; tooManyRequests, as every list of documents.
   */
  list(wanted: CommentsWanted): Promise<{ entries: DocumentRecord[]; total: number }>
}
