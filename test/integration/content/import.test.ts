import { beforeAll, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import {
  createDocument,
  getChildren,
  getDocument,
  type ImportedDocument,
  importDocuments,
} from '../../../core/content/documents/index.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const WORKSPACES = '/default-domain/workspaces'

const file = (name: string, title = name): ImportedDocument => ({
  name,
  type: 'File',
  properties: { 'dc:title': title },
})

const newFolder = (name: string, type = 'Folder'): Promise<string> =>
  platform.withSession(SYSTEM, async (session) => {
    const folder = await createDocument(session, { parent: WORKSPACES, name, type })
    return folder.path ?? ''
  })

const importInto = (parent: string, documents: readonly ImportedDocument[], principal = SYSTEM) =>
  platform.withSession(principal, (session) => importDocuments(session, parent, documents))

const namesIn = (path: string): Promise<string[]> =>
  platform.withSession(SYSTEM, async (session) =>
    (await getChildren(session, await getDocument(session, path))).map(({ name }) => name),
  )

let folder = ''
beforeAll(async () => {
  folder = await newFolder('imports')
})

test('a tree comes in with what each document begins with', async () => {
  const tree = { name: 'tree', type: 'Folder', children: [file('a'), { ...file('b'), type: 'Note' }] }
  const made = await importInto(folder, [tree, file('c')])
  expect(made.map(({ path }) => path)).toEqual([
    `${folder}/tree`,
    `${folder}/c`,
    `${folder}/tree/a`,
    `${folder}/tree/b`,
  ])
  const read = await platform.withSession(SYSTEM, (session) => getDocument(session, `${folder}/tree/b`))
  expect(read).toMatchObject({ type: 'Note', lifecycleState: 'project', parentId: made[0]?.id })
  expect(read.properties).toMatchObject({ 'dc:title': 'b', 'dc:creator': 'system' })
  expect(read).toEqual(made[3])
})

test('each is emitted once, as imported', async () => {
  const [made] = await importInto(folder, [file('told')])
  const events = await platform.database.sql`
    SELECT event, payload ->> 'path' AS path FROM outbox WHERE document_id = ${made?.id ?? ''}`
  expect([...events]).toEqual([{ event: 'documentImported', path: `${folder}/told` }])
})

test('taken names give way, in the folder and in the import itself, with all below', async () => {
  const place = await newFolder('taken')
  await importInto(place, [file('x')])
  const sub = { name: 'x', type: 'Folder', children: [file('inner')] }
  const made = await importInto(place, [sub, file('y'), file('y')])
  const [renamed, , second, inner] = made
  expect(renamed?.name).toMatch(/^x\.\d+$/)
  expect(second?.name).toMatch(/^y\.\d+$/)
  expect(inner?.path).toBe(`${place}/${renamed?.name}/inner`)
  expect(await namesIn(place)).toHaveLength(4)
})

test('two imports of the same names at once lose nothing', async () => {
  const place = await newFolder('raced')
  const documents = Array.from({ length: 50 }, (_, index) => file(`same-${index}`))
  await Promise.all([importInto(place, documents), importInto(place, documents)])
  expect(new Set(await namesIn(place)).size).toBe(100)
})

test('children of an ordered folder stand in the order of the import, after those that are there', async () => {
  const place = await newFolder('ordered', 'OrderedFolder')
  await importInto(place, [file('z')])
  await importInto(place, [file('b'), file('a')])
  expect(await namesIn(place)).toEqual(['z', 'b', 'a'])
})

test.each([
  ['an unknown type', [file('ok'), { name: 'bad', type: 'Nonesuch' }], 'Nonesuch'],
  ['an illegal name', [file('ok'), file('..')], 'name'],
  ['a bad child', [{ name: 'f', type: 'Folder', children: [{ name: 'n', type: 'Nonesuch' }] }], 'Nonesuch'],
])('%s: nothing is imported', async (_, documents, message) => {
  const place = await newFolder(`refused-${Math.random()}`)
  await expect(importInto(place, documents)).rejects.toThrowError(message)
  expect(await namesIn(place)).toEqual([])
})

test('needs the right to add children, and discloses no folders that may not be browsed', async () => {
  const reader = principalOf('reader', ['members'], false)
  await expect(importInto(folder, [file('mine')], reader)).rejects.toMatchObject({ code: 'forbidden' })
  const stranger = principalOf('stranger', [], false)
  await expect(importInto(folder, [file('mine')], stranger)).rejects.toMatchObject({ code: 'notFound' })
  await expect(importInto('/nowhere', [file('mine')])).rejects.toMatchObject({ code: 'notFound' })
})
