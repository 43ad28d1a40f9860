import { beforeAll, describe, expect, test } from 'vitest'
import { EVERYONE, EVERYTHING, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { parseNxql, parseReference } from '../../../core/model/nxql/index.js'
import type { ContentBackend } from '../content/index.js'
import { createTree, eventOf } from '../content/tree.js'
import { CONTRACT_RULES } from '../rules/index.js'

const read = (username: string) => ({ username, permission: 'Read', granted: true })
const BLOCK = { username: EVERYONE, permission: EVERYTHING, granted: false }

/** That queries of every kind find what their principal may browse, and nothing else. */
export const describeReadSecurity = (backend: ContentBackend): void => {
  const tree = createTree(backend, { isIndexed: true })
  const ann = principalOf('ann', ['staff'], false)
  const bob = principalOf('bob', ['staff'], false)
  const eve = principalOf('eve', [], false)
  const scopeOf = (principal: typeof ann) => ({ model: CONTRACT_RULES.model, principal, now: new Date() })

  /** What everybody may read, what `staff` may, what `staff` but Bob may, and what nobody may. */
  const FOLDERS = {
    open: [read(EVERYONE)],
    staff: [read('staff'), BLOCK],
    notbob: [{ ...read('bob'), granted: false }, read('staff'), BLOCK],
    closed: [BLOCK],
  }

  beforeAll(async () => {
    for (const [name, aces] of Object.entries(FOLDERS)) {
      const folder = await tree.folder({ name, type: 'Workspace' })
      await tree.within(async (stores) => {
        await stores.acls.setLocal(folder, [{ name: 'local', aces }])
        await stores.outbox.emit([eventOf('documentSecurityUpdated', folder)])
      })
      await tree.create((await tree.read(folder))!, { name: `${name}-file`, properties: { 's:size': 1 } })
    }
    await backend.settled()
  })

  describe('read security', () => {
    test.each([
      [ann, ['notbob', 'open', 'staff']],
      [bob, ['open', 'staff']],
      [eve, ['open']],
      [SYSTEM, ['closed', 'notbob', 'open', 'staff']],
    ])('$name finds what they may browse, however it is asked', async (principal, expected) => {
      const { search } = backend.reading(principal)
      const scope = scopeOf(principal)
      const folders = parseNxql('SELECT * FROM Workspace ORDER BY ecm:name')
      const page = { limit: 100, offset: 0 }
      const found = await search.query(folders, scope, page)
      expect(found.entries.map(({ name }) => name)).toEqual(expected)
      expect(found.total).toBe(expected.length)
      expect((await search.query(folders, scope, { limit: 1, offset: 0 })).total).toBe(expected.length)
      expect(await search.ids(folders, scope, 100)).toHaveLength(expected.length)
      const counted = parseNxql('SELECT COUNT(ecm:uuid) FROM File WHERE s:size = 1')
      expect((await search.records(counted, scope, page)).entries).toEqual([
        { 'COUNT(ecm:uuid)': expected.length },
      ])
      const groups = await search.aggregate(parseNxql('SELECT * FROM Workspace'), scope, {
        reference: parseReference('ecm:name')!,
        grouping: { kind: 'terms', size: 10, minCount: 1, order: { by: 'term', isAscending: true } },
      })
      expect(groups.map(({ key }) => key)).toEqual(expected)
    })

    test('documents that are asked for by their ids, or as children, are no exception', async () => {
      const { search, documents } = backend.reading(SYSTEM)
      const [staff, closed] = [(await documents.get('/staff'))!, (await documents.get('/closed'))!]
      const found = (where: string, principal: typeof ann) =>
        search.ids(parseNxql(`SELECT * FROM Document WHERE ${where}`), scopeOf(principal), 10)
      expect(await found(`ecm:uuid IN ('${staff.id}', '${closed.id}')`, ann)).toEqual([staff.id])
      expect(await found(`ecm:uuid = '${staff.id}'`, eve)).toEqual([])
      expect(await found(`ecm:parentId = '${staff.id}'`, bob)).toHaveLength(1)
      expect(await found(`ecm:parentId = '${staff.id}'`, eve)).toEqual([])
    })

    test.each([
      "ecm:name = 'staff' OR ecm:name <> 'staff'",
      "NOT (ecm:name = 'open')",
      "ecm:name = 'x' OR NOT ecm:name = 'x'",
    ])('no condition opens more: %s', async (where) => {
      const query = parseNxql(`SELECT * FROM Document WHERE ${where}`)
      const { entries } = await backend
        .reading(eve)
        .search.query(query, scopeOf(eve), { limit: 100, offset: 0 })
      expect(entries.map(({ name }) => name)).toContain('open-file')
      expect(entries.filter(({ path }) => !path?.startsWith('/open'))).toEqual([])
    })
  })
}
