import type { Relocation } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { pointVersions, type Scopes, scopeAfterMove } from '../access/scopes.js'
import { below, isPathTaken } from '../rows.js'
import { changesMark, keptMarks } from './mark-trashed.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** The assignments that change the marks of the trash together with the paths: each row is written once. */
const markedAs = (sql: Sql, isTrashed: boolean | undefined, kept: readonly string[]) => {
  if (isTrashed === undefined) return named(sql)``
  const changing = changesMark(sql, { isTrashed, kept })
  return named(sql)`,
    ${DOCUMENT.isTrashed} = CASE WHEN ${changing} THEN ${isTrashed}::boolean ELSE ${d.isTrashed} END,
    ${DOCUMENT.systemToken} = ${d.systemToken} + (${changing})::int`
}

/** Puts a locked subtree into another place; false when the path is taken. */
export const moveSubtree = async (
  sql: Sql,
  root: DocumentRecord,
  { parent, name, path, position, isTrashed, scopes }: Relocation & { scopes: Scopes },
): Promise<boolean> => {
  if (root.path === null || (await isPathTaken(sql, path))) return false
  const { path: from } = root
  const target = await scopes.move(from, { parentPath: parent.path ?? '/', path })
  const kept = await keptMarks(sql, from, isTrashed ?? true)
  const newPath = named(sql)`(${path} || substr(${d.path}, char_length(${from}::text) + 1))`
  await named(sql)`
    UPDATE ${DOCUMENTS} d SET ${DOCUMENT.path} = ${newPath}, ${DOCUMENT.scopeId} = ${scopeAfterMove(sql, { path, newPath, target })}
      ${markedAs(sql, isTrashed, kept)}
    WHERE ${below(sql, from)}`
  await named(sql)`
    UPDATE ${DOCUMENTS} d SET ${DOCUMENT.path} = ${path}, ${DOCUMENT.name} = ${name}, ${DOCUMENT.parentId} = ${parent.id}, ${DOCUMENT.position} = ${position},
      ${DOCUMENT.scopeId} = ${scopeAfterMove(sql, { path, newPath, target })}, ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1,
      ${DOCUMENT.isTrashed} = coalesce(${isTrashed ?? null}::boolean, ${d.isTrashed})
    WHERE ${d.id} = ${root.id}`
  await pointVersions(sql, path)
  await scopes.recompute(path)
  return true
}
