import type { SpecialProperty } from '../../../../core/model/nxql/index.js'
import { d } from './names.js'
import type { Scalar } from './scalar.js'

const text = (sql: string): Scalar => ({ kind: 'text', sql })
const flag = (sql: string): Scalar => ({ kind: 'boolean', sql })
const uuid = (sql: string): Scalar => ({ kind: 'uuid', sql })
const instant = (sql: string): Scalar => ({ kind: 'instant', sql })

/**
 * What is in the trash: moved there, or in the state `deleted`, which older clients ask for and set (reference:
 * nxql-search.md §4). The predicate of the index `documents_trashed`.
 */
export const TRASHED = `(${d.isTrashed} OR ${d.lifecycleState} = 'deleted')`

/** The columns of special properties that have one value. */
export const SPECIAL_COLUMNS: { readonly [name in SpecialProperty]: Scalar } = {
  'ecm:uuid': uuid(d.id),
  'ecm:parentId': uuid(d.parentId),
  'ecm:name': text(d.name),
  'ecm:primaryType': text(d.type),
  'ecm:currentLifeCycleState': text(d.lifecycleState),
  'ecm:pos': { kind: 'number', sql: d.position },
  'ecm:isProxy': flag(d.isProxy),
  'ecm:isVersion': flag(d.isVersion),
  'ecm:isCheckedInVersion': flag(d.isVersion),
  'ecm:isCheckedIn': flag(d.isCheckedIn),
  'ecm:isLatestVersion': flag(d.isLatestVersion),
  'ecm:isLatestMajorVersion': flag(d.isLatestMajorVersion),
  'ecm:isTrashed': { kind: 'boolean', sql: `coalesce(${TRASHED}, FALSE)` },
  'ecm:versionLabel': text(d.versionLabel),
  'ecm:versionDescription': text(d.versionDescription),
  'ecm:versionCreated': instant(d.versionCreatedAt),
  'ecm:versionVersionableId': uuid(d.versionSeriesId),
  'ecm:lockOwner': text(d.lockOwner),
  'ecm:lock': text(d.lockOwner),
  'ecm:lockCreated': instant(d.lockedAt),
  'ecm:proxyTargetId': uuid(d.proxyTargetId),
  'ecm:proxyVersionableId': uuid(d.proxyVersionSeriesId),
  'ecm:isRecord': { kind: 'boolean', sql: 'FALSE' },
  'ecm:hasLegalHold': { kind: 'boolean', sql: 'FALSE' },
  'ecm:retainUntil': { kind: 'instant', sql: 'NULL::timestamptz' },
}
