import { afterAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createDocument, queryAndFetch } from '../../../core/content/documents/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { createDatabase } from '../../../storage/postgres/index.js'
import { compileNxql } from '../../../storage/postgres/nxql/index.js'
import { soon } from '../../support/soon.js'
import { createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)

const NAME = 'impatient'
const impatient = createDatabase({
  url: platform.settings.databaseUrl,
  poolSize: 1,
  statementTimeout: 1_000,
  applicationName: NAME,
})
afterAll(() => impatient.close())

/** The text whose matching takes longest, for the patterns below. */
const LONG = 'a'.repeat(5_000_000)

await platform.withSession(SYSTEM, async (session) => {
  for (const name of ['one', 'two', 'three'])
    await createDocument(session, { parent: '/', name, type: 'Note', properties: { 'note:note': LONG } })
  const properties = { 'dc:title': `100%_of ${'x'.repeat(200)} end` }
  await createDocument(session, { parent: '/', name: 'short', type: 'File', properties })
})

const count = (nxql: string) => {
  const { model } = platform.snapshot()
  const { text, parameters } = compileNxql(parseNxql(nxql), {
    model,
    principal: SYSTEM,
    now: new Date(),
  }).count()
  return impatient.sql.unsafe<{ count: string }[]>(text, parameters as never[])
}

const each = (condition: (n: number) => string, count = 1_000): string =>
  Array.from({ length: count }, (_, n) => condition(n)).join(' OR ')

test.each([
  ['many patterns', each((n) => `note:note LIKE '%b${n}%'`)],
  ['many patterns of any case', each((n) => `note:note ILIKE '%b${n}%'`)],
  ['many comparisons, each of which reads the note', each((n) => `dc:title < '${n}'`)],
  ['many in groups', each((n) => `(dc:title < '${n}' AND dc:description LIKE '${n}')`, 500)],
  [
    'one condition of products inside of a sum',
    `${Array.from({ length: 30 }, () => `uid:major_version${' * uid:major_version'.repeat(29)}`).join(' + ')} > 1`,
  ],
  ['long patterns, one after another', each((n) => `note:note LIKE '%${'a'.repeat(90)}b${n}%'`)],
])('%s over notes of 5 MB end at the time limit, and their backend is free', async (_, where) => {
  const began = Date.now()
  await expect(count(`SELECT * FROM Note WHERE ${where}`)).rejects.toMatchObject({ code: '57014' })
  // Without, one row alone took minutes.
  expect(Date.now() - began).toBeLessThan(30_000)
  await soon(async () => {
    const busy = await platform.database.sql`
      SELECT pid FROM pg_stat_activity WHERE application_name = ${NAME} AND state = 'active'`
    expect(busy).toEqual([])
  })
})

test('a pattern that is too long for a text is refused by both lengths', async () => {
  const query = encodeURIComponent(`SELECT * FROM Note WHERE note:note LIKE '%${'a'.repeat(3_000)}b%'`)
  const { status, json } = await call('GET', `/api/v1/query?query=${query}`)
  expect({ status, message: json.message }).toEqual({
    status: 400,
    message:
      'NXQL: a LIKE pattern of 3003 bytes takes texts of at most 178778 bytes, and one of 5000000 bytes is among the documents',
  })
})

const select = (columns: readonly string[]) =>
  queryAndFetch(platform.readSession(SYSTEM), `SELECT ${columns.join(', ')} FROM Note`, { pageSize: 10 })

test('a property of 5 MB that is selected a hundred times is read and answered once', async () => {
  const { entries } = await select(Array.from({ length: 100 }, () => 'note:note'))
  expect(entries.map((row) => [Object.keys(row), String(row['note:note']).length])).toEqual(
    Array(3).fill([['note:note'], LONG.length]),
  )
})

test('under many names it is refused by what the answer would weigh', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `/*+ES: INDEX(f${n}) */ note:note`)
  const message = expect.stringContaining('ask for a smaller page')
  await expect(select(names)).rejects.toMatchObject({ code: 'tooLarge', message })
})

test.each([
  ['LIKE', `100\\\\%\\\\_of ${'x'.repeat(199)}_ %`, 1],
  ['LIKE', `100\\\\%\\\\_of ${'X'.repeat(199)}_ %`, 0],
  ['ILIKE', `100\\\\%\\\\_OF ${'X'.repeat(199)}_ %`, 1],
  ['LIKE', `100\\\\%\\\\_of ${'x'.repeat(200)}%END`, 0],
])('within the limits a long pattern of %s matches as short ones do', async (operator, pattern, found) => {
  const [positive] = await count(`SELECT * FROM File WHERE dc:title ${operator} '${pattern}'`)
  const [negative] = await count(`SELECT * FROM File WHERE dc:title NOT ${operator} '${pattern}'`)
  expect([Number(positive?.count), Number(negative?.count)]).toEqual([found, 1 - found])
})
