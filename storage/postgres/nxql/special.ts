import type { SpecialProperty } from '../../../core/model/nxql/index.js'
import type { Scalar } from './scalar.js'

const text = (column: string): Scalar => ({ kind: 'text', sql: `d.${column}` })
const flag = (column: string): Scalar => ({ kind: 'boolean', sql: `d.${column}` })
const uuid = (column: string): Scalar => ({ kind: 'uuid', sql: `d.${column}` })
const instant = (column: string): Scalar => ({ kind: 'instant', sql: `d.${column}` })

/**
 * What is in the trash: moved there, or in the state `deleted`, which older clients ask for and set (reference:
 * nxql-search.md §4). The predicate of the index `documents_trashed`.
 */
export const TRASHED = "(d.is_trashed OR d.lifecycle_state = 'deleted')"

/** The columns of special properties that have one value. */
export const SPECIAL_COLUMNS: { readonly [name in SpecialProperty]: Scalar } = {
  'ecm:uuid': uuid('id'),
  'ecm:parentId': uuid('parent_id'),
  'ecm:name': text('name'),
  'ecm:primaryType': text('type'),
  'ecm:currentLifeCycleState': text('lifecycle_state'),
  'ecm:pos': { kind: 'number', sql: 'd.position' },
  'ecm:isProxy': flag('is_proxy'),
  'ecm:isVersion': flag('is_version'),
  'ecm:isCheckedInVersion': flag('is_version'),
  'ecm:isCheckedIn': flag('is_checked_in'),
  'ecm:isLatestVersion': flag('is_latest_version'),
  'ecm:isLatestMajorVersion': flag('is_latest_major_version'),
  'ecm:isTrashed': { kind: 'boolean', sql: `coalesce(${TRASHED}, FALSE)` },
  'ecm:versionLabel': text('version_label'),
  'ecm:versionDescription': text('version_description'),
  'ecm:versionCreated': instant('version_created_at'),
  'ecm:versionVersionableId': uuid('version_series_id'),
  'ecm:lockOwner': text('lock_owner'),
  'ecm:lock': text('lock_owner'),
  'ecm:lockCreated': instant('locked_at'),
  'ecm:proxyTargetId': uuid('proxy_target_id'),
  'ecm:proxyVersionableId': uuid('proxy_version_series_id'),
  'ecm:isRecord': { kind: 'boolean', sql: 'FALSE' },
  'ecm:hasLegalHold': { kind: 'boolean', sql: 'FALSE' },
  'ecm:retainUntil': { kind: 'instant', sql: 'NULL::timestamptz' },
}
