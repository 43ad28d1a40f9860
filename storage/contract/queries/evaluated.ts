import {
  type Ace,
  type Acl,
  aceStatus,
  type EffectiveAcl,
  effectiveAcl,
  isGranted,
  principalOf,
} from '../../../core/access/security/index.js'
import type { EvaluatedDocument, Json } from '../../../core/model/nxql/evaluator/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import type { RandomDocument } from './random-documents.js'

const { permissions } = CONTRACT_RULES

/** What is in force on each document, by its id: its own entries, then those of what it is below or a version of. */
const aclsInForce = (documents: readonly RandomDocument[]): ReadonlyMap<string, EffectiveAcl> => {
  const inForce = new Map<string, EffectiveAcl>()
  for (const { record, acls } of documents) {
    const above = inForce.get((record.isVersion ? record.versionSeriesId : record.parentId) ?? '') ?? []
    inForce.set(record.id, record.isVersion ? above : effectiveAcl(acls, above, permissions))
  }
  return inForce
}

const STATUSES = { pending: 0, effective: 1, archived: 2 } as const

const evaluatedAce = (ace: Ace, acl: Acl, now: Date): EvaluatedDocument['aces'][number] => ({
  principal: ace.username,
  permission: ace.permission,
  grant: ace.granted,
  name: acl.name,
  creator: ace.creator ?? null,
  begin: ace.begin ?? null,
  end: ace.end ?? null,
  status: ace.begin || ace.end ? STATUSES[aceStatus(ace, now)] : null,
})

/**
 * Documents as the evaluator sees them.
 *
 * @param documents parents before children, live documents before their versions.
 * @param now of the queries; who may browse is decided by the real clock.
 */
export const evaluatedDocuments = (documents: readonly RandomDocument[], now: Date): EvaluatedDocument[] => {
  const inForce = aclsInForce(documents)
  return documents.map(({ record, acls }) => ({
    id: record.id,
    path: record.path,
    type: record.type,
    facets: record.facets,
    isTrashed: record.isTrashed,
    columns: {
      'ecm:uuid': record.id,
      'ecm:parentId': record.parentId,
      'ecm:name': record.name,
      'ecm:primaryType': record.type,
      'ecm:currentLifeCycleState': record.lifecycleState,
      'ecm:pos': record.position,
      'ecm:isProxy': record.isProxy,
      'ecm:isVersion': record.isVersion,
      'ecm:isCheckedIn': record.isCheckedIn,
      'ecm:isLatestVersion': record.isLatestVersion,
      'ecm:versionLabel': record.versionLabel,
      'ecm:versionCreated': record.versionCreatedAt?.toISOString() ?? null,
      'ecm:versionVersionableId': record.versionSeriesId,
      'ecm:proxyTargetId': record.proxyTargetId,
      'ecm:lockOwner': record.lockOwner,
      'ecm:lockCreated': record.lockedAt?.toISOString() ?? null,
    },
    properties: record.properties as { [key: string]: Json },
    aces: acls
      .flatMap((acl) => acl.aces.map((ace) => evaluatedAce(ace, acl, now)))
      .map((ace, index) => ({ ...ace, pos: index + 1 })),
    mayBrowse: ([name = '', ...groups]) =>
      isGranted({
        acl: inForce.get(record.id) ?? [],
        principal: principalOf(name, groups, false),
        permission: 'Browse',
        permissions,
        now: new Date(),
        isVersion: record.isVersion,
      }),
  }))
}
