import { expect, test } from 'vitest'
import { parseNxql } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { giveTurn } from '../../platform/limits/index.js'
import { computedSince } from '../../platform/sandbox/expressions/evaluation/computed.js'
import { highlighted } from './highlight.js'

const inTitle = async (title: unknown, where: string, field = 'dc:title.fulltext') => {
  const document = { properties: { 'dc:title': title } } as unknown as DocumentRecord
  const [found] = await highlighted(parseNxql(`SELECT * FROM Document WHERE ${where}`), [document], [field])
  return found
}

test.each<[string, string, string]>([
  ['Crème brûlée', "ecm:fulltext = 'creme'", '<em>Crème</em> brûlée'],
  ['die Straße', "ecm:fulltext = 'strasse'", 'die <em>Straße</em>'],
  ['one two three', "ecm:fulltext = 'one three'", '<em>one</em> two <em>three</em>'],
  ['one two three', 'ecm:fulltext = \'"two three" -one\'', 'one <em>two three</em>'],
  ['sugar cane', "ecm:fulltext LIKE 'sug%'", '<em>sugar</em> cane'],
  ['sugar cane', "ecm:fulltext_title = 'cane' AND dc:title <> 'x'", 'sugar <em>cane</em>'],
  [
    '<b>bold</b> & "more"',
    "ecm:fulltext = 'bold'",
    '&lt;b&gt;<em>bold</em>&lt;/b&gt; &amp; &quot;more&quot;',
  ],
  [
    `${'x '.repeat(60)}word${' y'.repeat(60)}`,
    "ecm:fulltext = 'word'",
    `${'x '.repeat(25)}<em>word</em>${' y'.repeat(25)}`,
  ],
])('%j with %s', async (title, where, segment) => {
  expect(await inTitle(title, where)).toEqual([{ field: 'dc:title.fulltext', segments: [segment] }])
})

test.each<[unknown, string, string]>([
  ['sugar', "ecm:fulltext = 'sug'", 'dc:title'],
  ['sugar', "NOT ecm:fulltext = 'sugar'", 'dc:title'],
  ['sugar', "dc:title = 'sugar'", 'dc:title'],
  ['sugar', "ecm:fulltext = 'sugar'", 'ecm:binarytext'],
  ['sugar', "ecm:fulltext = 'sugar'", 'constructor'],
  [null, "ecm:fulltext = 'sugar'", 'dc:title'],
  [{ a: 'sugar' }, "ecm:fulltext = 'sugar'", 'dc:title'],
])('%j with %s has nothing to show in this of %s', async (title, where, field) => {
  expect(await inTitle(title, where, field)).toEqual([])
})

test('places far from each other are parts of their own, of which there are few', async () => {
  const text = Array.from({ length: 9 }, () => `word${' filler'.repeat(20)}`).join(' ')
  const [highlight] = (await inTitle(['word', text], "ecm:fulltext = 'word'")) ?? []
  expect(highlight?.segments).toHaveLength(5)
  expect(highlight?.segments[0]).toBe('<em>word</em>')
})

test('a long text takes linear time', async () => {
  const start = process.cpuUsage()
  await inTitle('word '.repeat(200_000), 'ecm:fulltext = \'word other "a phrase"\'')
  expect(computedSince(start)).toBeLessThan(10_000)
})

test('a field that is named twice is shown once', async () => {
  const document = { properties: { 'dc:title': 'sugar' } } as unknown as DocumentRecord
  const query = parseNxql("SELECT * FROM Document WHERE ecm:fulltext = 'sugar'")
  expect(await highlighted(query, [document], ['dc:title', 'dc:title'])).toEqual([
    [{ field: 'dc:title', segments: ['<em>sugar</em>'] }],
  ])
})

test('of a page with very long texts the first are searched, while others have their turns', async () => {
  // The clock of turns may be that of another test.
  await giveTurn()
  const long = {
    properties: { 'dc:title': `sugar ${'abcdefghij '.repeat(20_000)}` },
  } as unknown as DocumentRecord
  const query = parseNxql("SELECT * FROM Document WHERE ecm:fulltext = 'sugar'")
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const found = await highlighted(query, Array(40).fill(long), ['dc:title'])
  clearInterval(timer)
  expect(found[0]).toHaveLength(1)
  expect(found.at(-1)).toEqual([])
  expect(turns).toBeGreaterThan(0)
})
