import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import {
  changeToken,
  createDocument,
  type Delta,
  getDocument,
  incrementProperties,
  requireChangeToken,
  updateDocument,
} from '../../../core/content/documents/index.js'
import { type DocumentRecord, getProperty, type Properties } from '../../../core/model/properties/index.js'
import { createTestPlatform } from '../support/rest-support.js'

const config = await mkdtemp(join(tmpdir(), 'archivolt-counters-'))
await writeFile(
  join(config, 'counters.yaml'),
  `
schemas:
  stats:
    fields:
      views: long
      stock: { type: long, minimum: 0 }
      ratio: double
      scores: 'long[]'
      part: { type: complex, fields: { hits: long, inner: { type: complex, fields: { deep: long } } } }
      rows: { type: 'complex[]', fields: { hits: long, name: string } }
types:
  Counted: { extends: File, schemas: [stats] }
`,
)
const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: config })
const admin = principalOf('Administrator', [], true)

const make = (properties: Properties = {}): Promise<DocumentRecord> =>
  platform.withSession(admin, (session) =>
    createDocument(session, {
      parent: '/default-domain/workspaces',
      name: randomUUID(),
      type: 'Counted',
      properties,
    }),
  )

const read = (id: string) => getDocument(platform.readSession(admin), id)

const add = (id: string, deltas: readonly Delta[], by = admin) =>
  platform.withSession(by, async (session) =>
    incrementProperties(session, await getDocument(session, id), deltas),
  )

const countAt = ({ properties }: DocumentRecord, xpath: string) =>
  getProperty(properties, { model: platform.snapshot().model, xpath })

describe('counting', () => {
  test.each([
    ['a property without a value', {}, 'stats:views', 3, 3],
    ['a property with one', { 'stats:views': 4 }, 'stats:views', -6, -2],
    ['inside a complex value that is not there', {}, 'stats:part/inner/deep', 2, 2],
    ['inside a complex value', { 'stats:part': { hits: 1 } }, 'stats:part/hits', 1, 2],
    ['an item of a list', { 'stats:scores': [1, 2] }, 'stats:scores/1', 5, 7],
    ['inside an item of a list', { 'stats:rows': [{ name: 'a' }] }, 'stats:rows/0/hits', 1, 1],
  ])('%s', async (_, properties, xpath, by, sum) => {
    const { id } = await make(properties)
    expect(countAt(await add(id, [{ xpath, by }]), xpath)).toBe(sum)
    expect(countAt(await read(id), xpath)).toBe(sum)
  })

  test('several at once, one of them twice, leave the rest as it is', async () => {
    const { id } = await make({ 'stats:part': { hits: 1 }, 'dc:title': 'T' })
    await add(id, [
      { xpath: 'stats:views', by: 1 },
      { xpath: 'stats:part/inner/deep', by: 2 },
      { xpath: 'stats:views', by: 4 },
    ])
    expect((await read(id)).properties).toMatchObject({
      'dc:title': 'T',
      'stats:views': 5,
      'stats:part': { hits: 1, inner: { deep: 2 } },
    })
  })

  test('neither dates nor checks out the document, nor makes a changeToken stale', async () => {
    const before = await make()
    const after = await add(before.id, [{ xpath: 'stats:views', by: 1 }])
    expect(after.properties['dc:modified']).toBe(before.properties['dc:modified'])
    expect(after.userToken).toBe(before.userToken)
    expect(after.systemToken).toBe(before.systemToken + 1)
    expect(() => requireChangeToken(after, changeToken(before))).not.toThrow()
  })

  test('is reported as a modification', async () => {
    const { id } = await make()
    await add(id, [{ xpath: 'stats:views', by: 1 }])
    const events = await platform.database.sql`
      SELECT event, payload->'properties' AS properties FROM outbox WHERE document_id = ${id} ORDER BY id`
    expect(events.at(-1)).toEqual({ event: 'documentModified', properties: ['stats:views'] })
  })
})

