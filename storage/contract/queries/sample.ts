import { type Acl, EVERYONE, SYSTEM } from '../../../core/access/security/index.js'
import type { Properties } from '../../../core/model/properties/index.js'
import type { ContentBackend } from '../content/index.js'
import { insertIndexed, recordOf, type Wanted } from '../content/tree.js'

type SampleDocument = {
  key: string
  path: string | null
  /** What differs from a plain file. */
  columns: Wanted
  properties: Properties
}

/** Ids by the key of a document: readable in a table of queries. */
export const idOf = (key: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(key).toString('hex').padStart(12, '0')}`

const NUMBERED = Array.from({ length: 30 }, (_, i): SampleDocument => {
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

const NAMED: SampleDocument[] = [
  { key: 'root', path: '/', columns: { type: 'Root' }, properties: { 'dc:title': 'Root' } },
  { key: 'num', path: '/num', columns: { type: 'Folder' }, properties: {} },
  { key: 'ws', path: '/ws', columns: { type: 'Workspace' }, properties: { 'dc:title': 'Workspace' } },
  {
    key: 'ws0',
    path: '/ws0',
    columns: { type: 'Workspace' },
    properties: { 'dc:title': 'workspace_0' },
  },
  {
    key: 'ws-x',
    path: '/ws-x',
    columns: { type: 'Folder' },
    properties: { 'dc:title': '100% \\ done' },
  },
  { key: 'ws-x/f', path: '/ws-x/f', columns: {}, properties: {} },
  { key: 'rel', path: '/rel', columns: { type: 'DefaultRelation' }, properties: {} },
  {
    key: 'a',
    path: '/ws/a',
    columns: {
      lockOwner: 'ann',
      lockedAt: new Date('2020-05-01T10:00:00Z'),
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
    columns: { isTrashed: true, lifecycleState: 'deleted', position: 0 },
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
    columns: {
      isProxy: true,
      lifecycleState: null,
      proxyTargetId: idOf('v1'),
      proxyVersionSeriesId: idOf('a'),
    },
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
      isVersion: true,
      isCheckedIn: true,
      versionSeriesId: idOf('a'),
      versionLabel: '0.1',
      versionDescription: 'first',
      versionCreatedAt: new Date('2020-02-29T23:59:59.5Z'),
    },
    properties: { 'dc:title': "It's" },
  },
  {
    key: 'v2',
    path: null,
    columns: {
      isVersion: true,
      isCheckedIn: true,
      versionSeriesId: idOf('a'),
      versionLabel: '1.0',
      versionCreatedAt: new Date('2020-03-01T00:00:00Z'),
      isLatestVersion: true,
      isLatestMajorVersion: true,
    },
    properties: { 'dc:title': "It's", 'dc:subjects': 'not a list' },
  },
]

export const ALL_DOCUMENTS: readonly SampleDocument[] = [...NAMED, ...NUMBERED]

/** Local ACLs, by the document that holds them. */
const ACLS: { [key: string]: readonly Acl[] } = {
  root: [{ name: 'local', aces: [{ username: EVERYONE, permission: 'Read', granted: true }] }],
  ws: [
    {
      name: 'local',
      aces: [
        { username: 'ann', permission: 'Read', granted: true },
        {
          username: 'bob',
          permission: 'Write',
          granted: true,
          begin: '2020-01-01T00:00:00Z',
          end: '2020-01-05T00:00:00Z',
        },
      ],
    },
  ],
  ws0: [
    {
      name: 'workflow',
      aces: [
        {
          username: 'ann',
          permission: 'Write',
          granted: false,
          creator: 'system',
          begin: '2030-01-01T00:00:00Z',
        },
      ],
    },
    {
      name: 'local',
      aces: [
        { username: 'staff', permission: 'Browse', granted: true },
        { username: 'staff', permission: 'Read', granted: true },
      ],
    },
  ],
}

const recordFor = ({ key, path, columns, properties }: SampleDocument) => {
  const above = path === null || path === '/' ? undefined : path.slice(0, path.lastIndexOf('/')) || '/'
  const parent = ALL_DOCUMENTS.find((document) => document.path === above)
  return recordOf(null, {
    id: idOf(key),
    parentId: parent ? idOf(parent.key) : null,
    name: path === null ? key : path.slice(path.lastIndexOf('/') + 1),
    path,
    ...columns,
    properties,
  })
}

/** Fills an empty repository. */
export const insertSample = async (backend: ContentBackend): Promise<void> => {
  await backend.transaction(SYSTEM, async ({ stores }) => {
    for (const document of ALL_DOCUMENTS) {
      const record = recordFor(document)
      const parent = record.parentId === null ? undefined : await stores.documents.get(record.parentId)
      await insertIndexed(stores, record, { parent, acls: ACLS[document.key] })
    }
  })
  await backend.settled()
}

/** Changes a document of the sample. */
export const changeSample = async (
  backend: ContentBackend,
  key: string,
  change: {
    properties?: Properties
    columns?: { isTrashed?: boolean; lifecycleState?: string; facets?: string[] }
  },
): Promise<void> => {
  const event = { event: 'documentModified', documentId: idOf(key), payload: {} }
  await backend.transaction(SYSTEM, ({ stores }) =>
    stores.documents.update({ id: idOf(key), ...change, isUserChange: false }, [event]),
  )
  await backend.settled()
}
