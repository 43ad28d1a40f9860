import { expect, test } from 'vitest'
import { condition, ID, plan, rowPlan, SIZE } from './compile.fixture.js'

const Q = 'SELECT * FROM Document WHERE '

test('more numbered wildcards than multiply rows at a bearable cost', () => {
  const text = `${Q}${[1, 2, 3, 4, 5].map((n) => `s:people/*${n}/age > 1`).join(' AND ')}`
  const message = 'NXQL: more than 4 different numbered wildcards at offset 125'
  expect(() => plan(text)).toThrow(expect.objectContaining({ code: 'badRequest', message }))
})

const afterPlain = (last: string): string => {
  const plain = Array.from({ length: 50 }, (_, n) => `s:size > ${n}`)
  return condition([...plain, last].join(' AND '))[0]
    .split(' AND ')
    .slice(50)
    .join(' AND ')
}

test('behind fifty conditions each is a subquery, at which the database looks whether it is to end', () => {
  expect(afterPlain('s:size < 7')).toBe(`(SELECT ${SIZE} < $52::numeric)`)
  expect(afterPlain('dc:title IS NULL')).toBe("(SELECT (d.properties->>'dc:title') IS NULL)")
})

test('a condition that computes counts for each property that it reads', () => {
  const product = (count: number) => Array.from({ length: count }, () => 's:size').join(' * ')
  expect(afterPlain('s:size + s:size > 1')).toBe(
    `(SELECT ((SELECT ${SIZE}) + (SELECT ${SIZE})) > $52::numeric)`,
  )
  const [sql] = condition(`${product(40)} + ${product(40)} > 1`)
  expect(sql.split(`(SELECT ${SIZE})`)).toHaveLength(31)
})

test('what is selected twice is read once, and sorted by its column', () => {
  const { keys, rows } = rowPlan(
    'SELECT DISTINCT dc:title, /*+ES: INDEX(a) */ dc:title, ecm:name FROM Document ORDER BY ecm:name',
  )
  expect(keys.map(({ column }) => column)).toEqual(['c0', 'c0', 'c1'])
  const { text } = rows()
  expect(text).toContain("SELECT DISTINCT (d.properties->>'dc:title') AS c0, d.name AS c1 FROM")
  expect(text).toMatch(/ORDER BY 2, 1, 2$/)
})

test('behind 64 bytes of patterns a function compares, which refuses what would take too long', () => {
  const [sql] = condition(
    `dc:description LIKE '${'ä'.repeat(30)}' AND dc:description NOT ILIKE '%12%' AND dc:description LIKE '%1'`,
  )
  const DESCRIPTION = "(d.properties->>'dc:description')"
  expect(sql).toBe(
    `${DESCRIPTION} LIKE $2::text AND lower(${DESCRIPTION}) NOT LIKE lower($3::text) AND archivolt_like(${DESCRIPTION}, $4::text)`,
  )
})

test('more ancestors than a planner should be given', () => {
  const text = `${Q}${Array.from({ length: 101 }, () => `ecm:ancestorId = '${ID}'`).join(' OR ')}`
  expect(() => plan(text)).toThrow(/^NXQL: too many conditions on ecm:ancestorId at offset \d+$/)
})

test.each([
  "ecm:acl/*/principal = 'N'",
  "ecm:acl/*/end > TIMESTAMP '2030-01-01 00:00:00' AND dc:title = 'a'",
  "ecm:tag/* = 'N'",
  "files/*/file/name <> 'N'",
  "dc:subjects/* <> 'N'",
  "dc:subjects LIKE 'N'",
  'dc:subjects IS NULL',
  "ecm:blobKeys = 'N'",
  's:people/*/age + 1 > 2',
])('more conditions of elements than a planner has memory for: %s', (one) => {
  const times = (count: number) => `${Q}${Array.from({ length: count }, () => `(${one})`).join(' OR ')}`
  expect(() => plan(times(200))).not.toThrow()
  const message = /^NXQL: more than 200 conditions on elements of lists, tags or ACLs at offset \d+$/
  expect(() => plan(times(201))).toThrow(
    expect.objectContaining({ code: 'badRequest', message: expect.stringMatching(message) }),
  )
})

test('a list of values is one condition, and numbered wildcards have one subquery for all', () => {
  const names = Array.from({ length: 300 }, (_, n) => `'${n}'`).join(', ')
  expect(() => plan(`${Q}ecm:acl/*/principal IN (${names}) AND ecm:tag/* NOT IN (${names})`)).not.toThrow()
  const { text } = plan(
    `${Q}${Array.from({ length: 300 }, (_, n) => `ecm:acl/*1/principal = '${n}'`).join(' AND ')}`,
  ).count()
  expect(text.split('IN (SELECT a.')).toHaveLength(11)
})
