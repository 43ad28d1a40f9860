import { TRASHED_NAME } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { within } from '../rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const t = columnsOf(documents, 't')

/** Marks a locked subtree as trashed or not; what was trashed by itself before stays so. */
export const markTrashed = async (sql: Sql, root: DocumentRecord, isTrashed: boolean): Promise<void> => {
  const isKept = isTrashed
    ? named(sql)`false`
    : named(sql)`EXISTS (
        SELECT FROM ${DOCUMENTS} t
        WHERE ${t.path} > ${`${root.path}/`} AND ${t.path} < ${`${root.path}0`} AND ${t.isTrashed}
          AND ${t.name} ~ ${TRASHED_NAME} AND (${d.id} = ${t.id} OR starts_with(${d.path}, ${t.path} || '/')))`
  await named(sql)`
    UPDATE ${DOCUMENTS} d SET ${DOCUMENT.isTrashed} = ${isTrashed}, ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1
    WHERE ${within(sql, root)} AND ${d.isTrashed} <> ${isTrashed} AND NOT ${isKept}`
}
