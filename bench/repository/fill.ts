/** Fills a repository with generated documents by COPY. */
import { pino } from 'pino'
import postgres from 'postgres'
import { EVERYONE, EVERYTHING, SYSTEM } from '../../core/access/security/index.js'
import { getDocument, setAcls } from '../../core/content/documents/index.js'
import { parseSettings } from '../../core/platform/settings/index.js'
import { createPlatform, type Platform } from '../../runtime/index.js'
import { createAccessUpkeep } from '../../storage/postgres/index.js'
import { type CopyValue, copyRows } from './copy.js'
import { type Folder, foldersOf, GROUPS, groupName, leavesOf, USERS, userName } from './population.js'
import { createChance } from './random.js'

export type Filled = {
  folders: readonly Folder[]
  documents: number
  /** Absent for a repository that an earlier run has filled. */
  seconds?: {
    /** COPY alone, with the indexes and the triggers out of the way. */
    copying: number
    /** Until everything could be searched. */
    total: number
  }
}

const COLUMNS = 'id, parent_id, name, path, type, lifecycle_state, scope_id, properties'
const SETTERS = 8
const ROOT = { id: '00000000-0000-4000-a000-000000000000', path: '/bench' }

const folderRow = (folder: Folder, scopeId: number): CopyValue[] => [
  folder.id,
  folder.parentId,
  folder.name,
  folder.path,
  'Folder',
  'project',
  scopeId,
  { 'dc:title': folder.name, 'dc:creator': 'system', 'dc:created': '2015-01-01T00:00:00.000Z' },
]

function* leafRows(folders: readonly Folder[], scopes: ReadonlyMap<string, number>): Generator<CopyValue[]> {
  for (const [index, folder] of folders.entries()) {
    const scopeId = scopes.get(folder.id) ?? 0
    for (const { id, name, type, state, properties } of leavesOf(folder, index))
      yield [id, folder.id, name, `${folder.path}/${name}`, type, state, scopeId, properties]
  }
}

const copyPeople = async (sql: postgres.Sql): Promise<void> => {
  const chance = createChance(3)
  const users = Array.from({ length: USERS }, (_, index) => userName(index))
  await copyRows(
    sql,
    'groups (groupname)',
    Array.from({ length: GROUPS }, (_, index) => [groupName(index)]),
  )
  await copyRows(
    sql,
    'users (username)',
    users.map((user) => [user]),
  )
  const memberships = users.flatMap((user) => {
    const groups = new Set(Array.from({ length: 1 + chance.below(5) }, () => groupName(chance.below(GROUPS))))
    return [...groups].map((group) => [group, user, 'user'])
  })
  await copyRows(sql, 'group_members (groupname, member, kind)', memberships)
}

/** Opens folders to groups, by the product's own rules. */
const openFolders = async (platform: Platform, folders: readonly Folder[]): Promise<void> => {
  const waiting = folders.filter(({ opensTo }) => opensTo !== undefined)
  const setter = async (): Promise<void> => {
    for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
      const { id, opensTo = '', parentId } = folder
      const read = { username: opensTo, permission: 'Read', granted: true }
      const block = { username: EVERYONE, permission: EVERYTHING, granted: false }
      const isDepartment = parentId === ROOT.id
      const aces = isDepartment ? [read, block] : [read]
      await platform.withSession(SYSTEM, async (session) =>
        setAcls(session, await getDocument(session, id), [{ name: 'local', aces }]),
      )
    }
  }
  await Promise.all(Array.from({ length: SETTERS }, setter))
}

/** Lets the upkeep of access rights finish, as it has in a repository that was not filled a moment ago. */
const pointFolders = async (platform: Platform): Promise<void> => {
  const upkeep = createAccessUpkeep(platform.databases, async () => platform.snapshot().permissions)
  for (let left = 1; left > 0; ) left = (await upkeep.pointScopes()).left
}

