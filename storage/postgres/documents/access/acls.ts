import type { PermissionModel, Principal } from '../../../../core/access/security/index.js'
import type { AclStore, Outbox } from '../../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import type { WriteAccount } from '../../../../core/platform/limits/index.js'
import { aclScopes, acls as aclTable, documentAcls, documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { ACL_IN_FORCE, columnsOf, named, namingPath, tableOf } from '../../rows/index.js'
import { recordColumns } from '../rows.js'
import type { AclLimits } from './acl-limits.js'
import type { EffectiveAcls } from './effective-acls.js'
import { createFirstAcls } from './first-acls.js'
import { type AclRow, aceRows, groupByAcl, ownAclsOf } from './own-acls.js'
import type { Scopes } from './scopes.js'

const ACE = columnsOf(documentAcls)
const DOCUMENT = columnsOf(documents)
const ACLS = tableOf(aclTable)
const l = columnsOf(aclTable, 'l')
const SCOPES = tableOf(aclScopes)
const s = columnsOf(aclScopes, 's')
const DOCUMENT_ACLS = tableOf(documentAcls)
const DOCUMENTS = tableOf(documents)
const a = columnsOf(documentAcls, 'a')
const d = columnsOf(documents, 'd')

const NO_ID = '00000000-0000-0000-0000-000000000000'

export const createAcls = (
  sql: Sql,
  principal: Principal,
  more: {
    permissions: PermissionModel
    writes?: WriteAccount | undefined
    effectiveAcls: EffectiveAcls
    scopes: Scopes
    outbox: Outbox
    limits: AclLimits
  },
): AclStore => {
  const { effectiveAcls, scopes } = more
  const setFirst = createFirstAcls(sql, principal, more)
  const setLocal: AclStore['setLocal'] = async (root, acls) => {
    // What their entries take is known, and owed, once they are computed.
    await more.writes?.spend(0)
    if (root.path === null) throw new Error(`The version ${root.id} holds no ACLs`)
    const rows = aceRows(acls)
    await named(sql)`DELETE FROM ${DOCUMENT_ACLS} WHERE ${ACE.documentId} = ${root.id}`
    await named(sql)`
        INSERT INTO ${DOCUMENT_ACLS} (
          ${ACE.documentId}, ${ACE.acl}, ${ACE.position}, ${ACE.username}, ${ACE.permission}, ${ACE.granted}, ${ACE.creator}, ${ACE.beginsAt}, ${ACE.endsAt}, ${ACE.status}, ${ACE.notify}, ${ACE.comment})
        SELECT ${root.id}, r.acl, r.rank, r.username, r.permission, r.granted, r.creator, r.begin, r.end,
               archivolt_ace_status(r.begin, r.end, now()), coalesce(r.notify, false), r.comment
        FROM ROWS FROM (jsonb_to_recordset(${sql.json(rows as never)})
          AS (acl text, username text, permission text, granted boolean, creator text, "begin" timestamptz,
              "end" timestamptz, notify boolean, comment text)
        ) WITH ORDINALITY AS r(acl, username, permission, granted, creator, "begin", "end", notify, comment, rank)`
    await scopes.change({ id: root.id, path: root.path })
    const [changed] = await named(sql)<DocumentRecord[]>`
        WITH d AS (
          UPDATE ${DOCUMENTS} SET ${DOCUMENT.systemToken} = ${DOCUMENT.systemToken} + 1 WHERE ${DOCUMENT.id} = ${root.id} RETURNING *
        ) SELECT ${recordColumns(sql)} FROM d`
    if (!changed) throw new Error(`The document ${root.id} vanished while it was locked`)
    return changed
  }
  return {
    effective: effectiveAcls.read,
    isBrowsedBy: async (permissions) => {
      // Rows outlive the entries that they were made of: those of a scope are in force.
      const { count } = await named(sql)`
        SELECT FROM ${ACLS} l WHERE ${l.browsers} && ${sql.array([...principal.identities])}::text[]
          AND ${l.entries} @? ${namingPath(permissions)}::jsonpath
          AND EXISTS (SELECT FROM ${SCOPES} s WHERE ${s.aclId} = ${l.id}) LIMIT 1`
      return count > 0
    },
    grantedBy: async (creator, { path = '/', after = NO_ID, limit }) => {
      const below = path === '/' ? path : `${path}/`
      const rows = await named(sql)<{ id: string }[]>`
        SELECT DISTINCT ${a.documentId} AS id FROM ${DOCUMENT_ACLS} a JOIN ${DOCUMENTS} d ON ${d.id} = ${a.documentId}
        WHERE ${a.creator} = ${creator} AND ${a.documentId} > ${after}::uuid
          AND (${d.path} = ${path} OR starts_with(${d.path}, ${below}))
        ORDER BY ${a.documentId} LIMIT ${limit}`
      return rows.map(({ id }) => id)
    },
    local: async (documentId) => (await ownAclsOf(sql, [documentId])).get(documentId) ?? [],

    acp: async (document) => {
      const holder = document.isVersion ? document.versionSeriesId : document.id
      const rows = await named(sql)<(AclRow & { aclId: number; username: string | null })[]>`
        SELECT ${sql.unsafe(ACL_IN_FORCE)} AS "aclId", ${a.documentId} AS "documentId", ${a.acl}, ${a.username}, ${a.permission}, ${a.granted},
               ${a.creator}, ${a.beginsAt} AS "beginsAt", ${a.endsAt} AS "endsAt", ${a.notify}, ${a.comment}
        FROM ${DOCUMENTS} d LEFT JOIN ${DOCUMENT_ACLS} a ON ${a.documentId} = ${d.id}
        WHERE ${d.id} = ${holder} ORDER BY ${a.position}`
      const own = rows.flatMap(({ aclId: _, ...row }) => (row.username === null ? [] : [row]))
      return { own: groupByAcl(own), inForce: await effectiveAcls.read(rows[0]?.aclId ?? 0) }
    },

    setLocal,

    setFirst: async (document, acls, events) => {
      await more.writes?.spend(0)
      const changed = await setFirst(document, acls, events)
      if (changed) return changed
      const set = await setLocal(document, acls)
      if (events.length > 0) await more.outbox.emit(events)
      return set
    },
  }
}
