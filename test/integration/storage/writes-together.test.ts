import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type Principal, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import type { DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import { createTree, eventOf, recordOf } from '../../../storage/contract/content/tree.js'
import { CONTRACT_RULES } from '../../../storage/contract/rules/index.js'
import { createContentStores, createWritesTogether } from '../../../storage/postgres/index.js'
import { openContentOn, openDatabase } from './contract/postgres.js'

const database = await openDatabase()
const { permissions } = CONTRACT_RULES
const backend = await openContentOn(database, CONTRACT_RULES)
const tree = createTree(backend)
const together = createWritesTogether(database.together!)
const documentsOf = (principal: Principal) =>
  createContentStores({ sql: database.sql, together, principal, permissions, aclCache: new Map() }).documents
const documents = documentsOf(SYSTEM)

/** Callers at the same moment: more than a batch has. */
const MANY = 60

const insert = (parent: DocumentRecord, wanted: Partial<DocumentRecord> = {}) => {
  const record = recordOf(parent, wanted)
  return documents.insert(record, [eventOf('documentCreated', record)], parent)
}
const rename = (document: { id: string }, title: string, expected?: number) =>
  documents.update(
    {
      id: document.id,
      isUserChange: false,
      properties: { 'dc:title': title, 'dc:source': null },
      ...(expected !== undefined && { expectedSystemToken: expected }),
    },
    [{ event: 'documentModified', documentId: document.id, payload: { title } }],
  )
const many = <Result>(work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: MANY }, (_, index) => work(index)))
const statements = async (): Promise<number> => {
  const [row] = await database.sql<{ number: number }[]>`
    SELECT count(DISTINCT transaction_id)::int AS number FROM outbox WHERE event = 'documentCreated'`
  return row!.number
}
const eventsOf = async (id: string) => (await backend.events()).filter(({ documentId }) => documentId === id)

/** Holds a document against others until it is released. */
const hold = async (id: string, { isMoved = false } = {}) => {
  const events = new EventEmitter()
  const released = once(events, 'released')
  const held = once(events, 'held')
  const ended = database.transaction(async (sql) => {
    await sql`SELECT FROM documents WHERE id = ${id} FOR UPDATE`
    if (isMoved) await sql`UPDATE documents SET path = '/moved-' || id WHERE id = ${id}`
    events.emit('held')
    await released
  })
  await held
  return async () => {
    events.emit('released')
    await ended
  }
}

describe('new documents of many callers', () => {
  test('are stored whole, with their events, by fewer statements than callers', async () => {
    const folder = await tree.folder()
    const before = await statements()
    const properties: Properties = {
      'dc:title': 'a "title" \\ with\nlines 😀',
      's:size': 9_007_199_254_740_991,
      's:people': [{ name: 'x', tags: ['a', 'b'] }, {}],
    }
    const records = Array.from({ length: MANY }, (_, index) =>
      recordOf(folder, {
        facets: ['Extra', 'Versionable'],
        lifecycleState: null,
        position: index,
        lockedAt: new Date('2020-02-29T12:34:56.789Z'),
        properties: { ...properties, 's:index': index },
      }),
    )
    const outcomes = await Promise.all(
      records.map((record) => documents.insert(record, [eventOf('documentCreated', record)], folder)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['inserted']))
    for (const record of records) {
      expect(await documents.get(record.id)).toEqual({ ...record, aclId: folder.aclId })
      expect(await eventsOf(record.id)).toMatchObject([{ event: 'documentCreated', principal: SYSTEM.name }])
    }
    expect((await statements()) - before).toBeLessThan(MANY / 2)
  })

  test('have their events in the name of who has created them', async () => {
    const folder = await tree.folder()
    const written = await many(async (index) => {
      const name = `user${index % 3}`
      const record = recordOf(folder, { properties: { 'dc:creator': name } })
      await documentsOf(principalOf(name, [], false)).insert(
        record,
        [{ event: 'documentCreated', documentId: record.id, payload: { creator: name } }],
        folder,
      )
      return { id: record.id, name }
    })
    for (const { id, name } of written) {
      expect(await eventsOf(id)).toMatchObject([{ principal: name, payload: { creator: name } }])
      expect((await documents.get(id))?.properties).toEqual({ 'dc:creator': name })
    }
  })

  test('of one name: one of them is stored', async () => {
    const folder = await tree.folder()
    const outcomes = await many(() => insert(folder, { name: 'the-same' }))
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'nameTaken')).toHaveLength(MANY - 1)
  })

  test('fail each by itself, where a value cannot be stored or the parent is another one', async () => {
    const folder = await tree.folder()
    const elsewhere = { ...folder, path: `${folder.path}-before` }
    const outcomes = await Promise.allSettled([
      insert(folder),
      ...Array.from({ length: 20 }, () => insert(folder)),
      insert(folder, { properties: { 'dc:title': 'null \u0000' } }),
      insert(elsewhere),
      insert({ ...folder, id: randomUUID() }),
    ])
    const [bad, moved, gone] = outcomes.slice(-3)
    expect(outcomes.slice(0, -3)).toEqual(
      Array.from({ length: 21 }, () => ({ status: 'fulfilled', value: 'inserted' })),
    )
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: '22P05' } })
    expect(moved).toEqual({ status: 'fulfilled', value: 'parentChanged' })
    expect(gone).toEqual({ status: 'fulfilled', value: 'parentChanged' })
  })

  test('do not wait for a parent that others do not need', async () => {
    const [held, free] = [await tree.folder(), await tree.folder()]
    const release = await hold(held.id)
    const waiting = Promise.all([insert(held), insert(held)])
    const outcomes = await many(() => insert(free))
    expect(new Set(outcomes)).toEqual(new Set(['inserted']))
    await release()
    expect(new Set(await waiting)).toEqual(new Set(['inserted']))
  })

  test('are not put below a parent that is moved while they wait', async () => {
    const folder = await tree.folder()
    const release = await hold(folder.id, { isMoved: true })
    const waiting = many(() => insert(folder))
    await release()
    expect(new Set(await waiting)).toEqual(new Set(['parentChanged']))
  })
})