/** Runs work with the indexes of documents dropped but for the primary keys, and makes them again. */
const withoutIndexes = async (sql: postgres.Sql, work: () => Promise<void>): Promise<void> => {
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN ('documents', 'document_texts') AND indexname NOT LIKE '%_pkey'`
  for (const { name } of indexes) await sql`DROP INDEX ${sql(name)}`
  await work()
  await sql`SET maintenance_work_mem = '1GB'`
  for (const { definition } of indexes) await sql.unsafe(definition)
}

/** The words of documents that were copied without their trigger. */
const indexWords = (sql: postgres.Sql) => sql`
  INSERT INTO document_texts (document_id, words)
  SELECT d.id, archivolt_words(archivolt_document_texts(archivolt_fulltext_fields(d.type, d.facets), d.properties))
  FROM documents d
  WHERE NOT EXISTS (SELECT FROM document_texts t WHERE t.document_id = d.id)
    AND (archivolt_fulltext_fields(d.type, d.facets)).owner IS NOT NULL`

/** The product's platform in this process, to call its core beside bare SQL. */
export const openPlatform = (env: NodeJS.ProcessEnv): Promise<Platform> =>
  createPlatform(parseSettings({ ...env, ARCHIVOLT_LOG_LEVEL: 'silent' }), pino({ level: 'silent' }))

const markOf = (documents: number): string => `filled with ${documents} documents`

/** What an earlier run has filled a repository with, if it did so to its end and with as many documents. */
export const readFilled = async (databaseUrl: string, documents: number): Promise<Filled | undefined> => {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql<{ mark: string | null }[]>`
      SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = current_database()`
    if (row?.mark !== markOf(documents)) return undefined
    return { folders: foldersOf(documents, ROOT), documents: await countDocuments(sql) }
  } finally {
    await sql.end()
  }
}

const countDocuments = async (sql: postgres.Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM documents`
  return row?.count ?? 0
}

/**
 * Generates so many documents below `/bench` in an empty repository, with 200 groups and 10,000 users.
 *
 * @param databaseUrl of a superuser, to bypass triggers.
 */
export const fillRepository = async (
  platform: Platform,
  { databaseUrl, documents }: { databaseUrl: string; documents: number },
): Promise<Filled> => {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  try {
    const [top] = await sql<{ id: string; scopeId: number }[]>`
      SELECT id, scope_id AS "scopeId" FROM documents WHERE path = '/'`
    if (!top) throw new Error('The repository has no root')
    await copyPeople(sql)
    const folders = foldersOf(documents, ROOT)
    const rootRow = [
      ROOT.id,
      top.id,
      'bench',
      ROOT.path,
      'Folder',
      'project',
      top.scopeId,
      { 'dc:title': 'bench' },
    ]
    await copyRows(sql, `documents (${COLUMNS})`, [
      rootRow,
      ...folders.map((folder) => folderRow(folder, top.scopeId)),
    ])
    await openFolders(platform, folders)
    await pointFolders(platform)
    const rows = await sql<{ id: string; scopeId: number }[]>`
      SELECT id, scope_id AS "scopeId" FROM documents WHERE path > '/bench/' AND path < '/bench0'`
    const scopes = new Map(rows.map(({ id, scopeId }) => [id, scopeId]))
    let copying = 0
    await withoutIndexes(sql, async () => {
      await sql`SET session_replication_role = replica`
      const before = seconds()
      await copyRows(sql, `documents (${COLUMNS})`, leafRows(folders, scopes))
      copying = seconds() - before
      await indexWords(sql)
      await sql`SET session_replication_role = origin`
    })
    await sql`VACUUM ANALYZE`
    const total = seconds()
    await sql.unsafe(
      `COMMENT ON DATABASE ${new URL(databaseUrl).pathname.slice(1)} IS '${markOf(documents)}'`,
    )
    return { folders, documents: await countDocuments(sql), seconds: { copying, total } }
  } finally {
    await sql.end()
  }
}
