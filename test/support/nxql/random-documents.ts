import type { Random } from '../../../core/model/nxql/random-query.fixture.js'

/** A document to be stored, by the columns of the table. */
export type RandomDocument = {
  id: string
  path: string | null
  scope: number
  columns: { [column: string]: unknown }
  properties: { [key: string]: unknown }
  aces: readonly { [column: string]: unknown }[]
}

const TEXTS = [
  'a',
  'b',
  'a b',
  'b c a',
  'b%',
  'x_\\y',
  'art/painting',
  'art',
  'École',
  'pa',
  'a b pa c',
  'zz',
] as const
const DATES = [
  '2020-02-29T00:00:00.000Z',
  '2020-01-01T10:00:00.000Z',
  '2019-01-01T08:00:00.000Z',
  '2020-03-31T12:00:00.000Z',
] as const
const TYPES = ['File', 'File', 'File', 'Folder', 'Workspace', 'DefaultRelation'] as const

const idOf = (position: number): string => `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`

/** Documents over the sample model, of values that the random queries ask for. */
export const randomDocuments = (random: Random, count: number): RandomDocument[] => {
  const text = () => random.pick(TEXTS)
  const number = () => random.pick([0, 1, -5, 2.5, 3, 40])
  const whole = () => random.pick([0, 1, -5, 3, 40])
  const date = () => random.pick(DATES)
  const list = <T>(item: () => T, most = 3): T[] => Array.from({ length: random.below(most + 1) }, item)
  const some = (properties: { [key: string]: () => unknown }, share: number) =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([key, value]) => (random.chance(share) ? [[key, value()]] : [])),
    )
  const file = () => some({ name: text, 'mime-type': text, length: whole }, 0.8)

  const properties = () =>
    some(
      {
        'dc:title': text,
        'dc:description': text,
        'dc:subjects': () => list(text),
        'dc:created': date,
        'dc:modified': date,
        'file:content': file,
        'files:files': () => list(() => some({ file, filename: text }, 0.8)),
        's:score': number,
        's:size': whole,
        's:flag': () => random.chance(0.5),
        's:dates': () => list(date),
        's:numbers': () => list(whole),
        's:address': () => some({ city: text }, 0.8),
        's:people': () => list(() => some({ name: text, age: whole, tags: () => list(text) }, 0.8)),
        'nxtag:tags': () => list(() => ({ label: text(), username: 'ann' })),
      },
      0.6,
    )

  const ace = () => ({
    acl: random.pick(['local', 'a']),
    username: random.pick(['a', 'b', 'ann']),
    permission: random.pick(['a', 'Read']),
    granted: random.chance(0.5),
    creator: null,
    begins_at: random.chance(0.5) ? date() : null,
    ends_at: random.chance(0.5) ? date() : null,
  })

  const documents: RandomDocument[] = [
    { id: idOf(0), path: '/', scope: 1, columns: { type: 'Root', name: '' }, properties: {}, aces: [] },
    {
      id: idOf(1),
      path: '/ws',
      scope: 1,
      columns: { type: 'Workspace', name: 'ws', parent_id: idOf(0) },
      properties: {},
      aces: [],
    },
    {
      id: idOf(2),
      path: '/ws/a',
      scope: 1,
      columns: { type: 'Folder', name: 'a', parent_id: idOf(1) },
      properties: {},
      aces: [],
    },
  ]
  while (documents.length < count) {
    const position = documents.length
    const isVersion = random.chance(0.15)
    const above = documents[random.below(3)]
    const parent = above?.path === undefined || above.path === null ? documents[0]! : above
    const name = random.pick(['a', 'b', 'ws']) + position
    documents.push({
      id: idOf(position),
      path: isVersion ? null : `${parent.path === '/' ? '' : parent.path}/${name}`,
      scope: 1 + random.below(3),
      columns: {
        name,
        type: random.pick(TYPES),
        parent_id: isVersion ? null : parent.id,
        position: random.chance(0.5) ? random.below(4) : null,
        facets: random.chance(0.2) ? ['Downloadable', 'Extra'] : [],
        lifecycle_state: random.pick(['project', 'deleted', 'a', null]),
        is_version: isVersion,
        is_proxy: random.chance(0.1),
        is_trashed: random.chance(0.2),
        is_checked_in: isVersion,
        is_latest_version: isVersion && random.chance(0.5),
        version_label: isVersion ? text() : null,
        version_created_at: isVersion ? date() : null,
        version_series_id: isVersion ? idOf(1) : null,
        proxy_target_id: random.chance(0.1) ? idOf(1) : null,
        lock_owner: random.chance(0.2) ? text() : null,
        locked_at: random.chance(0.2) ? date() : null,
      },
      properties: properties(),
      aces: list(ace),
    })
  }
  return documents
}
