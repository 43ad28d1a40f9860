import { expect, test } from 'vitest'
import { createDocument, getDocument, queryDocuments, setAcls } from '../../core/documents/index.js'
import { EVERYONE, EVERYTHING, principalOf, SYSTEM } from '../../core/security/index.js'
import { createTestPlatform } from '../support/platform.js'

const { platform } = await createTestPlatform()

const folderFor = (name: string, username: string, count: number) =>
  platform.withSession(SYSTEM, async (session) => {
    const folder = await createDocument(session, { parent: '/', name, type: 'Folder' })
    await setAcls(session, await getDocument(session, folder.id), [
      {
        name: 'local',
        aces: [
          { username, permission: 'Read', granted: true },
          { username: EVERYONE, permission: EVERYTHING, granted: false },
        ],
      },
    ])
    for (let index = 0; index < count; index++)
      await createDocument(session, { parent: folder.path ?? '', name: `d-${index}`, type: 'File' })
  })

const reader = (name: string) => platform.readSession(principalOf(name, [], false))

const countFor = async (name: string): Promise<number> =>
  (await queryDocuments(reader(name), 'SELECT * FROM File')).resultsCount

await folderFor('big', 'ann', 40)
await folderFor('small', 'bob', 1)

test('who may browse much is told by the sizes of scopes that the database knows', async () => {
  await platform.database.sql`ANALYZE documents`
  expect(await reader('ann').store.readsWidely()).toBe(true)
  expect(await reader('bob').store.readsWidely()).toBe(false)
  expect(await platform.readSession(SYSTEM).store.readsWidely()).toBe(true)
})

test('rights that change count at once, whatever is remembered of how much one may browse', async () => {
  expect(await countFor('ann')).toBe(40)
  expect(await countFor('bob')).toBe(1)
  await platform.withSession(SYSTEM, async (session) => {
    const read = { username: 'bob', permission: 'Read', granted: true }
    await setAcls(session, await getDocument(session, '/big'), [
      { name: 'local', aces: [read, { username: EVERYONE, permission: EVERYTHING, granted: false }] },
    ])
  })
  expect(await countFor('ann')).toBe(0)
  expect(await countFor('bob')).toBe(41)
})

test.each([
  ['few', 3],
  ['many', 201],
])('%s children are found with the same rights', async (name, count) => {
  await folderFor(name, 'eve', count)
  const folder = await getDocument(platform.readSession(SYSTEM), `/${name}`)
  const childrenFor = async (user: string) =>
    (await queryDocuments(reader(user), `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}'`))
      .resultsCount
  expect(await childrenFor('eve')).toBe(count)
  expect(await childrenFor('dan')).toBe(0)
})
