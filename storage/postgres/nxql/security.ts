import type { Principal } from '../../../core/access/security/index.js'
import type { Binder } from './binder.js'
import type { Selectivity } from './selectivity.js'

/**
 * Key of the effective ACL in force on a document of the table alias `d`: that of its scope, or found by its path
 * while the scope is being split. 0 for what is in no scope, which only administrators see (docs/security.md).
 */
export const ACL_IN_FORCE = `coalesce((
  SELECT CASE WHEN s.is_split THEN archivolt_acl_of(d.path, d.version_series_id) ELSE s.acl_id END
  FROM acl_scopes s WHERE s.id = d.scope_id), 0)`

/**
 * The condition on documents of the table alias `d` that keeps what one may browse whose names are in a
 * parameter. Scopes are looked at, once for each statement, and never each document: only where a scope is being
 * split does the path decide, and only under an ACL that names `ReadVersion` are versions told apart from other
 * documents (docs/security.md). Arrays of subselects, so that the index on scopes serves and plans are quick to make.
 *
 * @param identities the parameter, of type `text[]`, as it stands in the statement.
 * @param isWide for those who may browse much: the scopes filter what another index finds, and are no way to find
 *   documents. The same documents either way.
 * @param scopes what gives the scopes in the statement.
 */
export const readableText = (
  identities: string,
  isWide = false,
  scopes = `archivolt_readable_scopes(${identities})`,
): string =>
  (isWide
    ? `(d.scope_id IN (SELECT unnest(${scopes}))) IS TRUE`
    : `d.scope_id = ANY ((SELECT ${scopes})::int[])`) +
  ' AND (d.scope_id <> ALL ((SELECT archivolt_undecided_scopes())::int[])' +
  ` OR archivolt_browses(d.path, d.version_series_id, d.is_version, ${identities}))`

/**
 * The same for few documents: the scope of each is looked up by its key. The scopes that one may browse are not
 * gathered, which takes longer the more groups one is in.
 */
export const readableOneByOne = (identities: string): string => `(
  SELECT CASE WHEN s.is_split OR a.reads_versions
                THEN archivolt_browses(d.path, d.version_series_id, d.is_version, ${identities})
              WHEN a.is_plain THEN a.browsers && ${identities}
              ELSE archivolt_may_browse(a.entries, ${identities}) END
  FROM acl_scopes s JOIN acls a ON a.id = s.acl_id WHERE s.id = d.scope_id)`

/** Children that are looked at one by one; of more, gathering the scopes first takes less time. */
const MAX_FEW_CHILDREN = 200

/** How many children a folder has is seen by the statement itself; the way that is not taken costs nothing. */
const readableChildren = (parentId: string, identities: string): string => `CASE WHEN (
  SELECT count(*) FROM (SELECT FROM documents c WHERE c.parent_id = ${parentId} LIMIT ${MAX_FEW_CHILDREN + 1}) AS counted
) <= ${MAX_FEW_CHILDREN} THEN ${readableOneByOne(identities)} ELSE ${readableText(identities)} END`

/**
 * Scopes that were gathered before, for the statement to take if nothing has changed in its snapshot.
 */
export type GatheredScopes = {
  /** Their keys as an array of Postgres. */
  scopes: string
  /** `archivolt_acl_mark()` of the snapshot in which they were gathered. */
  mark: string
  /** Between these instants no entry begins or ends to count. */
  since: string
  until: string
}

/** How far a principal reads. */
export type Reach = {
  /** Whether the principal may browse much of all documents, so that its scopes are no way to find them. */
  isWide: boolean
  gathered?: GatheredScopes | undefined
}

const gatheredBefore = (identities: string, gathered: GatheredScopes, { bind }: Binder): string => {
  const { scopes, mark, since, until } = gathered
  const known = [bind(scopes, 'text'), bind(mark, 'text'), bind(since, 'text::timestamptz')]
  return `archivolt_readable_scopes(${[identities, ...known, bind(until, 'text::timestamptz')].join(', ')})`
}

/** What a principal may browse, of few documents or of all. Administrators see everything. */
export const compileReadSecurity = (
  principal: Principal,
  {
    binder,
    reach: { isWide, gathered },
    few,
  }: { binder: Binder; reach: Reach; few: Selectivity | undefined },
): string[] => {
  if (principal.isAdministrator) return []
  const identities = binder.bind(principal.identities, 'text[]')
  if (!few)
    return [readableText(identities, isWide, gathered && gatheredBefore(identities, gathered, binder))]
  if (few.kind === 'ids') return [readableOneByOne(identities)]
  return [readableChildren(binder.bind(few.parentId, 'uuid'), identities)]
}