describe('under concurrency', () => {
  test('parallel transactions lose nothing', async () => {
    const { id } = await make({ 'stats:part': { hits: 10 } })
    const rounds = 60
    await Promise.all(
      Array.from({ length: rounds }, (_, index) =>
        add(id, [
          { xpath: 'stats:views', by: index % 2 ? 3 : -1 },
          { xpath: 'stats:part/hits', by: 1 },
        ]),
      ),
    )
    const counted = await read(id)
    expect(countAt(counted, 'stats:views')).toBe((rounds / 2) * 2)
    expect(countAt(counted, 'stats:part/hits')).toBe(10 + rounds)
  })

  test('transactions that overlap wait for each other rather than fail', async () => {
    const { id } = await make()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = platform.withSession(admin, async (session) => {
      await incrementProperties(session, await getDocument(session, id), [{ xpath: 'stats:views', by: 1 }])
      await held
    })
    const second = add(id, [{ xpath: 'stats:views', by: 10 }])
    setTimeout(release, 100)
    await Promise.all([first, second])
    expect(countAt(await read(id), 'stats:views')).toBe(11)
  })

  test('counting and saving at the same time keep both', async () => {
    const { id } = await make()
    await Promise.all([
      ...Array.from({ length: 30 }, () => add(id, [{ xpath: 'stats:views', by: 1 }])),
      ...Array.from({ length: 10 }, (_, index) =>
        platform.withSession(admin, async (session) =>
          updateDocument(session, await getDocument(session, id), { 'dc:title': `T${index}` }),
        ),
      ),
    ])
    const saved = await read(id)
    expect(countAt(saved, 'stats:views')).toBe(30)
    expect(saved.userToken).toBe(10)
  })

  test('stock that runs out is sold once', async () => {
    const { id } = await make({ 'stats:stock': 5 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, () => add(id, [{ xpath: 'stats:stock', by: -1 }])),
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(7).fill('invalid'))
    expect(countAt(await read(id), 'stats:stock')).toBe(0)
  })
})

describe('what cannot be counted is refused, and nothing is written', () => {
  test.each([
    ['an unknown property', 'stats:nothing', 1, 'badRequest'],
    ['a property of another type', 'picture:info/width', 1, 'badRequest'],
    ['a double', 'stats:ratio', 1, 'badRequest'],
    ['a text', 'dc:title', 1, 'badRequest'],
    ['a whole list', 'stats:scores', 1, 'badRequest'],
    ['a whole complex value', 'stats:part', 1, 'badRequest'],
    ['every item', 'stats:scores/*', 1, 'badRequest'],
    ['the length of a blob', 'file:content/length', 1, 'badRequest'],
    ['an item that is not there', 'stats:scores/1', 1, 'badRequest'],
    ['below an item that is not there', 'stats:rows/0/hits', 1, 'badRequest'],
    ['half a one', 'stats:views', 0.5, 'badRequest'],
    ['more than is exact', 'stats:views', Number.MAX_SAFE_INTEGER, 'badRequest'],
    ['below the minimum', 'stats:stock', -2, 'invalid'],
  ])('%s', async (_, xpath, by, code) => {
    const { id, systemToken } = await make({ 'stats:scores': [1], 'stats:views': 1, 'stats:stock': 1 })
    await expect(
      add(id, [
        { xpath: 'stats:part/hits', by: 1 },
        { xpath, by },
      ]),
    ).rejects.toMatchObject({ code })
    expect((await read(id)).systemToken).toBe(systemToken)
  })

  test('without the right to write', async () => {
    const { id } = await make()
    const reader = principalOf('reader', ['members'], false)
    await expect(add(id, [{ xpath: 'stats:views', by: 1 }], reader)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(add(id, [{ xpath: 'stats:views', by: 1 }], SYSTEM)).resolves.toBeDefined()
  })
})
