import type { Sql } from 'postgres'
import { insertScopes } from '../../support/nxql/stored-documents.js'

/** Columns of a test document that differ from the defaults, by their names in the table. */
type Columns = Partial<{
  position: number
  type: string
  facets: string[]
  lifecycle_state: string | null
  is_version: boolean
  is_proxy: boolean
  is_checked_in: boolean
  is_trashed: boolean
  version_series: string
  version_label: string
  version_description: string
  version_created_at: string
  is_latest_version: boolean
  is_latest_major_version: boolean
  lock_owner: string
  locked_at: string
  scope_id: number
  proxy_target: string
}>

type TestDocument = {
  key: string
  path: string | null
  columns: Columns
  properties: Record<string, unknown>
}

/** Ids by the key of a document: readable in a table of queries. */
export const idOf = (key: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(key).toString('hex').padStart(12, '0')}`

const OPEN = 1
const STAFF = 2
const NOT_BOB = 3

const NUMBERED = Array.from({ length: 30 }, (_, i): TestDocument => {
  const key = `n${String(i).padStart(2, '0')}`
  return {
    key,
    path: `/num/${key}`,
    columns: { position: i },
    properties: {
      'dc:title': `Number ${i}`,
      's:size': i,
      's:flag': i % 2 === 0,
      'dc:created': `2020-01-${String(i + 1).padStart(2, '0')}T08:30:00.000Z`,
    },
  }
})

const NAMED: TestDocument[] = [
  { key: 'root', path: '/', columns: { type: 'Root' }, properties: { 'dc:title': 'Root' } },
  { key: 'num', path: '/num', columns: { type: 'Folder' }, properties: {} },
  { key: 'ws', path: '/ws', columns: { type: 'Workspace' }, properties: { 'dc:title': 'Workspace' } },
  {
    key: 'ws0',
    path: '/ws0',
    columns: { type: 'Workspace', scope_id: STAFF },
    properties: { 'dc:title': 'workspace_0' },
  },
  {
    key: 'ws-x',
    path: '/ws-x',
    columns: { type: 'Folder', scope_id: NOT_BOB },
    properties: { 'dc:title': '100% \\ done' },
  },
  { key: 'ws-x/f', path: '/ws-x/f', columns: { scope_id: NOT_BOB }, properties: {} },
  { key: 'rel', path: '/rel', columns: { type: 'DefaultRelation' }, properties: {} },
  {
    key: 'a',
    path: '/ws/a',
    columns: {
      lock_owner: 'ann',
      locked_at: '2020-05-01T10:00:00Z',
      facets: ['Extra', 'Folderish'],
      position: 1,
    },
    properties: {
      'dc:title': "It's",
      'dc:subjects': ['art/painting', 'science'],
      'dc:description': 'Crème brûlée, with sugar of the Straße',
      'nxtag:tags': [
        { label: 'red', username: 'ann' },
        { label: 'blue', username: 'bob' },
      ],
      's:people': [
        { name: 'Ann', age: 30, tags: ['x', 'y'] },
        { name: 'Bob', age: 40, tags: [] },
      ],
      'file:content': { name: 'a.pdf', 'mime-type': 'application/pdf', digest: 'd1', length: 1000 },
    },
  },
  {
    key: 'b',
    path: '/ws/b',
    columns: { is_trashed: true, lifecycle_state: 'deleted', position: 0 },
    properties: {
      'dc:title': 'ITS',
      'dc:subjects': ['arts'],
      'dc:description': 'sugar cane',
      's:address': { city: '<p class="north">Bergen&nbsp;town</p>' },
      'nxtag:tags': [{ label: 'blue', username: 'ann' }],
      's:people': [
        { name: 'Ann', age: 40 },
        { name: null, age: 30 },
      ],
      'files:files': [
        { file: { name: 'b1.txt', length: 5 } },
        { file: { name: 'b2.txt', length: 50 }, filename: 'two' },
      ],
      's:size': 'not a number',
    },
  },
  {
    key: 'c',
    path: '/ws/a/c',
    columns: { is_proxy: true, lifecycle_state: null, proxy_target: 'v1' },
    properties: {
      'dc:subjects': [],
      's:address': { city: 'Oslo' },
      'dc:created': null,
      's:numbers': [1, 2, 3],
    },
  },
  {
    key: 'v1',
    path: null,
    columns: {
      is_version: true,
      is_checked_in: true,
      version_series: 'a',
      version_label: '0.1',
      version_description: 'first',
      version_created_at: '2020-02-29T23:59:59.5Z',
    },
    properties: { 'dc:title': "It's" },
  },
  {
    key: 'v2',
    path: null,
    columns: {
      is_version: true,
      is_checked_in: true,
      version_series: 'a',
      version_label: '1.0',
      version_created_at: '2020-03-01T00:00:00Z',
      is_latest_version: true,
      is_latest_major_version: true,
    },
    properties: { 'dc:title': "It's", 'dc:subjects': 'not a list' },
  },
]

export const ALL_DOCUMENTS: readonly TestDocument[] = [...NAMED, ...NUMBERED]

const parentOf = (path: string | null): string | null => {
  if (path === null || path === '/') return null
  const above = path.slice(0, path.lastIndexOf('/')) || '/'
  return idOf(ALL_DOCUMENTS.find((document) => document.path === above)?.key ?? 'root')
}

const rowOf = ({
  key,
  path,
  columns: { version_series, proxy_target, ...columns },
  properties,
}: TestDocument) => ({
  id: idOf(key),
  parent_id: parentOf(path),
  name: path?.slice(path.lastIndexOf('/') + 1) ?? key,
  path,
  type: 'File',
  lifecycle_state: 'project',
  scope_id: OPEN,
  version_series_id: version_series === undefined ? null : idOf(version_series),
  proxy_target_id: proxy_target === undefined ? null : idOf(proxy_target),
  proxy_version_series_id: proxy_target === undefined ? null : idOf('a'),
  ...columns,
  properties,
})

/** Entries of local ACLs, by the document that holds them. */
const ACES = [
  { key: 'ws', acl: 'local', username: 'ann', permission: 'Read', granted: true },
  {
    key: 'ws',
    acl: 'local',
    username: 'bob',
    permission: 'Write',
    granted: true,
    begins_at: '2020-01-01T00:00:00Z',
    ends_at: '2020-01-05T00:00:00Z',
  },
  {
    key: 'ws0',
    acl: 'workflow',
    username: 'ann',
    permission: 'Write',
    granted: false,
    creator: 'system',
    begins_at: '2030-01-01T00:00:00Z',
  },
]

const entry = (username: string, granted: boolean) => ({
  username,
  permission: 'Browse',
  granted,
  browse: true,
})

/** Fills the tables: what everybody may read, what `staff` may, and what `staff` but Bob may. */
export const insertDocuments = async (sql: Sql): Promise<void> => {
  const acls = [
    { id: OPEN, entries: [entry('Everyone', true)], browsers: ['Everyone'], is_plain: true },
    { id: STAFF, entries: [entry('staff', true)], browsers: ['staff'], is_plain: true },
    { id: NOT_BOB, entries: [entry('bob', false), entry('staff', true)], browsers: [], is_plain: false },
  ]
  for (const { id, entries, browsers, is_plain } of acls) {
    await sql`
      INSERT INTO acls (id, fingerprint, entries, browsers, is_plain) OVERRIDING SYSTEM VALUE
      VALUES (${id}, ${String(id)}, ${sql.json(entries)}, ${browsers}, ${is_plain})`
  }
  for (const { properties, ...columns } of ALL_DOCUMENTS.map(rowOf)) {
    // The values are plain JSON: literals of this file.
    await sql`INSERT INTO documents ${sql({ ...columns, properties: sql.json(properties as never) })}`
  }
  await insertScopes(sql)
  for (const [position, { key, ...ace }] of ACES.entries())
    await sql`INSERT INTO document_acls ${sql({ ...ace, document_id: idOf(key), position })}`
}
