import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'

/** A comment is about a whole document, an annotation about what an xpath names in it. */
export type CommentKind = 'Comment' | 'Annotation'

/** What a caller sends of a comment; absent fields stay as they are. */
export type CommentContent = {
  text?: string | undefined
  /** Identity of the comment in the system that it was imported from. */
  entityId?: string | null | undefined
  origin?: string | null | undefined
  entity?: string | null | undefined
  /** Of annotations: what they are about. */
  xpath?: string | undefined
  /** ISO 8601 in UTC, of comments that are imported. */
  creationDate?: string | null | undefined
  modificationDate?: string | null | undefined
}

/** A comment as it is read. */
export type Comment = {
  id: string
  kind: CommentKind
  /** The document, or the comment that it replies to. */
  parentId: string
  /** Comments that it replies to, the nearest first, then the document. */
  ancestorIds: string[]
  author: string
  text: string
  creationDate: string | null
  modificationDate: string | null
  entityId: string | null
  origin: string | null
  entity: string | null
  xpath: string | null
}

const textAt = ({ properties }: DocumentRecord, property: string): string | null => {
  const value: PropertyValue | undefined = properties[property]
  return typeof value === 'string' ? value : null
}

const ancestorsOf = ({ properties }: DocumentRecord): string[] => {
  const stored = properties['comment:ancestorIds']
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}

/** The comment that a document is; undefined for any other document. */
export const asComment = (document: DocumentRecord): Comment | undefined => {
  const author = textAt(document, 'comment:author')
  const parentId = textAt(document, 'comment:parentId')
  if (author === null || parentId === null) return undefined
  return {
    id: document.id,
    kind: document.type === 'Annotation' ? 'Annotation' : 'Comment',
    parentId,
    ancestorIds: ancestorsOf(document),
    author,
    text: textAt(document, 'comment:text') ?? '',
    creationDate: textAt(document, 'comment:creationDate'),
    modificationDate: textAt(document, 'comment:modificationDate'),
    entityId: textAt(document, 'external:entityId'),
    origin: textAt(document, 'external:origin'),
    entity: textAt(document, 'external:entity'),
    xpath: textAt(document, 'annotation:xpath'),
  }
}

/** Id of the document that a thread is about. */
export const commentedId = ({ ancestorIds, parentId }: Comment): string => ancestorIds.at(-1) ?? parentId
