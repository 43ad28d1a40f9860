import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Call } from '../support/rest-client.js'
import {
  API,
  AUTOMATION,
  CLOSED,
  createSecurityBench,
  grant,
  NOBODY_ELSE,
  OPEN,
  type User,
  WORKSPACES,
} from '../support/security-support.js'

const { call, make, platform, protect } = await createSecurityBench()

const WORD = 'quizzaciously'
const MIXED = `${WORKSPACES}/mixed`
/** As many as the stranger may browse in the mixed folder. */
const VISIBLE = 3

/** Documents that differ from those that the stranger sees in their rights alone. */
const add = async (parent: string, name: string): Promise<void> => {
  const { uid } = await make(parent, name, 'File', {
    'dc:title': `${WORD} ${name}`,
    'dc:nature': 'article',
    'dc:subjects': ['art/architecture', `art/${name}`],
    'dc:source': 'mixed',
  })
  const answer = await call('POST', `${AUTOMATION}/Services.TagDocument`, {
    json: { input: uid, params: { tags: `tag-${name}-${WORD}` } },
  })
  if (answer.status !== 200) throw new Error(answer.text)
}

const hide = async (name: string): Promise<void> => {
  await add(MIXED, name)
  await protect(`${MIXED}/${name}`, [grant('reader', 'Read'), NOBODY_ELSE])
}

const nxql = (where: string): string => `SELECT * FROM Document WHERE ${where}`
const search = (query: string, more = ''): [string, string, Call] => [
  'GET',
  `${API}/search/execute?query=${encodeURIComponent(query)}${more}`,
  {},
]
const operation = (id: string, params: object, input?: string): [string, string, Call] => [
  'POST',
  `${AUTOMATION}/${id}`,
  { json: { ...(input !== undefined && { input }), params } },
]
const rows = (query: string) => operation('Repository.ResultSetQuery', { query })

const CONDITIONS = [
  `ecm:path STARTSWITH '${MIXED}'`,
  `ecm:fulltext = '${WORD}'`,
  "ecm:fulltext.dc:title = 'hidden1'",
  "dc:source = 'mixed'",
  "dc:source = 'mixed' AND dc:title LIKE '%hidden%'",
  "NOT (dc:source <> 'mixed') AND NOT dc:source IS NULL",
  `ecm:tag = 'tag-hidden1-${WORD}'`,
  `ecm:tag LIKE '%${WORD}'`,
  "dc:subjects/* = 'art/architecture'",
  "ecm:name = 'hidden1'",
  `ecm:path = '${MIXED}/hidden1'`,
  "ecm:acl/*1/principal = 'reader'",
  "dc:source = 'mixed' OR ecm:name = 'hidden1'",
]

/** Every way to find something, and what else is answered with what is found: counts, sums, aggregates, suggestions. */
const WAYS: readonly [string, string, Call][] = [
  ...CONDITIONS.map((where) => search(nxql(where))),
  ...CONDITIONS.slice(0, 3).map((where) => search(nxql(where), '&pageSize=1&currentPageIndex=1')),
  search(`${nxql("dc:source = 'mixed'")} ORDER BY dc:title DESC`, '&pageSize=2'),
  search(`SELECT DISTINCT dc:nature FROM Document WHERE dc:source = 'mixed'`),
  ['GET', `${API}/query?query=${encodeURIComponent(nxql("dc:source = 'mixed'"))}&maxResults=2`, {}],
  rows("SELECT COUNT(ecm:uuid), MIN(dc:title), MAX(dc:title) FROM Document WHERE dc:source = 'mixed'"),
  rows("SELECT dc:title FROM Document WHERE dc:source = 'mixed' ORDER BY dc:title"),
  rows("SELECT DISTINCT dc:subjects/* FROM Document WHERE dc:source = 'mixed'"),
  operation('Repository.Query', { query: nxql("dc:source = 'mixed'") }),
  operation('Repository.PageProvider', { query: nxql("dc:source = 'mixed'"), pageSize: 1 }),
  operation('Repository.ResultSetPageProvider', {
    query: "SELECT COUNT(ecm:uuid), MAX(dc:title) FROM Document WHERE dc:source = 'mixed'",
  }),
  operation('Repository.PageProvider', {
    providerName: 'default_search',
    namedParameters: { ecm_fulltext: WORD },
  }),
  ['GET', `${API}/search/pp/default_search/execute?ecm_fulltext=${WORD}`, {}],
  ['GET', `${API}/search/pp/default_search/execute?ecm_path=${encodeURIComponent(`["${MIXED}"]`)}`, {}],
  ['GET', `${API}/path${MIXED}/@children`, {}],
  ['GET', `${API}/path${MIXED}/@children?pageSize=1`, {}],
  ['GET', `${API}/path${MIXED}/@search?fullText=${WORD}`, {}],
  ['GET', `${API}/path${MIXED}/@search?query=${encodeURIComponent(nxql("dc:source = 'mixed'"))}`, {}],
  ['GET', `${API}/path${MIXED}/@pp/document_content`, {}],
  ['GET', `${API}/path${MIXED}?enrichers-document=children,hasContent,hasFolderishChild,breadcrumb`, {}],
  operation('Document.GetChildren', {}, `doc:${MIXED}`),
  operation('Tag.Suggestion', { searchTerm: 'tag' }),
  operation('Search.SuggestersLauncher', { searchTerm: WORD }),
  operation('Collection.Suggestion', { searchTerm: 'collected' }),
  operation('User.GetCollections', { searchTerm: 'collected' }),
]

