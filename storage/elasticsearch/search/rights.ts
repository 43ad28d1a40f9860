import type { Principal } from '../../../core/access/security/index.js'
import type { IndexFeed, ReadingApart } from '../../../core/content/stores/index.js'
import { allOf, anyOf, type Clause } from '../nxql/index.js'

/** Scopes that one query may send: what Elasticsearch takes of one list. */
const MAX_SCOPES = 65_536

const inScopes = (scopes: readonly number[]): Clause => ({ terms: { 'ecm:scope': [...scopes] } })

/**
 * What keeps the entries that somebody may browse now; undefined where their scopes are too many. Nothing is asked
 * of what administrators may browse.
 *
 * @param reading where entries are kept that they may read.
 */
export const rightsOf = async (
  feed: Pick<IndexFeed, 'scopesOf'>,
  principal: Principal,
  reading?: ReadingApart,
): Promise<Clause[] | undefined> => {
  if (principal.isAdministrator) return []
  const { documents, versions } = await feed.scopesOf(principal, reading)
  if (Math.max(documents.length, versions.length) > MAX_SCOPES) return undefined
  const versionScopes = new Set(versions)
  const documentScopes = new Set(documents)
  // Mostly all of them: whoever may read usually reads versions, too.
  const ofBoth = documents.filter((scope) => versionScopes.has(scope))
  const of = (isVersion: boolean, scopes: readonly number[]) =>
    scopes.length === 0 ? [] : [allOf([{ term: { 'ecm:isVersion': isVersion } }, inScopes(scopes)])]
  const clauses = [
    ...(ofBoth.length === 0 ? [] : [inScopes(ofBoth)]),
    ...of(
      false,
      documents.filter((scope) => !versionScopes.has(scope)),
    ),
    ...of(
      true,
      versions.filter((scope) => !documentScopes.has(scope)),
    ),
  ]
  return [anyOf(clauses)]
}
