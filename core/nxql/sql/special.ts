import type { Scalar } from './scalar.js'

const text = (column: string): Scalar => ({ kind: 'text', sql: `d.${column}` })
const flag = (column: string): Scalar => ({ kind: 'boolean', sql: `d.${column}` })
const uuid = (column: string): Scalar => ({ kind: 'uuid', sql: `d.${column}` })
const instant = (column: string): Scalar => ({ kind: 'instant', sql: `d.${column}` })

/** Special properties that are columns (reference: nxql-search.md §4). */
export const SPECIAL_COLUMNS: ReadonlyMap<string, Scalar> = new Map([
  ['ecm:uuid', uuid('id')],
  ['ecm:parentId', uuid('parent_id')],
  ['ecm:name', text('name')],
  ['ecm:primaryType', text('type')],
  ['ecm:currentLifeCycleState', text('lifecycle_state')],
  ['ecm:pos', { kind: 'number', sql: 'd.position' }],
  ['ecm:isProxy', flag('is_proxy')],
  ['ecm:isVersion', flag('is_version')],
  ['ecm:isCheckedInVersion', flag('is_version')],
  ['ecm:isCheckedIn', flag('is_checked_in')],
  ['ecm:isLatestVersion', flag('is_latest_version')],
  ['ecm:isLatestMajorVersion', flag('is_latest_major_version')],
  ['ecm:isTrashed', flag('is_trashed')],
  ['ecm:versionLabel', text('version_label')],
  ['ecm:versionDescription', text('version_description')],
  ['ecm:versionCreated', instant('version_created_at')],
  ['ecm:versionVersionableId', uuid('version_series_id')],
  ['ecm:lockOwner', text('lock_owner')],
  ['ecm:lock', text('lock_owner')],
  ['ecm:lockCreated', instant('locked_at')],
])

/** The flag that the reference compares with `=` and `<>` only. */
export const EQUALITY_ONLY: ReadonlySet<string> = new Set(['ecm:isTrashed'])

/** Known names of the reference that have no SQL yet, by what stands before a dot, slash or underscore. */
export const SPECIAL_LATER: ReadonlySet<string> = new Set([
  'ecm:acl',
  'ecm:blobKeys',
  'ecm:fulltext',
  'ecm:fulltextScore',
  'ecm:hasLegalHold',
  'ecm:isRecord',
  'ecm:proxyTargetId',
  'ecm:proxyVersionableId',
  'ecm:retainUntil',
  'ecm:tag',
])
