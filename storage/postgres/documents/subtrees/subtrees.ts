import type { Outbox, SubtreeKind, SubtreeStore } from '../../../../core/content/stores/index.js'
import { documents } from '../../../../schema/documents.js'
import type { RefuseWaiting, Sql } from '../../connection/index.js'
import { ACL_IN_FORCE, columnsOf, named, tableOf, type Writer } from '../../rows/index.js'
import type { Scopes } from '../access/scopes.js'
import { below, KIND, within } from '../rows.js'
import { copySubtree } from './copy.js'
import { followTransition } from './follow.js'
import { factsOf, lockSubtree, refusingWaiting } from './lock.js'
import { markTrashed } from './mark-trashed.js'
import { moveSubtree } from './move.js'
import { countProxiesFromOutside, removeSubtree } from './remove.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

export const createSubtrees = (
  sql: Sql,
  {
    principal,
    writes,
    scopes,
    outbox,
    refuseWaiting,
  }: Writer & {
    scopes: Scopes
    outbox: Outbox
    refuseWaiting: RefuseWaiting
  },
): SubtreeStore => ({
  lock: (root) => lockSubtree(sql, root, refuseWaiting),
  facts: (root) => factsOf(sql, root),
  lastBelow: async (root, count) => {
    const { path } = root
    if (path === null) return root
    const [first] = await named(sql)<{ path: string }[]>`
      SELECT ${d.path} FROM ${DOCUMENTS} d WHERE ${below(sql, path)}
      ORDER BY ${d.path} DESC OFFSET ${count - 1}::bigint LIMIT 1`
    return { ...root, from: first?.path ?? `${path}/` }
  },
  kinds: async (root) => named(sql)<SubtreeKind[]>`
    SELECT DISTINCT ${sql.unsafe(KIND)} AS kind, ${sql.unsafe(ACL_IN_FORCE)} AS "aclId", ${d.type}, ${d.facets},
           ${d.lifecycleState} AS "lifecycleState", ${d.lockOwner} AS "lockOwner", ${d.isVersion} AS "isVersion"
    FROM ${DOCUMENTS} d WHERE ${within(sql, root)}`,
  countBelow: async ({ path }, most) => {
    if (path === null) return 0
    const [row] = await named(sql)<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM ${DOCUMENTS} d WHERE ${below(sql, path)} LIMIT ${most}::bigint) AS counted`
    return row?.count ?? 0
  },
  countProxiesFromOutside: (root) => countProxiesFromOutside(sql, root),
  remove: async (root, events) => {
    await removeSubtree(sql, root)
    await outbox.emit(events)
  },
  markTrashed: (root, isTrashed) => markTrashed(sql, root, isTrashed),
  move: (root, to) => moveSubtree(sql, root, { ...to, scopes }),
  copy: (root, copy) => copySubtree(sql, root, { ...copy, refuseWaiting, writes }),
  followTransition: async (root, by) => {
    const { followed } = await refusingWaiting(sql, refuseWaiting, async () => {
      const rows = await followTransition(sql, root, { ...by, principal, writes })
      return { followed: rows, count: rows.length }
    })
    return followed
  },
})
