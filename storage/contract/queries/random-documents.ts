import { type Ace, type Acl, EVERYONE, EVERYTHING, SYSTEM } from '../../../core/access/security/index.js'
import type { Random } from '../../../core/model/nxql/random-query.fixture.js'
import type { DocumentRecord, Properties, PropertyValue } from '../../../core/model/properties/index.js'
import type { ContentBackend } from '../content/index.js'
import { insertIndexed, recordOf } from '../content/tree.js'

/** A document to be stored, with its local ACLs. */
export type RandomDocument = { record: DocumentRecord; acls: readonly Acl[] }

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

const grant = (username: string, granted = true): Ace => ({ username, permission: 'Read', granted })
const BLOCK: Ace = { username: EVERYONE, permission: EVERYTHING, granted: false }

/** Who may browse: whoever may above, `staff` alone, or `staff` but one of its members. */
const RIGHTS = [[], [], [grant('staff'), BLOCK], [grant('bob', false), grant('staff'), BLOCK]] as const

const idOf = (position: number): string => `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`

/** Documents over the sample model, of values that the random queries ask for. */
export const randomDocuments = (random: Random, count: number): RandomDocument[] => {
  const text = () => random.pick(TEXTS)
  const number = () => random.pick([0, 1, -5, 2.5, 3, 40])
  const whole = () => random.pick([0, 1, -5, 3, 40])
  const date = () => random.pick(DATES)
  const list = <T>(item: () => T, most = 3): T[] => Array.from({ length: random.below(most + 1) }, item)
  const some = (properties: { [key: string]: () => PropertyValue }, share: number): Properties =>
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

  const ace = (): Ace => ({
    username: random.pick(['a', 'b', 'ann']),
    permission: random.pick(['a', 'Read']),
    granted: random.chance(0.5),
    creator: null,
    begin: random.chance(0.5) ? date() : null,
    end: random.chance(0.5) ? date() : null,
  })
  const acls = (): Acl[] =>
    [
      { name: 'local', aces: [...list(ace), ...random.pick(RIGHTS)] },
      { name: 'a', aces: list(ace, 1) },
    ].filter(({ aces }) => aces.length > 0)

  const folder = (name: string, type: string, parent: DocumentRecord | null): RandomDocument => ({
    record: recordOf(parent, {
      id: idOf(parent ? (parent.path === '/' ? 1 : 2) : 0),
      name,
      type,
      ...(!parent && { path: '/' }),
    }),
    acls: parent ? [] : [{ name: 'local', aces: [grant(EVERYONE)] }],
  })
  const root = folder('', 'Root', null)
  const workspace = folder('ws', 'Workspace', root.record)
  const folders = [root, workspace, folder('a', 'Folder', workspace.record)]
  const documents: RandomDocument[] = [...folders]
  while (documents.length < count) {
    const position = documents.length
    const isVersion = random.chance(0.15)
    const parent = folders[random.below(3)]!.record
    documents.push({
      record: recordOf(isVersion ? null : parent, {
        id: idOf(position),
        name: random.pick(['a', 'b', 'ws']) + position,
        type: random.pick(TYPES),
        position: random.chance(0.5) ? random.below(4) : null,
        facets: random.chance(0.2) ? ['Downloadable', 'Extra'] : [],
        lifecycleState: random.pick(['project', 'deleted', 'a', null]),
        isVersion,
        isProxy: random.chance(0.1),
        isTrashed: random.chance(0.2),
        isCheckedIn: isVersion,
        isLatestVersion: isVersion && random.chance(0.5),
        versionLabel: isVersion ? text() : null,
        versionCreatedAt: isVersion ? new Date(date()) : null,
        versionSeriesId: isVersion ? workspace.record.id : null,
        proxyTargetId: random.chance(0.1) ? workspace.record.id : null,
        lockOwner: random.chance(0.2) ? text() : null,
        lockedAt: random.chance(0.2) ? new Date(date()) : null,
        properties: properties(),
      }),
      acls: isVersion ? [] : acls(),
    })
  }
  return documents
}

/** Fills an empty repository with them. */
export const storeRandomDocuments = async (
  backend: ContentBackend,
  documents: readonly RandomDocument[],
): Promise<void> => {
  await backend.transaction(SYSTEM, async ({ stores }) => {
    for (const { record, acls } of documents) {
      const parent = record.parentId === null ? undefined : await stores.documents.get(record.parentId)
      await insertIndexed(stores, record, { parent, acls })
    }
  })
  await backend.settled()
}
