import type { Place } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { Sql } from '../../connection/index.js'
import { below, isPathTaken } from '../rows.js'
import { pointVersions, type Scopes, scopeAfterMove } from '../scopes.js'

/** Puts a locked subtree into another place; false when the path is taken. */
export const moveSubtree = async (
  sql: Sql,
  root: DocumentRecord,
  { parent, name, path, position, scopes }: Place & { scopes: Scopes },
): Promise<boolean> => {
  if (root.path === null || (await isPathTaken(sql, path))) return false
  const { path: from } = root
  const target = await scopes.move(from, { parentPath: parent.path ?? '/', path })
  const newPath = sql`(${path} || substr(d.path, char_length(${from}::text) + 1))`
  await sql`
    UPDATE documents d SET path = ${newPath}, scope_id = ${scopeAfterMove(sql, { path, newPath, target })}
    WHERE ${below(sql, from)}`
  await sql`
    UPDATE documents d SET path = ${path}, name = ${name}, parent_id = ${parent.id}, position = ${position},
      scope_id = ${scopeAfterMove(sql, { path, newPath, target })}, system_token = system_token + 1
    WHERE d.id = ${root.id}`
  await pointVersions(sql, path)
  await scopes.recompute(path)
  return true
}
