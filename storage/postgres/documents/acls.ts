import type { AclStore } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sql } from '../connection/index.js'
import { ACL_IN_FORCE } from '../rows/index.js'
import type { EffectiveAcls } from './effective-acls.js'
import { type AclRow, groupByAcl, ownAclsOf } from './own-acls.js'
import { recordColumns } from './rows.js'
import type { Scopes } from './scopes.js'

export const createAcls = (
  sql: Sql,
  { effectiveAcls, scopes }: { effectiveAcls: EffectiveAcls; scopes: Scopes },
): AclStore => ({
  effective: effectiveAcls.read,
  local: async (documentId) => (await ownAclsOf(sql, [documentId])).get(documentId) ?? [],

  acp: async (document) => {
    const holder = document.isVersion ? document.versionSeriesId : document.id
    const rows = await sql<(AclRow & { aclId: number; username: string | null })[]>`
        SELECT ${sql.unsafe(ACL_IN_FORCE)} AS "aclId", a.document_id AS "documentId", a.acl, a.username, a.permission, a.granted,
               a.creator, a.begins_at AS "beginsAt", a.ends_at AS "endsAt", a.notify, a.comment
        FROM documents d LEFT JOIN document_acls a ON a.document_id = d.id
        WHERE d.id = ${holder} ORDER BY a.position`
    const own = rows.flatMap(({ aclId: _, ...row }) => (row.username === null ? [] : [row]))
    return { own: groupByAcl(own), inForce: await effectiveAcls.read(rows[0]?.aclId ?? 0) }
  },

  setLocal: async (root, acls) => {
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
})
