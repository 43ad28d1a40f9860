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

/**
 * Paths of what keeps its mark when the mark is taken from what is above: trashed by itself before. Looked for once,
 * and not for each document.
 */
export const keptMarks = async (sql: Sql, path: string, isTrashed: boolean): Promise<string[]> => {
  if (isTrashed) return []
  const rows = await named(sql)<{ path: string }[]>`
    SELECT ${t.path} FROM ${DOCUMENTS} t
    WHERE ${t.path} > ${`${path}/`} AND ${t.path} < ${`${path}0`} AND ${t.isTrashed} AND ${t.name} ~ ${TRASHED_NAME}`
  return rows.map((row) => row.path)
}

/** The condition on documents of a locked subtree whose mark changes. */
export const changesMark = (
  sql: Sql,
  { isTrashed, kept }: { isTrashed: boolean; kept: readonly string[] },
) => {
  const differs = named(sql)`${d.isTrashed} <> ${isTrashed}::boolean`
  if (kept.length === 0) return differs
  return named(sql)`(${differs} AND NOT EXISTS (
    SELECT FROM unnest(${sql.array([...kept])}::text[]) AS kept(path)
    WHERE ${d.path} = kept.path OR starts_with(${d.path}, kept.path || '/')))`
}

/** Marks a locked subtree as trashed or not. */
export const markTrashed = async (sql: Sql, root: DocumentRecord, isTrashed: boolean): Promise<void> => {
  const kept = await keptMarks(sql, root.path ?? '', isTrashed)
  await named(sql)`
    UPDATE ${DOCUMENTS} d SET ${DOCUMENT.isTrashed} = ${isTrashed}, ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1
    WHERE ${within(sql, root)} AND ${changesMark(sql, { isTrashed, kept })}`
}
