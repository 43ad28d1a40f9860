import type { estypes } from '@elastic/elasticsearch'
import type { Principal } from '../../../core/access/security/index.js'
import type { IndexFeed } from '../../../core/content/stores/index.js'

/** Scopes that one query may send: what Elasticsearch takes of one list. */
const MAX_SCOPES = 65_536

/**
 * What keeps the entries that somebody may browse now; undefined where their scopes are too many. Nothing is asked
 * of what administrators may browse.
 */
export const rightsOf = async (
  feed: Pick<IndexFeed, 'scopesOf'>,
  principal: Principal,
): Promise<estypes.QueryDslQueryContainer[] | undefined> => {
  if (principal.isAdministrator) return []
  const { documents, versions } = await feed.scopesOf(principal)
  if (Math.max(documents.length, versions.length) > MAX_SCOPES) return undefined
  const of = (isVersion: boolean, scopes: readonly number[]) => ({
    bool: {
      filter: [{ term: { 'ecm:isVersion': isVersion } }, { terms: { 'ecm:scope': [...scopes] } }],
    },
  })
  return [{ bool: { should: [of(false, documents), of(true, versions)], minimum_should_match: 1 } }]
}
