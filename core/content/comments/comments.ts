import { randomUUID } from 'node:crypto'
import { type DocumentRecord, isStorable, type Properties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  createDocument,
  documentEvent,
  emit,
  getDocument,
  privileged,
  removeDocument,
  requirePermission,
  type Session,
  updateDocument,
} from '../documents/index.js'
import { asComment, type Comment, type CommentContent, type CommentKind, commentedId } from './comment.js'
import { commentsFolder } from './place.js'
import { readableComments } from './readable.js'

const asOwnComment = (document: DocumentRecord): Comment => {
  const comment = asComment(document)
  if (!comment) throw fail('notFound', document.id)
  return comment
}

/** The document that a comment is about, at the end of its thread. */
export const commentedDocument = async (session: Session, comment: Comment): Promise<DocumentRecord> => {
  const document = await session.stores.documents.get(commentedId(comment))
  if (!document) throw fail('notFound', comment.id)
  return document
}

const emitCommentEvent = async (session: Session, event: string, comment: Comment): Promise<void> => {
  const { id, parentId, author, text } = comment
  const document = await commentedDocument(session, comment)
  await emit(session, document, [documentEvent(event, document, { commentId: id, parentId, author, text })])
}

const requireText = ({ text }: CommentContent): string => {
  if (text === undefined || text.trim() === '') throw fail('badRequest', 'text: a comment needs a text')
  return text
}

/** Characters of each field of a comment, as in its schema: everybody who looks at the document reads them all. */
const MAX_LENGTH = 65_536

const requireStorable = (content: CommentContent): void => {
  for (const [field, value] of Object.entries(content)) {
    if (typeof value !== 'string') continue
    if (value.length > MAX_LENGTH) throw fail('badRequest', `${field}: longer than ${MAX_LENGTH} characters`)
    if (!isStorable(value))
      throw fail(
        'badRequest',
        `${field}: has a character that cannot be stored (NUL or half a surrogate pair)`,
      )
  }
}

/** Properties for what a caller sent; absent fields are left out. */
const written = ({ text, entityId, origin, entity, xpath }: CommentContent): Properties =>
  Object.fromEntries(
    Object.entries({
      'comment:text': text,
      'external:entityId': entityId,
      'external:origin': origin,
      'external:entity': entity,
      'annotation:xpath': xpath,
    }).filter((field): field is [string, string | null] => field[1] !== undefined),
  )

/**
 * Comments on a document, or replies to a comment (workflow-audit.md §9). Whoever may read a document may comment
 * on it; the author is the session's principal.
 *
 * @throws badRequest without a text or, for an annotation, an xpath, and for a field that is too long; forbidden or notFound without `Read`.
 */
export const createComment = async (
  session: Session,
  target: DocumentRecord,
  { kind = 'Comment', ...content }: CommentContent & { kind?: CommentKind },
): Promise<Comment> => {
  await requirePermission(session, target, 'Read')
  requireStorable(content)
  const text = requireText(content)
  const parent = asComment(target)
  // A reply is about what its annotation is about.
  const xpath = content.xpath || (parent?.kind === 'Annotation' ? parent.xpath : null)
  if (kind === 'Annotation' && !xpath) throw fail('badRequest', 'xpath: is required for an annotation')
  const folder = parent ? target : await commentsFolder(session, target)
  const now = session.now.toISOString()
  const document = await createDocument(privileged(session), {
    parent: folder.id,
    name: randomUUID().slice(0, 13),
    type: kind,
    properties: {
      ...written({ ...content, text, ...(kind === 'Annotation' && xpath && { xpath }) }),
      'comment:author': session.principal.name,
      'comment:creationDate': content.creationDate ?? now,
      ...(content.modificationDate && { 'comment:modificationDate': content.modificationDate }),
      'comment:parentId': target.id,
      'comment:ancestorIds': [target.id, ...(parent?.ancestorIds ?? [])],
    },
  })
  const comment = asOwnComment(document)
  await emitCommentEvent(session, 'commentAdded', comment)
  return comment
}

