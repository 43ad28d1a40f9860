import { createHash } from 'node:crypto'
import type { DocumentRecord, DocumentStore } from '../../../core/documents/index.js'
import {
  type Acl,
  browsersOf,
  type EffectiveAcl,
  effectiveAcl,
  type PermissionModel,
} from '../../../core/security/index.js'
import type { Sql } from '../database.js'
import { below, recordColumns } from './rows.js'

/** Rows of `acls` never change, so what a process has read once it may keep. */
export type AclCache = Map<number, EffectiveAcl>

const MAX_CACHED_ACLS = 20_000

type AclRow = {
  documentId: string
  acl: string
  username: string
  permission: string
  granted: boolean
  creator: string | null
  beginsAt: Date | null
  endsAt: Date | null
}

const groupByAcl = (rows: readonly AclRow[]): Acl[] => {
  const acls = new Map<string, Acl & { aces: Acl['aces'][number][] }>()
  for (const row of rows) {
    const acl = acls.get(row.acl) ?? { name: row.acl, aces: [] }
    acl.aces.push({
      username: row.username,
      permission: row.permission,
      granted: row.granted,
      creator: row.creator,
      begin: row.beginsAt?.toISOString() ?? null,
      end: row.endsAt?.toISOString() ?? null,
    })
    acls.set(row.acl, acl)
  }
  return [...acls.values()]
}

export const createAcls = (
  sql: Sql,
  { permissions, cache }: { permissions: PermissionModel; cache: AclCache },
): Pick<DocumentStore, 'localAcls' | 'setLocalAcls' | 'effectiveAcl'> & {
  recompute: (root: DocumentRecord) => Promise<void>
} => {
  const read = async (aclId: number): Promise<EffectiveAcl> => {
    const cached = cache.get(aclId)
    if (cached) return cached
    const [row] = await sql<{ entries: EffectiveAcl }[]>`SELECT entries FROM acls WHERE id = ${aclId}`
    if (!row) throw new Error(`The effective ACL ${aclId} is missing`)
    if (cache.size >= MAX_CACHED_ACLS) cache.clear()
    cache.set(aclId, row.entries)
    return row.entries
  }

  const intern = async (acl: EffectiveAcl): Promise<number> => {
    const fingerprint = createHash('sha256').update(JSON.stringify(acl)).digest('hex')
    const [existing] = await sql<{ id: number }[]>`SELECT id FROM acls WHERE fingerprint = ${fingerprint}`
    if (existing) return existing.id
    const { browsers, isPlain } = browsersOf(acl)
    // The update that changes nothing makes RETURNING answer when another transaction was faster.
    const [row] = await sql<{ id: number }[]>`
      INSERT INTO acls (fingerprint, entries, browsers, is_plain)
      VALUES (${fingerprint}, ${sql.json(acl as never)}, ${browsers}, ${isPlain})
      ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = excluded.fingerprint
      RETURNING id`
    if (!row) throw new Error('An effective ACL was not stored')
    return row.id
  }

  const ownAcls = async (ids: readonly string[]): Promise<Map<string, Acl[]>> => {
    const rows = await sql<AclRow[]>`
      SELECT document_id AS "documentId", acl, username, permission, granted, creator,
             begins_at AS "beginsAt", ends_at AS "endsAt"
      FROM document_acls WHERE document_id = ANY (${sql.array([...ids])}::uuid[])
      ORDER BY document_id, position`
    const byDocument = new Map<string, AclRow[]>()
    for (const row of rows) byDocument.set(row.documentId, [...(byDocument.get(row.documentId) ?? []), row])
    return new Map([...byDocument].map(([id, own]) => [id, groupByAcl(own)]))
  }

  /** Points a document, what inherits from it, and their versions to an effective ACL. */
  const assign = async (root: { id: string; path: string }, aclId: number): Promise<void> => {
    await sql`
      WITH changed AS (
        UPDATE documents d SET acl_id = ${aclId}
        WHERE (d.id = ${root.id} OR (${below(sql, root.path)})) AND d.acl_id <> ${aclId}
        RETURNING d.id
      )
      UPDATE documents v SET acl_id = ${aclId} FROM changed WHERE v.version_series_id = changed.id`
  }

  /**
   * Recomputes every effective ACL in a locked subtree: the root's from what it inherits, then those of the
   * documents below that have local ACLs, parents first, each for its own subtree.
   */
  const recompute = async (root: DocumentRecord): Promise<void> => {
    if (root.path === null) return
    const holders = await sql<{ id: string; path: string; parentId: string | null }[]>`
      SELECT d.id, d.path, d.parent_id AS "parentId" FROM documents d
      WHERE d.id = ${root.id}
         OR (${below(sql, root.path)} AND EXISTS (SELECT FROM document_acls a WHERE a.document_id = d.id))
      ORDER BY d.path`
    const own = await ownAcls(holders.map((holder) => holder.id))
    for (const holder of holders) {
      const [parent] = await sql<{ aclId: number }[]>`
        SELECT acl_id AS "aclId" FROM documents WHERE id = ${holder.parentId}`
      const inherited = parent ? await read(parent.aclId) : []
      await assign(holder, await intern(effectiveAcl(own.get(holder.id) ?? [], inherited, permissions)))
    }
  }

  return {
    effectiveAcl: read,
    recompute,
    localAcls: async (documentId) => (await ownAcls([documentId])).get(documentId) ?? [],
    setLocalAcls: async (root, acls) => {
      const rows = acls.flatMap((acl) => acl.aces.map((ace) => ({ acl: acl.name, ...ace })))
      await sql`DELETE FROM document_acls WHERE document_id = ${root.id}`
      await sql`
        INSERT INTO document_acls (document_id, acl, position, username, permission, granted, creator, begins_at, ends_at)
        SELECT ${root.id}, r.acl, r.rank, r.username, r.permission, r.granted, r.creator, r.begin, r.end
        FROM ROWS FROM (jsonb_to_recordset(${sql.json(rows as never)})
          AS (acl text, username text, permission text, granted boolean, creator text, "begin" timestamptz, "end" timestamptz)
        ) WITH ORDINALITY AS r(acl, username, permission, granted, creator, "begin", "end", rank)`
      await recompute(root)
      const [changed] = await sql<DocumentRecord[]>`
        UPDATE documents d SET system_token = system_token + 1 WHERE d.id = ${root.id} RETURNING ${recordColumns(sql)}`
      if (!changed) throw new Error(`The document ${root.id} vanished while it was locked`)
      return changed
    },
  }
}
