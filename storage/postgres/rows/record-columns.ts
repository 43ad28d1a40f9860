import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import { columnsOf } from './names.js'
import { ACL_IN_FORCE } from './read-rights.js'

/** The types of the columns whose names in a record are those of the table's definition. */
export const RECORD_TYPES = {
  id: 'uuid',
  parentId: 'uuid',
  name: 'text',
  path: 'text',
  position: 'int',
  type: 'text',
  facets: 'text[]',
  lifecycleState: 'text',
  isVersion: 'boolean',
  isProxy: 'boolean',
  isCheckedIn: 'boolean',
  isTrashed: 'boolean',
  majorVersion: 'int',
  minorVersion: 'int',
  versionSeriesId: 'uuid',
  versionLabel: 'text',
  versionDescription: 'text',
  versionCreatedAt: 'timestamptz',
  isLatestVersion: 'boolean',
  isLatestMajorVersion: 'boolean',
  baseVersionId: 'uuid',
  proxyTargetId: 'uuid',
  proxyVersionSeriesId: 'uuid',
  lockOwner: 'text',
  lockedAt: 'timestamptz',
  systemToken: 'int',
  userToken: 'int',
  properties: 'jsonb',
} as const satisfies { [field in Exclude<keyof DocumentRecord, 'aclId'>]: string }

export type RecordField = keyof typeof RECORD_TYPES

export const RECORD_FIELDS = Object.keys(RECORD_TYPES) as readonly RecordField[]

const d = columnsOf(documents, 'd')

const columnOf = (field: RecordField): string =>
  String(d[field]) === `d.${field}` ? `d.${field}` : `${d[field]} AS "${field}"`

const columnsOfRecord = (special: { [field in RecordField]?: string } = {}): string =>
  [...RECORD_FIELDS.map((field) => special[field] ?? columnOf(field)), `${ACL_IN_FORCE} AS "aclId"`].join(
    ', ',
  )

/**
 * The columns of a document under the names of its record, so that a row needs no mapping. `d` is the alias
 * that every statement gives to `documents`.
 */
export const RECORD_COLUMNS = columnsOfRecord()

/** Characters of a property that is read of a document in brief. */
const BRIEF = 10_000

/** The same with the short ones of the properties that the parameter `$2` names, and no others. */
export const BRIEF_COLUMNS = columnsOfRecord({
  properties: `(
  SELECT coalesce(jsonb_object_agg(key, ${d.properties} -> key), '{}') FROM unnest($2::text[]) AS key
  WHERE length((${d.properties} -> key)::text) <= ${BRIEF}) AS properties`,
})

/** Bytes as they are stored, compressed, in the row itself: however well, they are no more than 200,000 characters. */
const SMALL = 2_000

const DESCRIPTION = `octet_length(${d.versionDescription})`

/**
 * The same as of a record with null for the properties of a document that is not small, and for what is long beside them. A
 * hundred of these are far less than a list may have.
 */
export const SMALL_COLUMNS = columnsOfRecord({
  properties: `CASE WHEN pg_column_size(${d.properties}) + coalesce(${DESCRIPTION}, 0) <= ${SMALL}
    THEN ${d.properties} END AS properties`,
  versionDescription: `CASE WHEN ${DESCRIPTION} <= ${SMALL} THEN ${d.versionDescription} END AS "versionDescription"`,
})
