import { policyRestrictions } from '../../access/security/index.js'
import { quoteNxql } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  browsedAlone,
  documentEvent,
  hasPermission,
  queryAndFetch,
  requirePermission,
  type Session,
  withFacet,
  writeQuietly,
} from '../documents/index.js'
import { MAX_TAGS, normalLabel, tagLabels } from './label.js'

const FACET = 'NXTag'
const PROPERTY = 'nxtag:tags'

/** A label, and who added it to the document. */
type Tag = { label: string; username: string }

const tagsOf = ({ properties }: DocumentRecord): Tag[] => {
  const stored = properties[PROPERTY]
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry) && typeof entry.label === 'string'
      ? [{ label: entry.label, username: typeof entry.username === 'string' ? entry.username : '' }]
      : [],
  )
}

/** The labels of a document in alphabetical order. */
export const getTags = (document: DocumentRecord): string[] =>
  tagsOf(document)
    .map(({ label }) => label)
    .sort()

const requireTaggable = async (session: Session, document: DocumentRecord): Promise<void> => {
  await requirePermission(session, document, 'Read')
  if (document.isProxy)
    throw fail('badRequest', `Document ${document.id} is a proxy: tags belong to what it shows`)
}

/** Writes the tags of a document, as service data without a new version. */
const write = (
  session: Session,
  document: DocumentRecord,
  next: (current: Tag[]) => Tag[],
): Promise<DocumentRecord> =>
  writeQuietly(
    session,
    document.id,
    (current) => {
      const before = tagsOf(current)
      const after = next(before)
      if (JSON.stringify(after) === JSON.stringify(before)) return undefined
      return {
        properties: { [PROPERTY]: after.length === 0 ? null : after },
        facets: withFacet(session, current, FACET),
      }
    },
    (current) => [
      documentEvent('documentTagUpdated', current, { tags: next(tagsOf(current)).map((tag) => tag.label) }),
    ],
  )

/**
 * Adds tags to a document, each label once whoever adds it (workflow-audit.md §9). Whoever may read a document
 * may tag it; version, `dc:modified` and the changeToken of clients stay.
 *
 * @throws badRequest on a proxy, for a label of which nothing is left, and for more tags than a document may have,
 * forbidden without `Read`.
 */
export const addTags = async (
  session: Session,
  document: DocumentRecord,
  written: readonly string[],
): Promise<DocumentRecord> => {
  await requireTaggable(session, document)
  const labels = tagLabels(written)
  const username = session.principal.name
  return write(session, document, (current) => {
    const known = new Set(current.map((tag) => tag.label))
    const added = labels.filter((label) => !known.has(label))
    if (added.length > 0 && current.length + added.length > MAX_TAGS)
      throw fail(
        'badRequest',
        `tags: a document has ${MAX_TAGS} at most, and this one would have ${current.length + added.length}`,
      )
    return [...current, ...added.map((label) => ({ label, username }))]
  })
}

/** Removes tags. Everybody may remove his own; those of others need the right to write properties. */
const take = async (
  session: Session,
  document: DocumentRecord,
  isMeant: (tag: Tag) => boolean,
): Promise<DocumentRecord> => {
  await requireTaggable(session, document)
  const isWriter = await hasPermission(session, document, 'Write')
  return write(session, document, (current) => {
    const foreign = current.find((tag) => isMeant(tag) && tag.username !== session.principal.name)
    if (foreign && !isWriter)
      throw fail(
        'forbidden',
        `User '${session.principal.name}' may not remove the tag '${foreign.label}' from ${document.path ?? document.id}`,
      )
    return current.filter((tag) => !isMeant(tag))
  })
}

/**
 * Removes tags from a document; those that it does not have are skipped.
 *
 * @throws forbidden for a tag of somebody else without `Write`, badRequest as `addTags`.
 */
export const removeTags = async (
  session: Session,
  document: DocumentRecord,
  written: readonly string[],
): Promise<DocumentRecord> => {
  const labels = tagLabels(written)
  return take(session, document, ({ label }) => labels.includes(label))
}

/** Removes all tags from a document, under the rule of `removeTags`. */
export const removeAllTags = (session: Session, document: DocumentRecord): Promise<DocumentRecord> =>
  take(session, document, () => true)

const MAX_SUGGESTIONS = 10

/** As a query, which knows of policies and of who browses alone; it cannot use the index of tagged documents. */
const queryLabels = async (session: Session, prefix: string): Promise<string[]> => {
  const pattern = quoteNxql(`${prefix.replaceAll('_', '\\_')}%`)
  const nxql = `SELECT DISTINCT ecm:tag FROM Document
    WHERE ecm:tag LIKE ${pattern} AND ecm:isTrashed = 0 ORDER BY ecm:tag`
  const { entries } = await queryAndFetch(session, nxql, { pageSize: MAX_SUGGESTIONS })
  return entries.flatMap((row) => {
    const label = row['ecm:tag']
    return typeof label === 'string' ? [label] : []
  })
}

/** The first labels in alphabetical order with a prefix, among those on documents that the principal may read. */
export const suggestTags = async (session: Session, term: string): Promise<string[]> => {
  const { principal, permissions, stores } = session
  const prefix = normalLabel(term)
  const isQueried =
    policyRestrictions(permissions.policies, principal).length > 0 || (await browsedAlone(session))
  if (isQueried) return queryLabels(session, prefix)
  return stores.tags.labels({ prefix, principal, limit: MAX_SUGGESTIONS })
}
