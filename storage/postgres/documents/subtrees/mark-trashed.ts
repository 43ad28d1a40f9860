import { TRASHED_NAME } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { Sql } from '../../connection/index.js'
import { within } from '../rows.js'

/** Marks a locked subtree as trashed or not; what was trashed by itself before stays so. */
export const markTrashed = async (sql: Sql, root: DocumentRecord, isTrashed: boolean): Promise<void> => {
  const isKept = isTrashed
    ? sql`false`
    : sql`EXISTS (
        SELECT FROM documents t
        WHERE t.path > ${`${root.path}/`} AND t.path < ${`${root.path}0`} AND t.is_trashed
          AND t.name ~ ${TRASHED_NAME} AND (d.id = t.id OR starts_with(d.path, t.path || '/')))`
  await sql`
    UPDATE documents d SET is_trashed = ${isTrashed}, system_token = system_token + 1
    WHERE ${within(sql, root)} AND d.is_trashed <> ${isTrashed} AND NOT ${isKept}`
}
