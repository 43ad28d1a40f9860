import type { Acl } from '../../../core/access/security/index.js'
import type { Sql } from '../connection/index.js'

export type AclRow = {
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

/** The entries of one document, in order, by their ACLs. */
export const groupByAcl = (rows: readonly AclRow[]): Acl[] => {
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

/** The local ACLs of some documents; of those that have none there is nothing. */
export const ownAclsOf = async (sql: Sql, ids: readonly string[]): Promise<Map<string, Acl[]>> => {
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
