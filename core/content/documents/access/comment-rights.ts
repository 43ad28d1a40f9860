import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { documentEvent, emit } from '../events.js'
import type { Session } from '../session.js'
import { isWorkflowDocument } from './workflow-documents.js'

/** Type of the hidden folder below a document that holds the comments on it. */
export const COMMENTS_FOLDER = 'Comments'

const AUTHOR = 'comment:author'

/** Written by the product alone: a caller who could set them could comment in another's name. */
export const COMMENT_PROTECTED = [
  AUTHOR,
  'comment:creationDate',
  'comment:modificationDate',
  'comment:parentId',
  'comment:ancestorIds',
]

/** Who wrote a comment; undefined for what is no comment. */
export const commentAuthor = ({ properties }: DocumentRecord): string | undefined => {
  const author = properties[AUTHOR]
  return typeof author === 'string' ? author : undefined
}

const CHANGES = new Set(['Write', 'WriteProperties', 'WriteLifeCycle', 'Remove', 'RemoveChildren'])

/** What changes a task or a route beside its workflow; its own schemas are for its actors. */
const CHANGES_OF_WORKFLOW = new Set(['Write', 'WriteLifeCycle', 'WriteVersion', 'WriteSecurity', 'Remove'])

/** What changes the words of a comment. */
const CHANGES_OF_WORDS = new Set(['Write', 'WriteProperties'])

/**
 * What must be granted to change or remove a comment: its author need only read it, others need everything on the document to
 * remove it (workflow-audit.md §9). Tasks and routes need everything, too. For all else, what was asked for.
 *
 * @returns null where nothing that can be granted suffices: the words of a comment are its author's.
 */
export const permissionNeeded = (
  { principal, model }: Session,
  document: DocumentRecord,
  permission: string,
): string | null => {
  if (CHANGES_OF_WORKFLOW.has(permission) && isWorkflowDocument({ model }, document)) return 'Everything'
  if (!CHANGES.has(permission)) return permission
  // The folder of comments holds those of many authors.
  if (document.type === COMMENTS_FOLDER) return 'Everything'
  const author = commentAuthor(document)
  if (author === undefined) return permission
  if (author === principal.name) return 'Read'
  return CHANGES_OF_WORDS.has(permission) && !principal.isAdministrator ? null : 'Everything'
}

/**
 * Refuses to have comments elsewhere, or twice, to all but administrators: who may read them could show others what its author
 * has changed or taken back.
 *
 * @param what would be done with it.
 * @throws forbidden for a comment, and for the folder of those on a document.
 */
export const requireNoComment = (
  { principal }: Pick<Session, 'principal'>,
  document: DocumentRecord,
  what: 'moved' | 'copied' | 'published',
): void => {
  const isOne = commentAuthor(document) !== undefined || document.type === COMMENTS_FOLDER
  if (!isOne || principal.isAdministrator) return
  throw fail('forbidden', `A comment stays with what it is about: ${document.id} cannot be ${what}`)
}

/**
 * Emits, on the document that it was about, that a comment is about to be removed, by whatever way.
 * Comments that are removed with their document have no event each.
 */
export const emitCommentRemoved = async (session: Session, document: DocumentRecord): Promise<void> => {
  const author = commentAuthor(document)
  const ancestors = document.properties['comment:ancestorIds']
  const commentedId = Array.isArray(ancestors) ? ancestors.at(-1) : undefined
  if (author === undefined || typeof commentedId !== 'string') return
  const commented = await session.stores.documents.get(commentedId)
  if (!commented) return
  await emit(session, commented, [
    documentEvent('commentRemoved', commented, {
      commentId: document.id,
      parentId: document.properties['comment:parentId'] ?? null,
      author,
    }),
  ])
}
