import type { Principal } from '../../../core/access/security/index.js'
import type { QueryScope } from '../../../core/content/stores/index.js'
import { namingPath, readableOneByOne, readableText, readText } from '../rows/index.js'
import type { Binder } from './binder.js'
import { DOCUMENT, DOCUMENTS } from './places/names.js'
import type { Selectivity } from './selectivity.js'

/** Children that are looked at one by one; of more, gathering the scopes first takes less time. */
const MAX_FEW_CHILDREN = 200

/** How many children a folder has is seen by the statement itself; the way that is not taken costs nothing. */
const readableChildren = (parentId: string, identities: string): string => `CASE WHEN (
  SELECT count(*) FROM (SELECT FROM ${DOCUMENTS} c WHERE c.${DOCUMENT.parentId} = ${parentId} LIMIT ${MAX_FEW_CHILDREN + 1}) AS counted
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

/** What a principal may read, beside what he may browse; absent where that is all of it. */
export const compileReading = (
  { isAdministrator, identities }: Principal,
  reading: QueryScope['reading'],
  { bind }: Binder,
): string[] =>
  isAdministrator || !reading
    ? []
    : [
        readText(
          bind(identities, 'text[]'),
          bind(namingPath(reading.browsing), 'text'),
          bind(reading.reading, 'text[]'),
        ),
      ]

/** What a principal may browse, of few documents or of all. Administrators see everything. */
export const compileReadSecurity = (
  principal: Principal,
  {
    binder,
    reach: { isWide, gathered },
    selectivity,
  }: { binder: Binder; reach: Reach; selectivity: Selectivity | undefined },
): string[] => {
  if (principal.isAdministrator) return []
  const identities = binder.bind(principal.identities, 'text[]')
  if (!selectivity)
    return [readableText(identities, isWide, gathered && gatheredBefore(identities, gathered, binder))]
  if (selectivity.kind === 'ids') return [readableOneByOne(identities)]
  return [readableChildren(binder.bind(selectivity.parentId, 'uuid'), identities)]
}