/** Ranges of dates end now, or a day, a week, a month ago. */
const timeless = ({ text }: Answer): string =>
  text.replace(/"(from|to|fromAsDate|toAsDate)":("[^"]*"|\d+)/g, '"$1":0')

const ask = async (user: User): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const [method, path, request] of WAYS) answers.push(await call(method, path, { ...request, user }))
  return answers
}

beforeAll(async () => {
  await make(WORKSPACES, 'mixed', 'Folder')
  await protect(MIXED, [grant('Everyone', 'Read'), NOBODY_ELSE])
  for (let count = 0; count < VISIBLE; count++) await add(MIXED, `visible${count}`)
})

describe('what is hidden', () => {
  test('changes no answer to who may not see it, and answers to who may', async () => {
    const before = await ask('stranger')
    expect(before.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    const seen = await ask('reader')
    for (let count = 0; count < VISIBLE; count++) await hide(`hidden${count}`)
    await make(CLOSED, 'collected', 'Collection', { 'dc:title': 'collected' })
    const after = await ask('stranger')
    WAYS.forEach(([, path, { json }], way) => {
      const what = `${path} ${JSON.stringify(json)}`
      expect([what, timeless(after[way]!)]).toEqual([what, timeless(before[way]!)])
    })
    const changed = (await ask('reader')).map((answer, way) => timeless(answer) !== timeless(seen[way]!))
    // The words and places of the hidden ones are found where they are allowed to.
    const blind = WAYS.filter((_, way) => !changed[way]).map(
      ([, path, { json }]) => `${path} ${JSON.stringify(json)}`,
    )
    expect(blind).toEqual([])
  })

  test('is found by nobody whose right has run out', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    await add(MIXED, 'timed')
    await protect(`${MIXED}/timed`, [grant('stranger', 'Read', { end: yesterday }), NOBODY_ELSE])
    const answer = await call(...(search(nxql("ecm:name = 'timed'")).slice(0, 2) as [string, string]), {
      user: 'stranger',
    })
    expect(answer.json).toMatchObject({ resultsCount: 0, entries: [] })
  })

  test('is not revealed by the plan of a query', async () => {
    const [method, path] = search(nxql("dc:source = 'mixed'"), '&explain=true')
    for (const user of ['stranger', 'reader', 'boss'] as const)
      expect((await call(method, path, { user })).status).toBe(403)
  })

  test('is in the database all the while', async () => {
    const [row] = await platform.database.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM documents WHERE path LIKE ${`${MIXED}/hidden%`}`
    expect(row?.count).toBe(VISIBLE)
  })
})

test('a query finds what the caller may read, whatever it asks', async () => {
  const query = async (user: User, where: string) =>
    call('POST', `${AUTOMATION}/Repository.Query`, { user, json: { params: { query: nxql(where) } } })
  await make(CLOSED, 'asked-for')
  await make(OPEN, 'asked-for')
  for (const where of [
    `ecm:path STARTSWITH '${CLOSED}'`,
    "dc:title = 'secret title'",
    "dc:title = 'x' OR dc:title <> 'x' OR dc:title IS NULL",
  ]) {
    expect((await query('Administrator', where)).json.resultsCount).toBeGreaterThan(0)
    expect((await query('reader', where)).json.resultsCount).toBeGreaterThan(0)
    expect((await query('stranger', where)).text).not.toMatch(/workspaces\/closed/)
  }
})
