import type { Acl } from '../../../../core/access/security/index.js'
import { documentAcls } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'

const ACE = columnsOf(documentAcls)
const DOCUMENT_ACLS = tableOf(documentAcls)

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

/** The entries of some ACLs, in order, as they are written. */
export const aceRows = (acls: readonly Acl[]) =>
  acls.flatMap(({ name: acl, aces }) => aces.map((ace) => ({ acl, ...ace })))

const isoOf = (date: string | null | undefined): string | null => (date ? new Date(date).toISOString() : null)

/** Some ACLs as they are read once they are written: what is in force is known by its text. */
export const storedAcls = (acls: readonly Acl[]): Acl[] =>
  acls.map(({ name, aces }) => ({
    name,
    aces: aces.map(({ username, permission, granted, creator = null, begin, end }) => ({
      ...{ username, permission, granted, creator, begin: isoOf(begin), end: isoOf(end) },
    })),
  }))

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

/** How many entries the local ACLs of some documents have in all. */
export const countOwnAces = async (sql: Sql, ids: readonly string[]): Promise<number> => {
  const [row] = await named(sql)<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${DOCUMENT_ACLS} WHERE ${ACE.documentId} = ANY (${sql.array([...ids])}::uuid[])`
  return row?.count ?? 0
}

/** The local ACLs of some documents; of those that have none there is nothing. */
export const ownAclsOf = async (sql: Sql, ids: readonly string[]): Promise<Map<string, Acl[]>> => {
  const rows = await named(sql)<AclRow[]>`
    SELECT ${ACE.documentId} AS "documentId", ${ACE.acl}, ${ACE.username}, ${ACE.permission}, ${ACE.granted}, ${ACE.creator},
           ${ACE.beginsAt} AS "beginsAt", ${ACE.endsAt} AS "endsAt", ${ACE.notify}, ${ACE.comment}
    FROM ${DOCUMENT_ACLS} WHERE ${ACE.documentId} = ANY (${sql.array([...ids])}::uuid[])
    ORDER BY ${ACE.documentId}, ${ACE.position}`
  const byDocument = new Map<string, AclRow[]>()
  for (const row of rows) {
    const own = byDocument.get(row.documentId) ?? []
    own.push(row)
    byDocument.set(row.documentId, own)
  }
  return new Map([...byDocument].map(([id, own]) => [id, groupByAcl(own)]))
}
