import { describe, expect, test } from 'vitest'
import { principalOf, SYSTEM } from '../../../core/access/security/index.js'
import type { ContentStores } from '../../../core/content/stores/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { CONTRACT_RULES } from '../rules/index.js'
import type { ContentBackend } from './backend.js'
import { createTree, recordOf } from './tree.js'

/** What the queries of a repository find without anybody waiting for it: rules decide by them. */
export const describeOwnQueries = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const scope = { model: CONTRACT_RULES.model, principal: SYSTEM, now: new Date() }
  const titled = ({ queries }: ContentStores, parentId: string, title: string) =>
    queries.ids(
      parseNxql(`SELECT * FROM File WHERE ecm:parentId = '${parentId}' AND dc:title = '${title}'`),
      scope,
      10,
    )
  const retitle = (stores: ContentStores, id: string, title: string) =>
    stores.documents.update({ id, properties: { 'dc:title': title }, isUserChange: true }, [])

  describe(`${name}: queries of the repository`, () => {
    test('a transaction finds what it has written, and nobody else does before its commit', async () => {
      const folder = await tree.folder()
      const record = recordOf(folder, { properties: { 'dc:title': 'before' } })
      await backend.transaction(SYSTEM, async ({ stores }) => {
        await stores.documents.insert(record, [], folder)
        expect(await titled(stores, folder.id, 'before')).toEqual([record.id])
        await retitle(stores, record.id, 'after')
        expect(await titled(stores, folder.id, 'before')).toEqual([])
        expect(await titled(stores, folder.id, 'after')).toEqual([record.id])
        expect(await titled(backend.reading(SYSTEM), folder.id, 'after')).toEqual([])
      })
      expect(await titled(backend.reading(SYSTEM), folder.id, 'after')).toEqual([record.id])
    })

    test('a savepoint finds what it has written, and what it undid is not found', async () => {
      const folder = await tree.folder()
      const { id } = await tree.create(folder, { properties: { 'dc:title': 'kept' } })
      await backend.transaction(SYSTEM, async (scopeOfAll) => {
        const undone = scopeOfAll.attempt(async ({ stores }) => {
          await retitle(stores, id, 'undone')
          expect(await titled(stores, folder.id, 'undone')).toEqual([id])
          throw new Error('undo')
        })
        await expect(undone).rejects.toThrow('undo')
        expect(await titled(scopeOfAll.stores, folder.id, 'undone')).toEqual([])
        expect(await titled(scopeOfAll.stores, folder.id, 'kept')).toEqual([id])
      })
    })

    test('an ACL decides from its transaction on', async () => {
      const folder = await tree.folder({ type: 'Workspace' })
      const ann = { ...scope, principal: principalOf('ann', [], false) }
      const query = parseNxql(`SELECT * FROM Workspace WHERE ecm:uuid = '${folder.id}'`)
      await backend.transaction(SYSTEM, async ({ stores }) => {
        expect(await stores.queries.ids(query, ann, 1)).toEqual([])
        const aces = [{ username: 'ann', permission: 'Read', granted: true }]
        await stores.acls.setLocal(folder, [{ name: 'local', aces }])
        expect(await stores.queries.ids(query, ann, 1)).toEqual([folder.id])
      })
    })
  })
}
