import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, getDocument, updateDocument } from '../../../core/content/documents/index.js'
import { createPlatform } from '../../../runtime/index.js'
import { ADMIN_PASSWORD, createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()

test('a new deployment has its default content and its administrator', async () => {
  const session = platform.readSession(SYSTEM)
  const root = await getDocument(session, '/')
  expect(root).toMatchObject({ name: '', path: '/', type: 'Root', parentId: null })
  const sections = await getDocument(session, '/default-domain/sections')
  expect(sections).toMatchObject({ type: 'SectionRoot', properties: { 'dc:title': 'Sections' } })
  expect(await session.stores.acls.local(root.id)).toMatchObject([
    {
      name: 'local',
      aces: [{ username: 'administrators' }, { username: 'Administrator' }, { username: 'members' }],
    },
  ])
  const administrator = await platform.authenticator.verify('Administrator', ADMIN_PASSWORD)
  expect(administrator).toMatchObject({ isAdministrator: true, groups: ['administrators', 'members'] })
})

test('processes that start together make one deployment, and what was removed stays removed', async () => {
  await platform.database.sql`DELETE FROM documents WHERE path = '/default-domain/templates'`
  const others = await Promise.all(
    [1, 2, 3].map(() => createPlatform(platform.settings, pino({ level: 'silent' }))),
  )
  await Promise.all(others.map((other) => other.close()))
  const rows = await platform.database.sql`SELECT path FROM documents ORDER BY path`
  expect(rows.map((row) => row.path)).toEqual([
    '/',
    '/default-domain',
    '/default-domain/sections',
    '/default-domain/workspaces',
  ])
})

test('a child is not made under a parent that has moved away since it was read', async () => {
  const session = platform.readSession(SYSTEM)
  const parent = await getDocument(session, '/default-domain/workspaces')
  const child = {
    ...parent,
    id: crypto.randomUUID(),
    parentId: parent.id,
    path: `${parent.path}/x`,
    name: 'x',
  }
  expect(await session.stores.documents.insert(child, [], { ...parent, path: '/elsewhere' })).toBe(
    'parentChanged',
  )
  expect(await session.stores.documents.insert(child, [], parent)).toBe('inserted')
  expect(await session.stores.documents.insert({ ...child, id: crypto.randomUUID() }, [], parent)).toBe(
    'nameTaken',
  )
})

test('a record that is older than the parent is read again before a child is made below it', async () => {
  let attempts = 0
  const made = await platform.withSession(SYSTEM, async (session) => {
    attempts++
    const parent = await createDocument(session, { parent: '/default-domain', name: 'older', type: 'Folder' })
    const read = await getDocument(session, parent.id)
    await updateDocument(session, parent, { 'dc:title': 'newer' })
    return createDocument(session, { parent: read, name: 'child', type: 'File' })
  })
  // The third attempt relies on nothing that was read before.
  expect(attempts).toBe(3)
  expect(made.path).toBe('/default-domain/older/child')
})

test('two documents of one name are both made, without a transaction', async () => {
  const made = await Promise.all(
    [1, 2].map(() =>
      platform.withSingleWrite(SYSTEM, (session) =>
        createDocument(session, { parent: '/default-domain', name: 'twin', type: 'Folder' }),
      ),
    ),
  )
  expect(made.map((document) => document.path).sort()).toEqual([
    '/default-domain/twin',
    expect.stringMatching(/^\/default-domain\/twin\.\d{13}$/),
  ])
})
