import { type Principal, policyRestrictions, type SecurityPolicy } from '../../security/index.js'
import type { Predicate } from '../ast.js'
import { parseConditions } from '../compose.js'
import type { Binder } from './binder.js'

/**
 * Key of the effective ACL in force on a document of the table alias `d`: that of its scope, or found by its path
 * while the scope is being split. 0 for what is in no scope, which only administrators see (docs/security.md).
 */
export const ACL_IN_FORCE = `coalesce((
  SELECT CASE WHEN s.is_split THEN archivolt_acl_of(d.path, d.version_series_id) ELSE s.acl_id END
  FROM acl_scopes s WHERE s.id = d.scope_id), 0)`

/**
 * The condition on documents of the table alias `d` that keeps what one may browse whose names are in a
 * parameter. Scopes are looked at, never each document: only where a scope is being split does the path decide,
 * and only under an ACL that names `ReadVersion` are versions told apart from other documents.
 *
 * @param identities the parameter, of type `text[]`, as it stands in the statement.
 */
export const readableText = (identities: string): string => {
  const mayBrowse =
    `(a.is_plain AND a.browsers && ${identities}` +
    ` OR NOT a.is_plain AND archivolt_may_browse(a.entries, ${identities}))`
  // As arrays, which the planner computes once: it counts a subquery's cost again for each document.
  const acls = (condition: string) => `ANY (ARRAY(SELECT a.id FROM acls a WHERE ${condition}))`
  const inForce = 'archivolt_acl_of(d.path, d.version_series_id)'
  const onVersions =
    `(NOT a.reads_versions AND ${mayBrowse}` +
    ` OR a.reads_versions AND archivolt_may_browse_version(a.entries, ${identities}))`
  return (
    'd.scope_id IN (SELECT s.id FROM acl_scopes s JOIN acls a ON a.id = s.acl_id' +
    ` WHERE s.is_split OR a.reads_versions OR ${mayBrowse})` +
    ' AND (d.scope_id <> ALL (ARRAY(SELECT s.id FROM acl_scopes s WHERE s.is_split UNION ALL' +
    ' SELECT s.id FROM acl_scopes s JOIN acls a ON a.id = s.acl_id WHERE a.reads_versions))' +
    ` OR CASE WHEN d.is_version THEN ${inForce} = ${acls(onVersions)}` +
    ` ELSE ${inForce} = ${acls(mayBrowse)} END)`
  )
}

/** What a principal may browse. Administrators see everything. */
export const compileReadSecurity = (principal: Principal, binder: Binder): string[] =>
  principal.isAdministrator ? [] : [readableText(binder.bind(principal.identities, 'text[]'))]

/** What security policies demand of the documents in every query of a principal. */
export const policyConditions = (
  policies: readonly SecurityPolicy[],
  principal: Principal,
): (Predicate | null)[] => policyRestrictions(policies, principal).map(parseConditions)