describe('changes of many callers', () => {
  test('are each made once, with their events', async () => {
    const folder = await tree.folder()
    const made = await many(() =>
      tree.create(folder, { properties: { 'dc:source': 'here', 'dc:format': 'x' } }),
    )
    const changed = await many((index) => rename(made[index]!, `Title ${index}`))
    for (const [index, document] of changed.entries()) {
      expect(document).toEqual({
        ...made[index],
        systemToken: 1,
        properties: { 'dc:title': `Title ${index}`, 'dc:format': 'x' },
      })
      expect(await documents.get(made[index]!.id)).toEqual(document)
      expect(await eventsOf(made[index]!.id)).toMatchObject([
        { event: 'documentModified', payload: { title: `Title ${index}` } },
      ])
    }
  })

  test('of one document follow one another, and of those that expect what it was one is made', async () => {
    const document = await tree.create(await tree.folder())
    const all = await many((index) => rename(document, `Title ${index}`))
    expect(all.map((one) => one?.systemToken).toSorted((a, b) => a! - b!)).toEqual(
      Array.from({ length: MANY }, (_, index) => index + 1),
    )
    const expecting = await many((index) => rename(document, `Again ${index}`, MANY))
    expect(expecting.filter((one) => one !== undefined)).toMatchObject([{ systemToken: MANY + 1 }])
  })

  test('of large documents, and of those with proxies, are made as well', async () => {
    const folder = await tree.folder()
    const large = await tree.create(folder, { properties: { 'dc:rights': randomUUID().repeat(5_000) } })
    const target = await tree.create(folder)
    const proxy = await tree.proxy(target, folder)
    const small = await tree.create(folder)
    const changed = await Promise.all([large, target, small].map((document) => rename(document, 'Other')))
    expect(changed.map((one) => one?.properties['dc:title'])).toEqual(['Other', 'Other', 'Other'])
    expect((await documents.get(proxy.id))?.properties['dc:title']).toBe('Other')
  })

  test('do not wait for a document that others do not need', async () => {
    const folder = await tree.folder()
    const [held, ...free] = await many(() => tree.create(folder))
    const release = await hold(held!.id)
    const waiting = rename(held!, 'Later')
    const changed = await Promise.all(free.map((document) => rename(document, 'Now')))
    expect(changed.every((one) => one?.properties['dc:title'] === 'Now')).toBe(true)
    await release()
    expect((await waiting)?.properties['dc:title']).toBe('Later')
  })

  test('of a document that is gone are not made', async () => {
    expect(await rename({ id: randomUUID() }, 'Nothing')).toBeUndefined()
  })
})
