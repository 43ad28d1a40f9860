import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { createDocument } from '../../../../core/content/documents/index.js'
import { ADMINISTRATOR } from '../../support/operations-support.js'
import { createClient } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const platform = await createTestPlatform({ TEMPORAL_ADDRESS: inject('temporalAddress') })
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const { sql } = platform.database

const DOCUMENTS = 250
const CHARACTERS = 600_000

await platform.withSession(ADMINISTRATOR, async (session) => {
  await createDocument(session, { parent: '/', type: 'Folder', name: 'large', properties: {} })
  for (let index = 0; index < DOCUMENTS; index++)
    await createDocument(session, { parent: '/large', type: 'File', name: `f${index}`, properties: {} })
})
const QUERY = encodeURIComponent("SELECT * FROM File WHERE ecm:path STARTSWITH '/large'")
const SELECTED = encodeURIComponent("SELECT dc:source FROM File WHERE ecm:path STARTSWITH '/large'")
const automation = (id: string, json: object) => call('POST', `/api/v1/automation/${id}`, { json })
const ids = (await sql<{ id: string }[]>`SELECT id FROM documents WHERE path LIKE '/large/%'`).map(
  ({ id }) => id,
)

test('what fits is answered whole and in order', async () => {
  const query = `${QUERY}${encodeURIComponent(' ORDER BY ecm:name')}`
  const { status, json } = await call('GET', `/api/v1/query?query=${query}&pageSize=1000`)
  expect(status).toBe(200)
  const names = json.entries.map(({ path }: { path: string }) => path.slice('/large/'.length))
  expect(names).toEqual(Array.from({ length: DOCUMENTS }, (_, index) => `f${index}`).sort())
  const named = await automation('Log', { params: { message: 'x' }, input: `docs:${ids.join(',')}` })
  expect(named.json.entries.map(({ uid }: { uid: string }) => uid)).toEqual(ids)
})

const enlarge = () =>
  sql`
  UPDATE documents SET properties = properties || jsonb_build_object('dc:source', repeat('x', ${CHARACTERS}::int))
  WHERE path LIKE '/large/%'`

describe('a list of 150 megabytes', () => {
  beforeAll(async () => {
    await enlarge()
  })

  test.each([
    ['a page of a query', () => call('GET', `/api/v1/query?query=${QUERY}&pageSize=1000`)],
    ['a page of children', () => call('GET', '/api/v1/path/large/@children?pageSize=1000')],
    ['children as an operation', () => automation('Document.GetChildren', { input: '/large' })],
    [
      'the enricher of children',
      () => call('GET', '/api/v1/path/large', { headers: { 'enrichers-document': 'children' } }),
    ],
    [
      'a list that is named',
      () => automation('Log', { params: { message: 'x' }, input: `docs:${ids.join(',')}` }),
    ],
    [
      'rows of a query',
      () =>
        automation('Repository.ResultSetQuery', {
          params: { query: decodeURIComponent(SELECTED), pageSize: 1000 },
        }),
    ],
  ])('%s is refused before it is in memory', async (_, ask) => {
    const { status, json } = await ask()
    expect([status, json?.message]).toEqual([413, expect.stringContaining('ask for a smaller page')])
  })
})
