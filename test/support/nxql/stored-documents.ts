import type { Sql } from 'postgres'
import type { EvaluatedDocument, Json } from '../../../core/model/nxql/evaluator/index.js'
import type { RandomDocument } from './random-documents.js'

type Entry = { username: string; granted: boolean }

/** Effective ACLs by scope: for everybody, for a group, for a group but one of its members. */
const SCOPES: { [scope: number]: readonly Entry[] } = {
  1: [{ username: 'Everyone', granted: true }],
  2: [{ username: 'staff', granted: true }],
  3: [
    { username: 'bob', granted: false },
    { username: 'staff', granted: true },
  ],
}

/** Stores documents with their ACLs. */
export const storeDocuments = async (sql: Sql, documents: readonly RandomDocument[]): Promise<void> => {
  for (const [id, entries] of Object.entries(SCOPES)) {
    const isPlain = entries.every(({ granted }) => granted)
    const stored = entries.map((entry) => ({ ...entry, permission: 'Browse', browse: true }))
    const browsers = isPlain ? entries.map(({ username }) => username) : []
    await sql`
      INSERT INTO acls (id, fingerprint, entries, browsers, is_plain) OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${id}, ${sql.json(stored)}, ${browsers}, ${isPlain})`
    await sql`INSERT INTO acl_scopes (id, acl_id) VALUES (${id}, ${id})`
  }
  for (const { id, path, scope, columns, properties, aces } of documents) {
    const row = { ...columns, id, path, scope_id: scope, properties: sql.json(properties as never) }
    await sql`INSERT INTO documents ${sql(row)}`
    for (const [position, ace] of aces.entries())
      await sql`INSERT INTO document_acls ${sql({ ...ace, document_id: id, position })}`
  }
}

const iso = (date: unknown): string | null => (typeof date === 'string' ? new Date(date).toISOString() : null)

const statusOf = (begin: string | null, end: string | null, now: string): number | null => {
  if (begin === null && end === null) return null
  if (end !== null && end <= now) return 2
  return begin !== null && begin > now ? 0 : 1
}

const COLUMNS: { [name: string]: string } = {
  'ecm:parentId': 'parent_id',
  'ecm:name': 'name',
  'ecm:primaryType': 'type',
  'ecm:currentLifeCycleState': 'lifecycle_state',
  'ecm:pos': 'position',
  'ecm:versionLabel': 'version_label',
  'ecm:versionVersionableId': 'version_series_id',
  'ecm:proxyTargetId': 'proxy_target_id',
  'ecm:lockOwner': 'lock_owner',
}

const FLAGS: { [name: string]: string } = {
  'ecm:isProxy': 'is_proxy',
  'ecm:isVersion': 'is_version',
  'ecm:isCheckedIn': 'is_checked_in',
  'ecm:isLatestVersion': 'is_latest_version',
}

/** A document as the evaluator sees it. */
export const evaluated = (
  { id, path, scope, columns, properties, aces }: RandomDocument,
  now: Date,
): EvaluatedDocument => ({
  id,
  path,
  type: String(columns.type),
  facets: (columns.facets ?? []) as string[],
  isTrashed: columns.is_trashed === true,
  columns: {
    'ecm:uuid': id,
    ...Object.fromEntries(
      Object.entries(COLUMNS).map(([name, column]) => [name, (columns[column] ?? null) as string | null]),
    ),
    ...Object.fromEntries(Object.entries(FLAGS).map(([name, column]) => [name, columns[column] === true])),
    'ecm:versionCreated': iso(columns.version_created_at),
    'ecm:lockCreated': iso(columns.locked_at),
  },
  properties: properties as { [key: string]: Json },
  aces: aces.map((ace, pos) => {
    const [begin, end] = [iso(ace.begins_at), iso(ace.ends_at)]
    return {
      principal: ace.username as string,
      permission: ace.permission as string,
      grant: ace.granted as boolean,
      name: ace.acl as string,
      creator: ace.creator as string | null,
      pos,
      begin,
      end,
      status: statusOf(begin, end, now.toISOString()),
    }
  }),
  mayBrowse: (identities) =>
    SCOPES[scope]?.find(({ username }) => identities.includes(username))?.granted ?? false,
})
