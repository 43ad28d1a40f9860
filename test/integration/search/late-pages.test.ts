import { beforeAll, expect, test } from 'vitest'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
const call = createClient(platform)
const WORKSPACES = '/api/v1/path/default-domain/workspaces'
const FOLDER = `${WORKSPACES}/late`
/** More than twice what is read from the first on. */
const FILES = 2_345

beforeAll(async () => {
  const json = { 'entity-type': 'document', name: 'late', type: 'Folder' }
  const { uid } = (await call('POST', WORKSPACES, { json })).json
  // Titles that several share, and none for some.
  await platform.database.sql`
    INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
    SELECT gen_random_uuid(), id, 'file-' || n, path || '/file-' || n, 'File', 'project', scope_id,
           CASE WHEN n % 7 = 0 THEN '{}'::jsonb ELSE jsonb_build_object('dc:title', 'title ' || n % 100) END
    FROM documents, generate_series(1, ${FILES}::int) n WHERE id = ${uid}`
  await addUser(platform, 'ann', ['members'])
})

const ids = (list: Entity): string[] => list.entries.map((entry: Entity) => entry.uid)

/** All ids by pages of which each is read from the first result on. */
const inOrder = async (query: string, user: string): Promise<string[]> => {
  const counted = `${FOLDER}/@children?pageSize=1000&maxResults=1&${query}`
  const pages = []
  for (let page = 0; page < 3; page++)
    pages.push(ids((await call('GET', `${counted}&currentPageIndex=${page}`, { user })).json))
  return pages.flat()
}

test.each([
  ['Administrator', ''],
  ['ann', ''],
  ['ann', 'sortBy=dc:title&sortOrder=desc'],
  ['ann', 'sortBy=dc:title,ecm:name&sortOrder=desc,asc'],
])('pages of what is counted whole are the same from both ends: %s %s', async (user, query) => {
  const all = await inOrder(query, user)
  expect(new Set(all).size).toBe(FILES)
  const pageAt = async (index: number, size: number) => {
    const address = `${FOLDER}/@children?pageSize=${size}&maxResults=0&currentPageIndex=${index}&${query}`
    const { json } = await call('GET', address, { user })
    return { count: json.resultsCount, ids: ids(json) }
  }
  for (const [index, size] of [
    [10, 100],
    [12, 100],
    [22, 100],
    [23, 100],
    [24, 100],
    [2, 1_000],
  ] as const)
    expect(await pageAt(index, size)).toEqual({
      count: FILES,
      ids: all.slice(index * size, (index + 1) * size),
    })
})
