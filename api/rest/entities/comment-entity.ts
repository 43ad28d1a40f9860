import {
  type Comment,
  type CommentKind,
  commentedDocument,
  repliesSummary,
} from '../../../core/content/comments/index.js'
import { heldPermissions, type Session } from '../../../core/content/documents/index.js'
import type { RequestContext } from '../../edge/index.js'
import { entityOptions } from './entity-options.js'

type CommentEntity = { 'entity-type': string; [field: string]: unknown }

/** Entity types by kind; that of a list has an `s` appended. */
export const COMMENT_ENTITIES = {
  Comment: 'comment',
  Annotation: 'annotation',
} as const satisfies { [kind in CommentKind]: string }

/** Writes comments by the options of the request (workflow-audit.md §9). */
export const commentWriter = (c: RequestContext, session: Session) => {
  const known = new Map<string, Promise<readonly string[]>>()

  /** The caller's permissions on the commented document: the same for a whole thread. */
  const permissionsOf = (comment: Comment): Promise<readonly string[]> => {
    const id = comment.ancestorIds.at(-1) ?? comment.parentId
    const remembered = known.get(id) ?? grantedOn(session, comment)
    known.set(id, remembered)
    return remembered
  }

  return async (comment: Comment): Promise<CommentEntity> => {
    const { kind, xpath, ...fields } = comment
    const entity = COMMENT_ENTITIES[kind]
    return {
      'entity-type': entity,
      ...fields,
      ...(kind === 'Annotation' && { xpath }),
      permissions: await permissionsOf(comment),
      ...(entityOptions(c, entity).fetch.includes('repliesSummary') &&
        (await repliesSummary(session, comment))),
    }
  }
}

const grantedOn = async (session: Session, comment: Comment): Promise<readonly string[]> => {
  const document = await commentedDocument(session, comment)
  const [held] = await heldPermissions(session, [document], session.permissions.known)
  return held ?? []
}
