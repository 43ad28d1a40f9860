import {
  type Ace,
  type Acl,
  aceStatus,
  isBlock,
  type PermissionModel,
  type Principal,
  principalOf,
  SYSTEM,
} from '../../../core/access/security/index.js'
import { createDocument, getDocument, moveDocument, setAcls } from '../../../core/content/documents/index.js'
import { createContentStores, type Sql } from '../../../storage/postgres/index.js'
import { readableOneByOne, readableText } from '../../../storage/postgres/rows/index.js'
import { createTestPlatform } from '../../support/platform.js'

export const USERS = ['ann', 'bob', 'eve'].map((name) => principalOf(name, ['staff'], false))

/** A repository whose ACLs write to no document below the one that they are set on. */
export const createScopeBench = async () => {
  const { platform } = await createTestPlatform()
  const { permissions } = platform.readSession(SYSTEM)

  const lazy = <Result>(
    work: (session: ReturnType<typeof platform.readSession>, sql: Sql) => Promise<Result>,
  ) =>
    platform.withSession(SYSTEM, (session, sql) =>
      work(
        {
          ...session,
          stores: createContentStores({
            sql,
            principal: SYSTEM,
            permissions,
            aclCache: new Map(),
            maxEagerDocuments: 0,
          }),
        },
        sql,
      ),
    )

  return {
    platform,
    permissions,
    lazy,
    sql: platform.database.sql,
    create: (parent: string, name: string, type = 'Folder') =>
      platform.withSession(SYSTEM, (session) => createDocument(session, { parent, name, type })),
    grant: (ref: string, acls: readonly Acl[], way: typeof lazy = lazy) =>
      way(async (session) => setAcls(session, await getDocument(session, ref), acls)),
    move: (ref: string, target: string) =>
      lazy(async (session) => moveDocument(session, await getDocument(session, ref), { target })),
    /** Ids that a query with security inside finds, written for those who may browse little, for others, and for few documents. */
    found: async (principal: Principal): Promise<Set<string>> => {
      const [row] = await platform.database.sql.unsafe<
        { narrowly: string[]; widely: string[]; singly: string[] }[]
      >(
        `SELECT ARRAY(SELECT d.id FROM documents d WHERE ${readableText('$1::text[]')} ORDER BY d.id) AS narrowly,
                ARRAY(SELECT d.id FROM documents d WHERE ${readableText('$1::text[]', true)} ORDER BY d.id) AS widely,
                ARRAY(SELECT d.id FROM documents d WHERE ${readableOneByOne('$1::text[]')} ORDER BY d.id) AS singly`,
        [principal.identities as string[]],
      )
      const ways = new Set([row?.narrowly.join(), row?.widely.join(), row?.singly.join()])
      if (ways.size > 1) throw new Error('The three ways find other documents')
      return new Set(row?.narrowly)
    },
    /** Scopes that are yet to be tidied up. */
    marked: async () => {
      const [row] = await platform.database.sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM acl_scopes WHERE is_split OR is_pending`
      return row?.count ?? 0
    },
  }
}

export type ScopeBench = Awaited<ReturnType<typeof createScopeBench>>

/**
 * The rule of the reference on the tables as they are, document by document: the entries of the document, then of
 * its ancestors, nearest first, up to the one that denies everything to everybody; the first that concerns the
 * principal and browsing decides.
 */
export const naivelyReadable = async (
  { sql, permissions }: { sql: Sql; permissions: PermissionModel },
  principal: Principal,
): Promise<Set<string>> => {
  const documents = await sql<
    { id: string; parentId: string | null; isVersion: boolean; seriesId: string | null }[]
  >`SELECT id, parent_id AS "parentId", is_version AS "isVersion", version_series_id AS "seriesId" FROM documents`
  const rows = await sql<(Ace & { documentId: string })[]>`
    SELECT document_id AS "documentId", username, permission, granted, begins_at::text AS begin, ends_at::text AS end
    FROM document_acls ORDER BY document_id, position`
  const byId = new Map(documents.map((document) => [document.id, document]))
  const accepted = permissions.accepted('Browse')
  const mayBrowse = (start: string, isVersion: boolean): boolean => {
    for (let id: string | null = start; id !== null; id = byId.get(id)?.parentId ?? null) {
      if (!byId.has(id)) return false
      for (const ace of rows.filter(({ documentId }) => documentId === id)) {
        const concerns =
          (accepted.has(ace.permission) || (isVersion && ace.permission === 'ReadVersion')) &&
          principal.identities.includes(ace.username) &&
          aceStatus(ace, new Date()) === 'effective'
        if (concerns) return ace.granted
        if (isBlock(ace)) return false
      }
    }
    return false
  }
  return new Set(
    documents
      .filter(({ id, isVersion, seriesId }) => mayBrowse(isVersion ? (seriesId ?? id) : id, isVersion))
      .map(({ id }) => id),
  )
}

export const ace = (username: string, permission: string, granted = true): Ace => ({
  username,
  permission,
  granted,
})

export const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]

export const NOBODY = local(ace('Everyone', 'Everything', false))
