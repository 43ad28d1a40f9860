import type { Acl, PermissionModel } from '../../../core/access/security/index.js'
import type { DocumentStore } from '../../../core/content/documents/index.js'
import { ACL_IN_FORCE } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../database.js'
import { type AclCache, createEffectiveAcls } from './effective-acls.js'
import { recordColumns } from './rows.js'
import { createScopes, type Scopes } from './scopes.js'

export type { AclCache } from './effective-acls.js'

type AclRow = {
  documentId: string
  acl: string
  username: string
  permission: string
  granted: boolean
  creator: string | null
  beginsAt: Date | null
  endsAt: Date | null
  notify: boolean
  comment: string | null
}

const groupByAcl = (rows: readonly AclRow[]): Acl[] => {
  const acls = new Map<string, Acl & { aces: Acl['aces'][number][] }>()
  for (const { acl: name, beginsAt, endsAt, documentId: _, notify, comment, ...ace } of rows) {
    const acl = acls.get(name) ?? { name, aces: [] }
    acl.aces.push({
      ...ace,
      begin: beginsAt?.toISOString() ?? null,
      end: endsAt?.toISOString() ?? null,
      ...(notify && { notify }),
      ...(comment !== null && { comment }),
    })
    acls.set(name, acl)
  }
  return [...acls.values()]
}

export const createAcls = (
  sql: Sql,
  {
    permissions,
    cache,
    maxEagerDocuments,
  }: { permissions: PermissionModel; cache: AclCache; maxEagerDocuments?: number | undefined },
): Pick<DocumentStore, 'localAcls' | 'acp' | 'setLocalAcls' | 'effectiveAcl'> & { scopes: Scopes } => {
  const effectiveAcls = createEffectiveAcls(sql, { permissions, cache })

  const ownAcls = async (ids: readonly string[]): Promise<Map<string, Acl[]>> => {
    const rows = await sql<AclRow[]>`
      SELECT document_id AS "documentId", acl, username, permission, granted, creator,
             begins_at AS "beginsAt", ends_at AS "endsAt", notify, comment
      FROM document_acls WHERE document_id = ANY (${sql.array([...ids])}::uuid[])
      ORDER BY document_id, position`
    const byDocument = new Map<string, AclRow[]>()
    for (const row of rows) {
      const own = byDocument.get(row.documentId) ?? []
      own.push(row)
      byDocument.set(row.documentId, own)
    }
    return new Map([...byDocument].map(([id, own]) => [id, groupByAcl(own)]))
  }

  const scopes = createScopes(sql, { permissions, effectiveAcls, ownAcls, maxEagerDocuments })

  return {
    scopes,
    effectiveAcl: effectiveAcls.read,
    localAcls: async (documentId) => (await ownAcls([documentId])).get(documentId) ?? [],

    acp: async (document) => {
      const holder = document.isVersion ? document.versionSeriesId : document.id
      const rows = await sql<(AclRow & { aclId: number; username: string | null })[]>`
        SELECT ${sql.unsafe(ACL_IN_FORCE)} AS "aclId", a.document_id AS "documentId", a.acl, a.username, a.permission, a.granted,
               a.creator, a.begins_at AS "beginsAt", a.ends_at AS "endsAt", a.notify, a.comment
        FROM documents d LEFT JOIN document_acls a ON a.document_id = d.id
        WHERE d.id = ${holder} ORDER BY a.position`
      const own = rows.filter((row) => row.username !== null)
      return { own: groupByAcl(own), inForce: await effectiveAcls.read(rows[0]?.aclId ?? 0) }
    },

    setLocalAcls: async (root, acls) => {
      if (root.path === null) throw new Error(`The version ${root.id} holds no ACLs`)
      const rows = acls.flatMap((acl) => acl.aces.map((ace) => ({ acl: acl.name, ...ace })))
      await sql`DELETE FROM document_acls WHERE document_id = ${root.id}`
      await sql`
        INSERT INTO document_acls (
          document_id, acl, position, username, permission, granted, creator, begins_at, ends_at, status, notify, comment)
        SELECT ${root.id}, r.acl, r.rank, r.username, r.permission, r.granted, r.creator, r.begin, r.end,
               archivolt_ace_status(r.begin, r.end, now()), coalesce(r.notify, false), r.comment
        FROM ROWS FROM (jsonb_to_recordset(${sql.json(rows as never)})
          AS (acl text, username text, permission text, granted boolean, creator text, "begin" timestamptz,
              "end" timestamptz, notify boolean, comment text)
        ) WITH ORDINALITY AS r(acl, username, permission, granted, creator, "begin", "end", notify, comment, rank)`
      await scopes.change({ id: root.id, path: root.path })
      const [changed] = await sql<DocumentRecord[]>`
        WITH d AS (
          UPDATE documents SET system_token = system_token + 1 WHERE id = ${root.id} RETURNING *
        ) SELECT ${recordColumns(sql)} FROM d`
      if (!changed) throw new Error(`The document ${root.id} vanished while it was locked`)
      return changed
    },
  }
}
