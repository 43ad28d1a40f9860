import { type Principal, principalOf } from '../../core/access/security/index.js'
import { parseNxql } from '../../core/model/nxql/index.js'
import { startBuilt } from '../harness/child.js'
import { AUTHORIZATION, call } from '../harness/client.js'
import { generate } from '../harness/generate.js'
import { alternate, median } from '../harness/rounds.js'
import type { Figure } from '../harness/types.js'
import { groupName } from '../repository/population.js'
import type { Searched } from './open.js'
import { engineTime, serverTime } from './processor-time.js'

const CALLERS = 8
const PAGE_SIZE = 20

const QUERIES = {
  words: "SELECT * FROM Document WHERE ecm:fulltext = 'word5' AND ecm:isVersion = 0",
  'subtree by type': "SELECT * FROM File WHERE ecm:path STARTSWITH '/bench/department-1' ORDER BY dc:title",
}

const READER = { username: 'bench-searcher', password: 'quiet-harbour-47-lamps' }
const GROUPS = Array.from({ length: 5 }, (_, index) => groupName(index))
const ADMINISTRATOR = principalOf('Administrator', ['administrators'], true)

/** A member of five groups, as most users of the generated repository are of some. */
const addReader = async (apiUrl: string): Promise<void> => {
  const properties = { ...READER, groups: GROUPS }
  const body = JSON.stringify({ 'entity-type': 'user', id: READER.username, properties })
  await call('POST', `${apiUrl}/api/v1/user`, { body })
}

/** The search that the product sends for a query. @throws Error where the database would answer. */
const bodyOf = async ({ platform }: Searched, query: string, principal: Principal) => {
  const { stores, model, now } = platform.readSession(principal)
  const explained = await stores.search.explain(parseNxql(query), { model, principal, now }, PAGE_SIZE)
  if (explained.backend !== 'index') throw new Error(`The database answers ${query}: ${explained.reason}`)
  return explained as { index: string; body: object }
}

/** A handler that writes the same documents, but knows nothing of rights, models and headers. */
const startFloor = async ({ platform, engineUrl, atEnd }: Searched): Promise<string> => {
  const { model } = platform.snapshot()
  const schemas = [...model.types.keys()].map((type) => {
    const all = model.schemasOf(type, []).map(({ name, prefix }) => ({ name, prefix }))
    return [type, all] as const
  })
  const floor = await startBuilt('floors/search.ts', [engineUrl, JSON.stringify(Object.fromEntries(schemas))])
  atEnd(floor.stop)
  return floor.ready
}

/**
 * Searches over HTTP against a bare handler that makes the same search and writes the same documents, and against
 * Elasticsearch alone; those of a user against an administrator's.
 */
export const measureSearches = async (
  searched: Searched,
  { apiUrl, isQuick }: { apiUrl: string; isQuick: boolean },
): Promise<Figure[]> => {
  const { client, engineUrl } = searched
  await addReader(apiUrl)
  const floorUrl = await startFloor(searched)
  const seconds = isQuick ? 1 : 4
  const rounds = isQuick ? 1 : 3
  const json = { 'content-type': 'application/json' }
  const reader = `Basic ${Buffer.from(`${READER.username}:${READER.password}`).toString('base64')}`
  const user = principalOf(READER.username, GROUPS, false)

  const throughApi = (query: string, authorization: string) => {
    const parameters = new URLSearchParams({ backend: 'index', pageSize: String(PAGE_SIZE), query })
    const urls = [`${apiUrl}/api/v1/search/execute?${parameters}`]
    return generate({ method: 'GET', urls, callers: CALLERS, seconds, headers: { authorization } })
  }
  const sending = (url: string, body: object) =>
    generate({
      method: 'POST',
      urls: [url],
      callers: CALLERS,
      seconds,
      headers: json,
      body: JSON.stringify(body),
    })
  const bare = ({ index, body }: { index: string; body: object }) =>
    sending(`${engineUrl}/${index}/_search`, body)
  const handled = ({ index, body }: { index: string; body: object }) =>
    sending(`${floorUrl}/search/${index}`, body)
  const figures: Figure[] = []
  const beside = async (
    name: string,
    goal: Figure['goal'],
    sends: { ours: () => Promise<number>; floor: () => Promise<number> },
  ): Promise<void> => {
    const spent: { ours: number[]; floor: number[] } = { ours: [], floor: [] }
    /** Milliseconds of a search, with all callers busy; of the processor beside it, API and Elasticsearch. */
    const cost = (who: keyof typeof spent) => async () => {
      const used = async () =>
        (await engineTime(client)) + (await serverTime(apiUrl)) + (await serverTime(floorUrl))
      const before = await used()
      const rate = await sends[who]()
      spent[who].push(((await used()) - before) / (rate * seconds))
      return 1_000 / rate
    }
    const costs = await alternate(rounds, { ours: cost('ours'), floor: cost('floor') })
    const time = { ours: median(spent.ours), floor: median(spent.floor) }
    figures.push(
      { name, unit: 'ms', ...costs, goal },
      { name: `${name}, processor time`, unit: 'ms', ...time },
    )
  }

  for (const [name, query] of Object.entries(QUERIES)) {
    const all = await bodyOf(searched, query, ADMINISTRATOR)
    const own = await bodyOf(searched, query, user)
    await beside(
      `search, ${name}, beside a bare handler`,
      { most: 1.25 },
      {
        ours: () => throughApi(query, AUTHORIZATION),
        floor: () => handled(all),
      },
    )
    await beside(`search, ${name}, beside Elasticsearch alone`, undefined, {
      ours: () => throughApi(query, AUTHORIZATION),
      floor: () => bare(all),
    })
    await beside(
      `search of a user, ${name}, beside an administrator's`,
      { most: 1.2 },
      {
        ours: () => throughApi(query, reader),
        floor: () => throughApi(query, AUTHORIZATION),
      },
    )
    await beside(
      `security filter in Elasticsearch, ${name}`,
      { most: 1.2 },
      {
        ours: () => bare(own),
        floor: () => bare(all),
      },
    )
  }
  return figures
}
