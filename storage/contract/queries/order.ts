import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { Asking } from './asking.js'
import { idOf } from './sample.js'

/** The order of what is found, and its pages. */
export const describeOrder = ({ backend, find, page }: Asking): void => {
  describe('order and pages', () => {
    test('texts, numbers and paths, both ways', async () => {
      expect(await find('SELECT * FROM Workspace ORDER BY dc:title DESC')).toEqual(['ws0', 'ws'])
      expect(await find('SELECT * FROM File WHERE s:size > 26 ORDER BY s:flag, s:size DESC')).toEqual([
        'n29',
        'n27',
        'n28',
      ])
      expect(await find("SELECT * FROM Document WHERE ecm:path STARTSWITH '/ws' ORDER BY ecm:path")).toEqual([
        'a',
        'c',
        'b',
      ])
      expect(await find(`SELECT * FROM File WHERE ecm:parentId = '${idOf('ws')}' ORDER BY ecm:pos`)).toEqual([
        'b',
        'a',
      ])
    })

    test('pages put together are the whole, without gap or overlap', async () => {
      const query = 'SELECT * FROM Document ORDER BY ecm:currentLifeCycleState'
      const { entries: whole } = await page(query, { limit: 1_000, offset: 0 })
      const pages = []
      for (let offset = 0; offset < whole.length; offset += 7)
        pages.push(...(await page(query, { limit: 7, offset })).entries)
      expect(pages).toEqual(whole)
      for (const [limit, offset] of [
        [7, 0],
        [7, whole.length - 3],
        [7, whole.length],
        [1_000, 0],
      ] as const)
        expect((await page(query, { limit, offset })).total).toBe(whole.length)
      expect((await page(query, { limit: 3, offset: 0, countAtMost: 5 })).total).toBe(6)
    })

    test('a row is a record', async () => {
      const found = await page("SELECT * FROM Document WHERE ecm:path = '/ws/a'", { limit: 1, offset: 0 })
      expect(found.entries[0]).toEqual(await backend.reading(SYSTEM).documents.get('/ws/a'))
      expect(found.entries[0]).toMatchObject({
        id: idOf('a'),
        path: '/ws/a',
        lockOwner: 'ann',
        properties: { 'dc:title': "It's" },
      })
    })

    test('ids are those of the first documents, behind the ones that the query passes over', async () => {
      const query = 'SELECT * FROM File WHERE s:size >= 0 ORDER BY s:size DESC'
      expect(await find(query, 2)).toEqual(['n29', 'n28'])
      expect(await find(`${query} LIMIT 5 OFFSET 3`, 2)).toEqual(['n26', 'n25'])
    })
  })
}
