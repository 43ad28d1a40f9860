import { beforeAll, expect, test } from 'vitest'
import { createDocument, queryAndFetch } from '../../../core/content/documents/index.js'
import { createTestPlatform } from '../../support/platform.js'
import { ADMINISTRATOR } from '../support/operations-support.js'

const { platform } = await createTestPlatform()

/** One file with more than a million pairs of elements, and one with four. */
beforeAll(async () => {
  const lists: [string, number, number][] = [
    ['many', 1_001, 1_000],
    ['few', 2, 2],
  ]
  for (const [name, subjects, contributors] of lists) {
    await platform.withSession(ADMINISTRATOR, (session) =>
      createDocument(session, { parent: '/', name, type: 'File' }),
    )
    await platform.database.sql`
      UPDATE documents SET properties = properties || jsonb_build_object(
        'dc:subjects', (SELECT jsonb_agg('s' || n) FROM generate_series(1, ${subjects}::int) AS n),
        'dc:contributors', (SELECT jsonb_agg('c' || n) FROM generate_series(1, ${contributors}::int) AS n))
      WHERE path = ${`/${name}`}`
  }
})

const rows = (select: string, name: string) =>
  queryAndFetch(
    platform.readSession(ADMINISTRATOR),
    `SELECT ${select} FROM File WHERE ecm:name = '${name}'`,
    { pageSize: 10 },
  )

test.each([
  'dc:subjects/*, dc:contributors/*',
  'dc:title, dc:contributors/*1, dc:subjects/*2',
  'COUNT(dc:subjects/*), COUNT(dc:contributors/*)',
])('too many pairs are refused by the names of their lists: %s', async (select) => {
  const lists = select.split(', ').filter((name) => name !== 'dc:title')
  const answer = rows(select, 'many')
  await expect(answer).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringMatching(/^NXQL: SELECT makes a row of each pair .* more than 1000000/),
  })
  for (const list of lists)
    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining(list) })
})

test('a few pairs are reported, and each list by itself', async () => {
  const { entries } = await rows('dc:subjects/*, dc:contributors/*', 'few')
  expect(entries.map((row) => Object.values(row).join())).toEqual(['s1,c1', 's1,c2', 's2,c1', 's2,c2'])
  expect(await rows('dc:subjects/*', 'many')).toMatchObject({ resultsCount: 1_001 })
})
