import type postgres from 'postgres'
import type { EffectiveAcl, PermissionModel } from '../../../../core/access/security/index.js'
import { aclScopes, documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import type { AclLimits } from './acl-limits.js'
import type { EffectiveAcls } from './effective-acls.js'
import { inheritAcls, isBelow, parentOf } from './inheritance.js'
import { countOwnAces, ownAclsOf } from './own-acls.js'

const SCOPE = columnsOf(aclScopes)
const DOCUMENT = columnsOf(documents)
const ACL_SCOPES = tableOf(aclScopes)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const s = columnsOf(aclScopes, 's')
const v = columnsOf(documents, 'v')

/** The part of a tree under one effective ACL (`acl_scopes`; docs/security.md). */
type Scope = { id: number; documentId: string; path: string; aclId: number }

/** Largest subtree whose documents are pointed to their new scope in the transaction that makes it. */
const MAX_EAGER_DOCUMENTS = 200

const withinPath = (sql: Sql, path: string, column = named(sql)`${s.path}`) => {
  const prefix = path === '/' ? '' : path
  return named(sql)`(${column} = ${path} OR ${column} > ${`${prefix}/`} AND ${column} < ${`${prefix}0`})`
}

export type Scopes = {
  /** Holds the scope that a path is in, beside others who do so, against being changed or divided. */
  share(path: string): Promise<Pick<Scope, 'id' | 'aclId'>>
  /** Keeps the effective ACLs of a document and of the scopes below it up to date with its local ACLs. */
  change(holder: { id: string; path: string }): Promise<void>
  /**
   * Prepares the move of a locked subtree: its scopes get their new paths, and those that it is moved under are
   * held. Gives the scope of what has none of its own inside.
   */
  move(from: string, to: { parentPath: string; path: string }): Promise<number>
  /** Computes the scopes below a path again after a move. */
  recompute(path: string): Promise<void>
  /** Computes all scopes again, holding each against other changes. */
  recomputeAll(): Promise<void>
}

export const createScopes = (
  sql: Sql,
  {
    permissions,
    effectiveAcls,
    limits,
    maxEagerDocuments = MAX_EAGER_DOCUMENTS,
  }: {
    permissions: PermissionModel
    effectiveAcls: EffectiveAcls
    /** What changes and moves are held to; absent: nothing. */
    limits?: AclLimits | undefined
    maxEagerDocuments?: number | undefined
  },
): Scopes => {
  /**
   * Holds the scope of a path and all below it, and the one above when the first is yet to be cut out of it.
   * Whoever changes an ACL above holds these too, so that of two changes the second sees the first. A scope that
   * was made while a statement waited is found by the next round.
   */
  const hold = async (path: string, withAbove: boolean): Promise<Scope[]> => {
    for (let known: string | undefined; ; ) {
      const rows = await named(sql)<Scope[]>`
        SELECT ${s.id}, ${s.documentId} AS "documentId", ${s.path}, ${s.aclId} AS "aclId" FROM ${ACL_SCOPES} s
        WHERE ${withinPath(sql, path)}
           OR ${withAbove} AND ${s.id} = archivolt_scope_of(${parentOf(path)})
              AND NOT EXISTS (SELECT FROM ${ACL_SCOPES} own WHERE own.path = ${path})
        ORDER BY ${s.path} FOR UPDATE OF s`
      const found = rows.map(({ id }) => id).join()
      if (found === known) return rows
      known = found
    }
  }

  const share: Scopes['share'] = async (path) => {
    const [row] = await named(sql)<{ id: number; aclId: number }[]>`
      SELECT ${s.id}, ${s.aclId} AS "aclId" FROM ${ACL_SCOPES} s WHERE ${s.id} = archivolt_scope_of(${path}) FOR SHARE OF s`
    if (!row) throw new Error(`No ACL is in force on ${path}`)
    return row
  }

  /** The same, of whichever scope the path is in once it is held. */
  const holdShared = async (path: string): Promise<number> => {
    for (let known = -1; ; ) {
      const { id } = await share(path)
      if (id === known) return known
      known = id
    }
  }

  const inheritedAt = async (path: string): Promise<EffectiveAcl> => {
    const parent = parentOf(path)
    if (parent === null) return []
    const [row] = await named(sql)<{ aclId: number }[]>`SELECT archivolt_acl_of(${parent}, NULL) AS "aclId"`
    return effectiveAcls.read(row?.aclId ?? 0)
  }

  /**
   * Writes the effective ACLs of scopes that are held, ancestors first. Those that are below none of the others
   * inherit the same from above.
   *
   * @param changed path of the one whose own ACLs are others now.
   */
  const recomputeHeld = async (scopes: readonly Scope[], changed?: string): Promise<void> => {
    const [top] = scopes
    if (!top) return
    const ids = scopes.map(({ documentId }) => documentId)
    // Before anything is read that others have made large.
    limits?.spend(await countOwnAces(sql, ids))
    const own = await ownAclsOf(sql, ids)
    const outer = await inheritedAt(top.path)
    const holders = scopes.map(({ documentId, path }) => ({ path, own: own.get(documentId) ?? [] }))
    const acls = inheritAcls(holders, { outer, permissions, ...(limits && { spend: limits.spend }) })
    for (const [position, { path, aclId }] of scopes.entries())
      await limits?.requireShort(
        { path, acl: acls[position] ?? [], isBelow: path !== changed },
        async () => (await effectiveAcls.read(aclId)).length,
      )
    const write = async (): Promise<void> => {
      const aclIds = await effectiveAcls.intern(acls)
      await named(sql)`
        UPDATE ${ACL_SCOPES} s SET ${SCOPE.aclId} = wanted.acl_id
        FROM unnest(${sql.array(scopes.map(({ id }) => id))}::int[], ${sql.array(aclIds)}::int[]) AS wanted(id, acl_id)
        WHERE ${s.id} = wanted.id AND ${s.aclId} <> wanted.acl_id`
    }
    await (limits ? limits.writeWalked(acls, effectiveAcls.walked, write) : write())
  }

  /** Holds a small subtree against every change; false when it is large or others are at work in it. */
  const holdSmallSubtree = async (path: string): Promise<boolean> => {
    const held = await named(sql)`
      SELECT FROM ${DOCUMENTS} d WHERE ${withinPath(sql, path, named(sql)`${d.path}`)}
      ORDER BY ${d.path} LIMIT ${maxEagerDocuments + 1} FOR UPDATE OF d SKIP LOCKED`
    if (held.count > maxEagerDocuments) return false
    const [all] = await named(sql)<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM ${DOCUMENTS} d WHERE ${withinPath(sql, path, named(sql)`${d.path}`)} LIMIT ${maxEagerDocuments + 1}) AS enough`
    return all?.count === held.count
  }

  /**
   * Cuts a scope for a document out of the one that it is in. The documents of a small subtree are pointed to it
   * at once; of a large one they stay as they are, and both scopes are marked for the upkeep.
   */
  const cut = async ({ id, path }: { id: string; path: string }): Promise<Scope> => {
    const [made] = await named(sql)<Scope[]>`
      INSERT INTO ${ACL_SCOPES} (${SCOPE.documentId}, ${SCOPE.path}, ${SCOPE.aclId}, ${SCOPE.isPending}) VALUES (${id}, ${path}, 0, false)
      RETURNING ${SCOPE.id}, ${SCOPE.documentId} AS "documentId", ${SCOPE.path}, ${SCOPE.aclId} AS "aclId"`
    if (!made) throw new Error(`No scope was made for ${id}`)
    if (await holdSmallSubtree(path)) {
      await pointSubtree(sql, path)
      return made
    }
    await named(sql)`UPDATE ${DOCUMENTS} SET ${DOCUMENT.scopeId} = ${made.id} WHERE ${DOCUMENT.id} = ${id}`
    await named(sql)`UPDATE ${ACL_SCOPES} SET ${SCOPE.isPending} = true WHERE ${SCOPE.id} = ${made.id}`
    await named(
      sql,
    )`UPDATE ${ACL_SCOPES} SET ${SCOPE.isSplit} = true WHERE ${SCOPE.id} = archivolt_scope_of(${parentOf(path)}) AND NOT ${SCOPE.isSplit}`
    await named(sql)`SELECT pg_notify(${UPKEEP_CHANNEL}, '')`
    return made
  }

  return {
    share,
    change: async (holder) => {
      const held = await hold(holder.path, true)
      const inside = held.filter(({ path }) => path === holder.path || isBelow(path, holder.path))
      const isHolder = inside[0]?.path === holder.path
      await recomputeHeld(isHolder ? inside : [await cut(holder), ...inside], holder.path)
    },
    move: async (from, { parentPath, path }) => {
      await hold(from, false)
      const target = await holdShared(parentPath)
      await named(sql)`
        UPDATE ${ACL_SCOPES} s SET ${SCOPE.path} = ${path} || substr(${s.path}, char_length(${from}::text) + 1)
        WHERE ${withinPath(sql, from)}`
      return target
    },
    recompute: async (path) => {
      const inside = await named(sql)<Scope[]>`
        SELECT ${s.id}, ${s.documentId} AS "documentId", ${s.path}, ${s.aclId} AS "aclId" FROM ${ACL_SCOPES} s
        WHERE ${withinPath(sql, path)} ORDER BY ${s.path}`
      await recomputeHeld(inside)
    },
    recomputeAll: async () => recomputeHeld(await hold('/', false)),
  }
}

/** Notified to the upkeep when documents are left to be pointed to their scope. */
export const UPKEEP_CHANNEL = 'archivolt_access_upkeep'

/** Points what lies in a locked subtree, and its versions, to the scope that its path is in. */
const pointSubtree = async (sql: Sql, path: string): Promise<void> => {
  await named(sql)`
    UPDATE ${DOCUMENTS} d SET ${DOCUMENT.scopeId} = archivolt_scope_of(${d.path})
    WHERE ${withinPath(sql, path, named(sql)`${d.path}`)} AND ${d.scopeId} <> archivolt_scope_of(${d.path})`
  await pointVersions(sql, path)
}

/** Gives the versions of a locked subtree the scopes of their live documents. */
export const pointVersions = async (sql: Sql, path: string): Promise<void> => {
  await named(sql)`
    UPDATE ${DOCUMENTS} v SET ${DOCUMENT.scopeId} = ${d.scopeId} FROM ${DOCUMENTS} d
    WHERE ${withinPath(sql, path, named(sql)`${d.path}`)} AND ${v.versionSeriesId} = ${d.id} AND ${v.scopeId} <> ${d.scopeId}`
}

/** The scope of a document of a moved subtree, whose scopes have their new paths already. */
export const scopeAfterMove = (
  sql: Sql,
  { path, newPath, target }: { path: string; newPath: postgres.PendingQuery<postgres.Row[]>; target: number },
) => named(sql)`coalesce((
  SELECT CASE WHEN ${s.isSplit} THEN archivolt_scope_of(${newPath})
              WHEN ${withinPath(sql, path)} THEN ${s.id}
              ELSE ${target}::int END
  FROM ${ACL_SCOPES} s WHERE ${s.id} = ${d.scopeId}), ${target}::int)`