/** Which comments to look for. */
export type CommentSearch = {
  kind?: CommentKind
  xpath?: string | undefined
  /** 0 for all of them. */
  pageSize?: number | undefined
  /** From 0. */
  currentPageIndex?: number | undefined
}

/** Comments of any kind are found where none is asked for: a reply to an annotation is a comment. */
const wanted = (target: DocumentRecord, { kind, xpath }: CommentSearch) => ({
  properties: {
    'comment:parentId': target.id,
    ...(xpath !== undefined && { 'annotation:xpath': xpath }),
  },
  ...(kind && { type: kind }),
})

/**
 * The comments on a document, or the direct replies to a comment, the oldest first.
 *
 * @returns one page, and how many there are in all.
 * @throws tooLarge when they are more than a list may hold.
 */
export const getComments = async (
  session: Session,
  target: DocumentRecord,
  search: CommentSearch = {},
): Promise<{ comments: Comment[]; total: number }> => {
  await requirePermission(session, target, 'Read')
  requireStorable({ xpath: search.xpath })
  const { pageSize = 0, currentPageIndex = 0 } = search
  const { entries, total } = await readableComments(session, {
    ...wanted(target, search),
    ...(!target.isVersion && { isTrashed: target.isTrashed }),
    ...(pageSize > 0 && { limit: pageSize, offset: pageSize * currentPageIndex }),
  })
  return { comments: entries.flatMap((entry) => asComment(entry) ?? []), total }
}

/** How many direct replies a comment has, and when the last one was written. */
export const repliesSummary = async (
  session: Session,
  comment: Comment,
): Promise<{ numberOfReplies: number; lastReplyDate: string | null }> => {
  const { entries, total } = await readableComments(session, {
    properties: { 'comment:parentId': comment.id },
    isNewestFirst: true,
    limit: 1,
  })
  return {
    numberOfReplies: total,
    lastReplyDate: entries[0] ? asOwnComment(entries[0]).creationDate : null,
  }
}

/** A comment by its id, or by the id that it has in the system it was imported from. */
export type CommentName = { id: string } | { entityId: string }

/**
 * A comment in the threads of a document, or of a comment.
 *
 * @throws notFound when it does not exist, or may not be read.
 */
export const findComment = async (
  session: Session,
  target: DocumentRecord,
  name: CommentName,
): Promise<DocumentRecord> => {
  await requirePermission(session, target, 'Read')
  if ('id' in name) {
    const document = await session.stores.documents.get(name.id)
    const comment = document && asComment(document)
    if (!comment?.ancestorIds.includes(target.id)) throw fail('notFound', name.id)
    return getDocument(session, name.id)
  }
  const { entityId } = name
  requireStorable({ entityId })
  const { entries } = await session.stores.comments.list({
    principal: session.principal,
    properties: { 'comment:ancestorIds': [target.id], 'external:entityId': entityId },
    limit: 1,
  })
  const document = entries[0] && (await session.stores.documents.get(entries[0].id))
  if (!document) throw fail('notFound', entityId)
  await requirePermission(session, document, 'Read', entityId)
  return document
}

/**
 * Changes a comment; author and date of creation stay. A date of the change that is sent is kept.
 *
 * @throws forbidden to others than the author and administrators, badRequest for an empty text, and for a field that is too long.
 */
export const updateComment = async (
  session: Session,
  document: DocumentRecord,
  content: CommentContent,
): Promise<Comment> => {
  const { author } = asOwnComment(document)
  const { principal } = session
  if (author !== principal.name && !principal.isAdministrator)
    throw fail('forbidden', `User '${principal.name}' may not change the comment of '${author}'`)
  requireStorable(content)
  if (content.text !== undefined) requireText(content)
  const changed = await updateDocument(privileged(session), document, {
    ...written(content),
    'comment:modificationDate': content.modificationDate ?? session.now.toISOString(),
  })
  const comment = asOwnComment(changed)
  await emitCommentEvent(session, 'commentUpdated', comment)
  return comment
}

/**
 * Removes a comment with all replies to it. Allowed for the author, administrators, and holders of `Everything` on the
 * document.
 */
export const removeComment = async (session: Session, document: DocumentRecord): Promise<void> => {
  asOwnComment(document)
  await removeDocument(session, document)
}
