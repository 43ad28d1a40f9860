import { aclScopes, acls, documents } from '../../../schema/documents.js'
import { columnsOf, tableOf } from './names.js'

const ACL_SCOPES = tableOf(aclScopes)
const ACLS = tableOf(acls)
const a = columnsOf(acls, 'a')
const d = columnsOf(documents, 'd')
const s = columnsOf(aclScopes, 's')

/**
 * Key of the effective ACL in force on a document of the table alias `d`: that of its scope, or found by its path
 * while the scope is being split. 0 for what is in no scope, which only administrators see (docs/security.md).
 */
export const ACL_IN_FORCE = `coalesce((
  SELECT CASE WHEN ${s.isSplit} THEN archivolt_acl_of(${d.path}, ${d.versionSeriesId}) ELSE ${s.aclId} END
  FROM ${ACL_SCOPES} s WHERE ${s.id} = ${d.scopeId}), 0)`

/**
 * The condition on documents of the table alias `d` that keeps what one may browse whose names are in a
 * parameter. Scopes are looked at, once for each statement, and never each document: only where a scope is being
 * split does the path decide, and only under an ACL that names `ReadVersion` are versions distinguished from other
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
    ? `(${d.scopeId} IN (SELECT unnest(${scopes}))) IS TRUE`
    : `${d.scopeId} = ANY ((SELECT ${scopes})::int[])`) +
  ` AND (${d.scopeId} <> ALL ((SELECT archivolt_undecided_scopes())::int[])` +
  ` OR archivolt_browses(${d.path}, ${d.versionSeriesId}, ${d.isVersion}, ${identities}))`

/** The path in JSON of entries of an ACL that grant one of some permissions. */
export const namingPath = (permissions: readonly string[]): string =>
  `$[*] ? (@.granted == true && (${permissions.map((name) => `@.permission == ${JSON.stringify(name)}`).join(' || ')}))`

/**
 * Ids of the scopes in which one may browse and not read. The first entry in force that names one and decides about reading
 * decides.
 *
 * @param identities the names of the principal, as they stand in the statement. @param browsing what `namingPath` gives of
 *   the permissions that let somebody browse alone. @param reading the permissions that let somebody read.
 */
export const unreadScopesText = (identities: string, browsing: string, reading: string): string => `
  SELECT ${s.id} AS id FROM ${ACL_SCOPES} s JOIN ${ACLS} a ON ${a.id} = ${s.aclId}
  WHERE ${a.browsers} && ${identities} AND ${a.entries} @? ${browsing}::jsonpath AND NOT coalesce((
    SELECT (e.entry ->> 'granted')::boolean FROM jsonb_array_elements(${a.entries}) WITH ORDINALITY AS e(entry, place)
    WHERE e.entry ->> 'username' = ANY (${identities}) AND e.entry ->> 'permission' = ANY (${reading})
      AND coalesce((e.entry ->> 'begin')::timestamptz <= now(), true) AND coalesce((e.entry ->> 'end')::timestamptz > now(), true)
    ORDER BY e.place LIMIT 1), false)`

/** The condition that leaves out documents which one may browse and not read: see `unreadScopesText`. */
export const readText = (identities: string, browsing: string, reading: string): string =>
  `${d.scopeId} <> ALL (ARRAY(${unreadScopesText(identities, browsing, reading)}))`

/**
 * The same for few documents: the scope of each is looked up by its key. The scopes that one may browse are not
 * gathered, which takes longer the more groups one is in.
 */
export const readableOneByOne = (identities: string): string => `(
  SELECT CASE WHEN ${s.isSplit} OR ${a.readsVersions}
                THEN archivolt_browses(${d.path}, ${d.versionSeriesId}, ${d.isVersion}, ${identities})
              WHEN ${a.isPlain} THEN ${a.browsers} && ${identities}
              ELSE archivolt_may_browse(${a.entries}, ${identities}) END
  FROM ${ACL_SCOPES} s JOIN ${ACLS} a ON ${a.id} = ${s.aclId} WHERE ${s.id} = ${d.scopeId})`
