import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import type { ContentBackend } from '../content/index.js'
import { createTree } from '../content/tree.js'
import { CONTRACT_RULES } from '../rules/index.js'
import { NOW } from './asking.js'

const texts = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n + 1}`)

/** Rows of pairs of elements of two lists. */
export const describePairs = (backend: ContentBackend): void => {
  const tree = createTree(backend, { isIndexed: true })
  const scope = { model: CONTRACT_RULES.model, principal: SYSTEM, now: NOW }

  /** One document with more than a million pairs of elements, and one with four. */
  beforeAll(async () => {
    const lists: [string, number, number][] = [
      ['many', 1_001, 1_000],
      ['few', 2, 2],
    ]
    const folder = await tree.folder()
    for (const [name, subjects, people] of lists)
      await tree.create(folder, {
        name,
        properties: {
          'dc:subjects': texts('s', subjects),
          's:people': texts('p', people).map((person) => ({ name: person })),
        },
      })
    await backend.settled()
  })

  const rows = (select: string, name: string) =>
    backend
      .reading(SYSTEM)
      .search.records(parseNxql(`SELECT ${select} FROM File WHERE ecm:name = '${name}'`), scope, {
        limit: 10,
        offset: 0,
      })

  describe('pairs', () => {
    test.each([
      'dc:subjects/*, s:people/*/name',
      'dc:title, s:people/*1/name, dc:subjects/*2',
      'COUNT(dc:subjects/*), COUNT(s:people/*/name)',
    ])('that are too many are refused by the names of their lists: %s', async (select) => {
      const lists = select.split(', ').filter((name) => name !== 'dc:title')
      const answer = rows(select, 'many')
      await expect(answer).rejects.toMatchObject({
        code: 'badRequest',
        message: expect.stringMatching(/^NXQL: SELECT makes a row of each pair .* more than 1000000/),
      })
      for (const list of lists)
        await expect(answer).rejects.toMatchObject({ message: expect.stringContaining(list) })
    })

    test('that are few are listed, and each list by itself', async () => {
      const { entries } = await rows('dc:subjects/*, s:people/*/name', 'few')
      expect(entries.map((row) => Object.values(row).join())).toEqual(['s1,p1', 's1,p2', 's2,p1', 's2,p2'])
      expect(await rows('dc:subjects/*', 'many')).toMatchObject({ total: 1_001 })
    })
  })
}
