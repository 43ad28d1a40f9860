import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { addToCollection, removeFromCollection } from '../../../core/content/collections/index.js'
import { createComment, removeComment, updateComment } from '../../../core/content/comments/index.js'
import type { DocumentListener, ListenedEvent } from '../../../core/content/documents/index.js'
import {
  copyDocument,
  createDocument,
  getDocument,
  importDocuments,
  lockDocument,
  moveDocument,
  orderDocument,
  removeDocument,
  type Session,
  setAcls,
  unlockDocument,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { followTransition } from '../../../core/content/lifecycle/index.js'
import { subscribe, unsubscribe } from '../../../core/content/notifications/index.js'
import { publishDocument } from '../../../core/content/publishing/index.js'
import { addTags } from '../../../core/content/tags/index.js'
import { trashDocument, untrashDocument } from '../../../core/content/trash/index.js'
import { checkIn, checkOut, restoreVersion } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { REPOSITORY_EVENTS } from '../../../core/platform/events/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { documentTools, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR } from '../support/operations-support.js'
import { createClient } from '../support/rest-client.js'
import { ADMIN_PASSWORD } from '../support/rest-support.js'

/** Without the end of units of work: who hears of that makes each of them a transaction. */
const EVERYTHING = [...REPOSITORY_EVENTS].filter((event) => event !== 'sessionSaved')

type Heard = ListenedEvent & { by: string }
type Handler = (
  session: Session,
  event: ListenedEvent & { document: DocumentRecord },
) => ReturnType<DocumentListener['handle']>

const heard: Heard[] = []
/** What one test wants a listener to do at an event; forgotten before the next. */
const handlers = new Map<string, Handler>()
const failures: string[] = []

const listener = (name: string, rest: Partial<DocumentListener>): DocumentListener => ({
  name,
  events: EVERYTHING,
  handle: async () => undefined,
  ...rest,
})

const handled = async (session: Session, event: ListenedEvent, key: string) => {
  const { document } = event
  return document ? handlers.get(key)?.(session, { ...event, document }) : undefined
}

const logger = pino({ level: 'error' }, { write: (line: string) => void failures.push(line) })

const listeners = [
  listener('last', {
    priority: 10,
    handle: async (_, event) => void heard.push({ ...event, by: 'last' }) as undefined,
  }),
  listener('first', {
    priority: -10,
    handle: async (session, event) => {
      heard.push({ ...event, by: 'first' })
      return handled(session, event, event.event)
    },
  }),
  listener('strict', {
    isRollback: true,
    handle: async (session, event) => handled(session, event, `strict ${event.event}`),
  }),
]

const { platform } = await createTestPlatform({ ARCHIVOLT_ADMIN_PASSWORD: ADMIN_PASSWORD }, logger, {
  listeners,
})
const call = createClient(platform)
const { as, events, sql } = documentTools({ platform })

let count = 0
let folder: DocumentRecord
let file: DocumentRecord

const make = (parent: string, type: string, name: string) =>
  as((session) => createDocument(session, { parent, type, name, properties: { 'dc:title': 'A title' } }))

const SHELF = '/default-domain/workspaces/shelf'
await make('/default-domain/workspaces', 'Workspace', 'shelf')
await make(SHELF, 'Collection', 'collection')
await make(SHELF, 'OrderedFolder', 'ordered')
for (const name of ['a', 'b']) await make(`${SHELF}/ordered`, 'File', name)

beforeEach(async () => {
  handlers.clear()
  folder = await make('/default-domain/workspaces', 'Workspace', `events-${count++}`)
  file = await make(folder.id, 'File', 'file')
  heard.length = 0
  failures.length = 0
  await events()
})

const heardBy = (name: string) => heard.filter(({ by }) => by === name).map(({ event }) => event)

const fresh = (session: Session) => getDocument(session, file.id)

const CHECK_IN = ['aboutToCheckIn', 'documentCreated', 'documentCheckedIn']

describe('in the transaction, before and after', () => {
  it.each<[string, (session: Session) => Promise<unknown>, string[]]>([
    [
      'a creation',
      (session) => createDocument(session, { parent: folder.id, type: 'File', name: 'new' }),
      ['emptyDocumentModelCreated', 'aboutToCreate', 'documentCreated'],
    ],
    [
      'an import',
      (session) => importDocuments(session, folder.id, [{ type: 'File', name: 'new' }]),
      ['aboutToImport', 'documentImported'],
    ],
    [
      'a change',
      async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' }),
      ['beforeDocumentModification', 'documentModified'],
    ],
    [
      'a removal',
      async (session) => removeDocument(session, await fresh(session)),
      ['aboutToRemove', 'documentRemoved'],
    ],
    [
      'a change of rights',
      async (session) => setAcls(session, await fresh(session), []),
      ['beforeDocumentSecurityModification', 'documentSecurityUpdated'],
    ],
    [
      'a copy',
      async (session) => copyDocument(session, await fresh(session), { target: folder.id, name: 'copy' }),
      ['aboutToCopy', 'documentDuplicated', 'documentCreatedByCopy'],
    ],
    [
      'a move',
      async (session) => moveDocument(session, await fresh(session), { target: folder.id, name: 'moved' }),
      ['aboutToMove', 'documentMoved'],
    ],
    [
      'a check-in',
      async (session) => checkIn(session, await fresh(session), { increment: 'MINOR' }),
      CHECK_IN,
    ],
    [
      'a check-out',
      async (session) =>
        checkOut(session, (await checkIn(session, await fresh(session), { increment: 'MINOR' })).document),
      ['aboutToCheckIn', 'documentCreated', 'documentCheckedIn', 'aboutToCheckout', 'documentCheckedOut'],
    ],
    [
      'a version restored and removed',
      async (session) => {
        const { document, version } = await checkIn(session, await fresh(session), { increment: 'MINOR' })
        await restoreVersion(session, version)
        await checkOut(session, await getDocument(session, document.id))
        return removeDocument(session, version)
      },
      [
        'aboutToCheckIn',
        'documentCreated',
        'documentCheckedIn',
        'beforeRestoringDocument',
        'documentRestored',
        'aboutToCheckout',
        'documentCheckedOut',
        'aboutToRemoveVersion',
        'versionRemoved',
      ],
    ],
    ['a lock', async (session) => lockDocument(session, await fresh(session)), ['documentLocked']],
    [
      'the end of a lock',
      async (session) => unlockDocument(session, await lockDocument(session, await fresh(session))),
      ['documentLocked', 'documentUnlocked'],
    ],
    [
      'the way into the trash',
      async (session) => trashDocument(session, await fresh(session)),
      ['documentTrashed'],
    ],
    [
      'the way out of the trash',
      async (session) => untrashDocument(session, (await trashDocument(session, await fresh(session)))!),
      ['documentTrashed', 'documentUntrashed'],
    ],
    [
      'a publication, then another version of it, then its end',
      async (session) => {
        const target = '/default-domain/sections'
        const proxy = await publishDocument(session, await fresh(session), { target })
        await updateDocument(session, await fresh(session), { 'dc:title': 'New' })
        await publishDocument(session, await fresh(session), { target })
        await removeDocument(session, await getDocument(session, proxy.id))
      },
      [
        ...CHECK_IN,
        'aboutToCreate',
        'documentCreated',
        'documentProxyPublished',
        'sectionContentPublished',
        'documentPublished',
        'beforeDocumentModification',
        'documentCheckedOut',
        'documentModified',
        ...CHECK_IN,
        'documentProxyUpdated',
        'sectionContentPublished',
        'documentPublished',
        'aboutToRemove',
        'proxyRemoved',
      ],
    ],
    ['a tag', async (session) => addTags(session, await fresh(session), ['tag']), ['documentTagUpdated']],
    [
      'a comment',
      async (session) => {
        const comment = await createComment(session, await fresh(session), { text: 'x' })
        const document = await getDocument(session, comment.id)
        await updateComment(session, document, { text: 'y' })
        await removeComment(session, await getDocument(session, comment.id))
      },
      [
        'aboutToCreate',
        'documentCreated',
        'emptyDocumentModelCreated',
        'aboutToCreate',
        'documentCreated',
        'commentAdded',
        'beforeDocumentModification',
        'documentModified',
        'commentUpdated',
        'aboutToRemove',
        'commentRemoved',
        'documentRemoved',
      ],
    ],
    [
      'a subscription and its end',
      async (session) => unsubscribe(session, await subscribe(session, await fresh(session))),
      ['subscriptionAssigned', 'subscriptionRemoved'],
    ],
    [
      'a member of a collection, and its end',
      async (session) => {
        const collection = await getDocument(session, `${SHELF}/collection`)
        await addToCollection(session, collection, [await fresh(session)])
        await removeFromCollection(session, await getDocument(session, collection.id), [await fresh(session)])
      },
      [
        'beforeAddedToCollection',
        'beforeDocumentModification',
        'documentModified',
        'addedToCollection',
        'beforeRemovedFromCollection',
        'beforeDocumentModification',
        'documentModified',
        'removedFromCollection',
      ],
    ],
    [
      'an order',
      async (session) => {
        const [a, b] = [
          await getDocument(session, `${SHELF}/ordered/a`),
          await getDocument(session, `${SHELF}/ordered/b`),
        ]
        await orderDocument(session, b, a)
      },
      ['childrenOrderChanged'],
    ],
    [
      'a transition',
      async (session) => followTransition(session, await fresh(session), 'approve'),
      ['lifecycle_transition_event'],
    ],
  ])('%s is heard in the order of priorities, and emitted once', async (_title, work, expected) => {
    await as(work)
    expect(heardBy('first')).toEqual(expected)
    expect(heardBy('last')).toEqual(expected)
    expect(heard.findIndex(({ by }) => by === 'first')).toBeLessThan(
      heard.findIndex(({ by }) => by === 'last'),
    )
    const reported = namesOf(await events())
    expect(reported).toEqual(expected.filter((event) => !/^(aboutTo|before|empty)/.test(event)))
  })

  it('what is below a folder is heard too when the folder follows a transition', async () => {
    await as(async (session) => followTransition(session, await getDocument(session, folder.id), 'approve'))
    const transitions = heard.filter(({ by }) => by === 'first')
    expect(transitions.map(({ documentId, payload }) => [documentId, payload.from, payload.to])).toEqual([
      [folder.id, 'project', 'approved'],
      [file.id, 'project', 'approved'],
    ])
  })

  it('what is below a folder is heard with the states and versions that it leaves', async () => {
    const done = await make(folder.id, 'File', 'obsolete')
    await as((session) => followTransition(session, done, 'obsolete'))
    await as(async (session) => checkIn(session, await getDocument(session, done.id), { increment: 'MAJOR' }))
    await as(async (session) => followTransition(session, await getDocument(session, folder.id), 'approve'))
    heard.length = 0
    await as(async (session) =>
      followTransition(session, await getDocument(session, folder.id), 'backToProject'),
    )
    const reported = heard.filter(({ by }) => by === 'first')
    expect(
      reported.map(({ event, documentId, payload }) => [event, documentId, payload.from ?? null]),
    ).toEqual([
      ['lifecycle_transition_event', folder.id, 'approved'],
      ['lifecycle_transition_event', file.id, 'approved'],
      ['documentCheckedOut', done.id, null],
      ['lifecycle_transition_event', done.id, 'obsolete'],
    ])
  })

  it('each contains in the outbox what a consumer needs', async () => {
    const target = '/default-domain/sections'
    const reported = async (work: (session: Session) => Promise<unknown>) => {
      await events()
      await as(work)
      return Object.fromEntries((await events()).map(({ event, payload }) => [event, payload]))
    }
    expect(
      await reported(async (session) =>
        updateDocument(session, await fresh(session), { 'dc:title': 'New' }, { comment: 'Why' }),
      ),
    ).toMatchObject({
      documentModified: { properties: ['dc:title'], comment: 'Why', type: 'File', path: file.path },
    })
    const locked = await reported(async (session) => lockDocument(session, await fresh(session)))
    expect(locked).toMatchObject({ documentLocked: { lockOwner: 'Administrator' } })
    const unlocked = await reported(async (session) => unlockDocument(session, await fresh(session)))
    expect(unlocked).toMatchObject({ documentUnlocked: { lockOwner: 'Administrator' } })
    const published = await reported(async (session) =>
      publishDocument(session, await fresh(session), { target }),
    )
    const { proxy, section, version } = (published.documentPublished ?? {}) as { [option: string]: string }
    expect(published).toMatchObject({
      documentCheckedIn: { checkedInVersionRef: version, versionLabel: '0.1', comment: null },
      documentProxyPublished: { proxy, section, sectionPath: target, version },
      sectionContentPublished: { proxy, version, path: target },
      documentPublished: { path: file.path },
    })
    const moved = await reported(async (session) =>
      moveDocument(session, await fresh(session), { target: SHELF }),
    )
    expect(moved).toMatchObject({
      documentMoved: { from: file.path, to: `${SHELF}/file`, parentPath: folder.path },
    })
    const copied = await reported(async (session) =>
      copyDocument(session, await fresh(session), { target: folder.id }),
    )
    expect(copied).toMatchObject({
      documentDuplicated: { destinationPath: `${folder.path}/file` },
      documentCreatedByCopy: { source: file.id, sourcePath: `${SHELF}/file` },
    })
    const trashed = await reported(async (session) =>
      trashDocument(session, await fresh(session), { comment: 'Old' }),
    )
    expect(trashed).toMatchObject({ documentTrashed: { from: `${SHELF}/file`, comment: 'Old' } })
    const removed = await reported(async (session) => removeDocument(session, await fresh(session)))
    expect(removed).toMatchObject({ documentRemoved: { docTitle: 'New', type: 'File' } })
  })

  it('shows what is about to be, and then what is', async () => {
    await as(async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' }))
    const [before, after] = heard.filter(({ by }) => by === 'first')
    expect(before?.document).toMatchObject({ systemToken: 0, properties: { 'dc:title': 'New' } })
    expect(after?.document).toMatchObject({ systemToken: 1, properties: { 'dc:title': 'New' } })
  })
})

describe('a listener', () => {
  it('may set properties with the change', async () => {
    handlers.set('aboutToCreate', async () => ({ 'dc:source': 'listener' }))
    handlers.set('beforeDocumentModification', async (_, { document }) => ({
      'dc:rights': `of ${document.properties['dc:title']}`,
    }))
    const made = await make(folder.id, 'File', 'new')
    expect(made.properties['dc:source']).toBe('listener')
    const changed = await as((session) => updateDocument(session, made, { 'dc:title': 'New' }))
    expect(changed.properties).toMatchObject({ 'dc:rights': 'of New', 'dc:source': 'listener' })
    expect(await as((session) => getDocument(session, made.id))).toEqual(changed)
  })

  it('may say what documents begin with, before their maker does', async () => {
    handlers.set('emptyDocumentModelCreated', async (_, { document }) => ({
      'dc:source': `${document.type} ${document.name} ${document.properties['dc:title'] ?? 'untitled'}`,
      'dc:title': 'By the listener',
    }))
    expect((await make(folder.id, 'File', 'new')).properties).toMatchObject({
      'dc:source': 'File new untitled',
      'dc:title': 'A title',
    })
    const { status, json } = await call('GET', `/api/v1/id/${folder.id}/@emptyWithDefault?type=Note&name=n`, {
      headers: { properties: 'dublincore' },
    })
    expect([status, json.properties['dc:source'], json.title]).toEqual([
      200,
      'Note n untitled',
      'By the listener',
    ])
    expect(failures).toEqual([])
  })

  it('may not break what the content model demands', async () => {
    handlers.set('beforeDocumentModification', async () => ({ 'dc:description': 'x'.repeat(2_001) }))
    await expect(
      as(async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' })),
    ).rejects.toMatchObject({ code: 'invalid' })
  })

  it('may write documents in the same transaction, and callers see it', async () => {
    handlers.set('documentCreated', async (session, { document }) => {
      if (document.name === 'new')
        await updateDocument(session, document, { 'dc:description': 'by a listener' })
      return undefined
    })
    const made = await platform.withSingleWrite(ADMINISTRATOR, (session) =>
      createDocument(session, { parent: folder.id, type: 'File', name: 'new' }),
    )
    expect(made.properties['dc:description']).toBe('by a listener')
    expect(namesOf(await events())).toEqual(['documentCreated', 'documentModified'])
  })

  it.each<[string, Handler]>([
    ['by a rule', async () => Promise.reject(fail('badRequest', 'No'))],
    ['by a mistake', async () => Promise.reject(new TypeError('Oops'))],
    [
      'by a statement',
      async (session, { document }) => {
        await updateDocument(session, document, { 'dc:description': 'half done' })
        return session.stores.documents
          .getMany(['not-a-uuid', document.id])
          .then(() => Promise.reject(new Error('Oops')))
      },
    ],
  ])('that fails %s is logged, undone and passed over', async (_title, handler) => {
    handlers.set('documentModified', async (session, event) =>
      event.payload.properties &&
      event.document.properties['dc:title'] === 'New' &&
      !event.document.properties['dc:description']
        ? handler(session, event)
        : undefined,
    )
    const changed = await as(async (session) =>
      updateDocument(session, await fresh(session), { 'dc:title': 'New' }),
    )
    expect(changed.properties).not.toHaveProperty('dc:description')
    expect(namesOf(await events())).toEqual(['documentModified'])
    expect(failures).toHaveLength(1)
    expect(JSON.parse(failures[0]!)).toMatchObject({ listener: 'first', event: 'documentModified' })
  })

  it('that fails in the database does not fail the transaction', async () => {
    handlers.set('documentModified', async (session, { document }) => {
      await session.stores.documents.insert({ ...document, id: 'no-uuid', path: '/elsewhere' }, [])
      return undefined
    })
    await as(async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' }))
    expect((await as(fresh)).properties['dc:title']).toBe('New')
    expect(failures).toHaveLength(1)
  })

  it('is undone by itself when many are emitted at once', async () => {
    handlers.set('aboutToImport', async (_, { document }) => {
      if (document.name.startsWith('bad')) throw new Error('Oops')
      return { 'dc:source': document.name }
    })
    const names = ['a', 'bad1', 'b', 'bad2', 'c']
    const made = await as((session) =>
      importDocuments(
        session,
        folder.id,
        names.map((name) => ({ name, type: 'File' })),
      ),
    )
    const sources = made.map(({ properties }) => properties['dc:source'] ?? null)
    expect(sources).toEqual(['a', null, 'b', null, 'c'])
    expect(failures).toHaveLength(2)
    expect(namesOf(await events())).toEqual(names.map(() => 'documentImported'))
  })

  it('fails what it listens to when it is marked so', async () => {
    handlers.set('strict documentModified', async () => Promise.reject(fail('badRequest', 'No')))
    await expect(
      as(async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' })),
    ).rejects.toMatchObject({ code: 'badRequest', message: 'No' })
    expect((await as(fresh)).properties['dc:title']).toBe('A title')
    expect(await events()).toEqual([])
  })

  it('that loses a race has the whole work done again', async () => {
    let attempts = 0
    handlers.set('documentModified', async () => {
      attempts += 1
      if (attempts === 1) throw fail('conflict', 'Lost', { retryable: true })
      return undefined
    })
    await as(async (session) => updateDocument(session, await fresh(session), { 'dc:title': 'New' }))
    expect(attempts).toBe(2)
    expect(namesOf(await events())).toEqual(['documentModified'])
  })
})

describe('the outbox', () => {
  it('says who, and keeps the order and the transaction of a unit of work', async () => {
    await as(async (session) => {
      const changed = await updateDocument(session, await fresh(session), { 'dc:title': 'New' })
      const locked = await lockDocument(session, changed)
      await followTransition(session, locked, 'approve')
    })
    const rows = await sql<{ event: string; principal: string; transactionId: string }[]>`
      SELECT event, principal, transaction_id AS "transactionId" FROM outbox
      WHERE document_id = ${file.id} ORDER BY id`
    expect(rows.map(({ event }) => event)).toEqual([
      'documentCreated',
      'documentModified',
      'documentLocked',
      'lifecycle_transition_event',
    ])
    const [, ...ofOne] = rows
    expect(new Set(ofOne.map(({ transactionId }) => transactionId)).size).toBe(1)
    expect(rows.every(({ principal }) => principal === 'Administrator')).toBe(true)
  })

  it('holds nothing of what was rolled back', async () => {
    await expect(
      as(async (session) => {
        await updateDocument(session, await fresh(session), { 'dc:title': 'New' })
        throw fail('badRequest', 'No')
      }),
    ).rejects.toThrow('No')
    expect(await events()).toEqual([])
  })
})
