import type { Principal } from '../../security/index.js'
import type { Binder } from './binder.js'

/**
 * What a principal may browse, as a look at the table of distinct ACLs, never at each document: whole
 * subtrees share a row there. Administrators see everything.
 */
export const compileReadSecurity = (principal: Principal, binder: Binder): string[] => {
  if (principal.isAdministrator) return []
  const identities = binder.bind(principal.identities, 'text[]')
  return [
    `d.acl_id IN (SELECT a.id FROM acls a WHERE (a.is_plain AND a.browsers && ${identities})` +
      ` OR (NOT a.is_plain AND archivolt_may_browse(a.entries, ${identities})))`,
  ]
}
