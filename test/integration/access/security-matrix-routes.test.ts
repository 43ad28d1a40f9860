import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { soon } from '../../support/soon.js'
import type { Answer, Call } from '../support/rest-client.js'
import {
  DOCUMENT_ROUTES,
  type Fixture,
  ROUTES,
  type Route,
  VERBS,
  type Verb,
} from '../support/security-routes.js'
import {
  API,
  AUTOMATION,
  createSecurityBench,
  expectUndisclosed,
  USERS,
} from '../support/security-support.js'

const { app, call, deploy, fresh, next, traces } = await createSecurityBench()

const require2xx = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}

let shared: Pick<Fixture, 'run' | 'conversion'>

beforeAll(async () => {
  require2xx(
    await call('PUT', `${API}/contributions/adapters/Plain`, {
      headers: { 'Content-Type': 'application/yaml' },
      body: 'type: File\nfields: {title: dc:title}\n',
    }),
  )
  const { uid } = await fresh()
  const run = require2xx(await call('POST', `${AUTOMATION}/retitle`, { json: { input: uid } }))
  const conversion = require2xx(
    await call('POST', `${API}/id/${uid}/@convert?type=text/html&async=true`, { json: {} }),
  ).json.conversionId
  await soon(async () => require2xx(await call('GET', `${API}/conversions/${conversion}/result`)))
  shared = { run: run.headers.get('Archivolt-Workflow-Id')!, conversion }
})

/** Whatever a route may be about, as far as it is; the rest costs nothing. */
const fixtureOf = async ({ registered, isFolder, isSavedSearch, at }: Route): Promise<Fixture> => {
  const wants = at.toString()
  const document = isSavedSearch
    ? await fresh('SavedSearch', { 'saved:pageProviderName': 'default_search' })
    : await fresh(isFolder ? 'Folder' : 'File')
  const [user, group, entry, chain] = [next('user'), next('group'), next('entry'), next('chain')]
  const remark = async (type: 'comment' | 'annotation') =>
    wants.includes('fixture')
      ? require2xx(
          await call('POST', `${API}/id/${document.uid}/@${type}`, {
            json: { 'entity-type': type, text: 'secret remark', xpath: 'file:content' },
          }),
        ).json
      : undefined
  if (/\/(user|group)\b/.test(registered)) {
    const properties = { username: user }
    require2xx(await call('POST', `${API}/user`, { json: { 'entity-type': 'user', id: user, properties } }))
    const names = { id: group, groupname: group, memberUsers: [user] }
    require2xx(await call('POST', `${API}/group`, { json: { 'entity-type': 'group', ...names } }))
  }
  if (registered.includes('/directory/'))
    require2xx(
      await call('POST', `${API}/directory/nature`, {
        json: {
          'entity-type': 'directoryEntry',
          directoryName: 'nature',
          properties: { id: entry, label: 'x' },
        },
      }),
    )
  if (registered.includes('/contributions/')) await deploy(chain, '- Log: {message: hello}\n')
  return {
    ...shared,
    document,
    comment: await remark('comment'),
    annotation: await remark('annotation'),
    user,
    group,
    entry,
    chain,
  }
}

/** What it began is done, so that nothing of it is found later. */
const ended = (answer: Answer, user: string): Promise<void> =>
  soon(async () => {
    const { pathname } = new URL(answer.headers.get('Location')!)
    expect((await call('GET', pathname, { user })).status).toBe(303)
  })

const lasting = new Map<Route, Promise<Fixture>>()

/** For requests that change nothing: made once. */
const lastingFixtureOf = (route: Route): Promise<Fixture> => {
  const known = lasting.get(route) ?? fixtureOf(route)
  lasting.set(route, known)
  return known
}

type Place = { name: string; route: Route; address: (fixture: Fixture) => string }

const PLACES: readonly Place[] = [
  ...DOCUMENT_ROUTES.flatMap((route) => {
    const name = route.at({ comment: { id: 'ID' }, annotation: { id: 'ID' } } as Fixture)
    return [
      {
        name: `/id${name}`,
        route,
        address: (fixture: Fixture) => `${API}/id/${fixture.document.uid}${route.at(fixture)}`,
      },
      {
        name: `/path${name}`,
        route,
        address: (fixture: Fixture) => `${API}/path${fixture.document.path}${route.at(fixture)}`,
      },
    ]
  }),
  ...ROUTES.map((route) => ({ name: route.registered, route, address: route.at })),
]

const wrong = (user: string): Call['headers'] => ({
  Authorization: `Basic ${Buffer.from(`${user}:wrong`).toString('base64')}`,
})

/** Without a name, or with one that is not proven. */
const NOBODIES: readonly (readonly [string, Call['headers']])[] = [
  ['nobody', {}],
  ['a wrong password', wrong('boss')],
  ['an unknown user', wrong('not-there')],
  ['no Basic credentials', { Authorization: 'Basic ====' }],
  ['a bearer', { Authorization: 'Bearer x' }],
]

const verbsOf = ({ serves }: Route): Verb[] => [
  ...(Object.keys(serves) as Verb[]),
  ...(serves.GET ? (['HEAD'] as const) : []),
]

const servedAs = ({ serves }: Route, verb: Verb) => serves[verb === 'HEAD' ? 'GET' : (verb as 'GET')]

/** Searches of the search engine: test/integration/search/passthrough.test.ts, which has one. */
const isPassthrough = (route: string): boolean => route.includes(' /site/es/')

test('every route of the app is in the table', () => {
  const known = new Set([
    ...ROUTES.map(({ registered }) => registered),
    `${API}/id`,
    `${API}/id/*`,
    `${API}/path`,
    `${API}/path/*`,
  ])
  const registered = [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))].filter(
    (route) => route !== 'ALL /*' && !isPassthrough(route),
  )
  expect(registered.filter((route) => !known.has(route.slice(route.indexOf(' ') + 1)))).toEqual([])
  const verbs = new Set(
    ROUTES.flatMap((route) =>
      [...verbsOf(route), ...(route.shadowed ?? [])].map((verb) => `${verb} ${route.registered}`),
    ),
  )
  expect(
    registered.filter((route) => !route.startsWith('ALL ') && !verbs.has(route)),
    'verbs that no row is about',
  ).toEqual([])
})

test('every adapter of documents is in the table', async () => {
  const sources = readdirSync('api', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`api/${file}`, 'utf8'))
  const words = new Set(
    sources.flatMap((source) => [...source.matchAll(/'([A-Za-z]\w*)'/g)].map(([, word]) => word!)),
  )
  const adapters: string[] = []
  for (const word of words) {
    // OPTIONS asks for no document, and is answered for what is registered alone.
    if ((await call('OPTIONS', `${API}/id/x/@${word}`)).status === 200) adapters.push(word)
  }
  const fixture = { comment: {}, annotation: {} } as Fixture
  const known = new Set(
    DOCUMENT_ROUTES.flatMap(({ at }) => [...at(fixture).matchAll(/\/@(\w+)/g)].map(([, name]) => name)),
  )
  expect(adapters.length).toBeGreaterThan(10)
  expect(adapters.filter((adapter) => !known.has(adapter))).toEqual([])
})

test.each(NOBODIES)('%s is nobody', async (_who, headers) => {
  for (const path of [
    `${API}/path/`,
    AUTOMATION,
    '/nxfile/default/x',
    `${API}/nothing`,
    '/json/cmis',
    '/site/es/_search',
  ])
    expect((await call('GET', path, { user: null, headers: headers! })).status).toBe(401)
})

describe.each(PLACES)('$name', ({ route, address }) => {
  test.each(verbsOf(route))('%s', async (verb) => {
    const { statuses, request } = servedAs(route, verb)!
    const found: number[] = []
    const isReading = verb === 'GET' || verb === 'HEAD'
    let fixture = await (isReading ? lastingFixtureOf : fixtureOf)(route)
    for (const user of USERS) {
      if (!isReading && found.at(-1)! < 400) fixture = await fixtureOf(route)
      const before = await traces()
      const answer = await call(verb, address(fixture), { ...request?.(fixture), user })
      found.push(answer.status)
      // Nobody here starts bulk commands.
      if (answer.status === 202 && !route.registered.includes('/bulk/')) await ended(answer, user)
      if (answer.status === 404 && user === 'stranger')
        expectUndisclosed({ ...answer, text: answer.text.replaceAll(fixture.document.path, '') })
      if (answer.status === 403)
        expect(answer.json?.message ?? '').toMatch(
          verb === 'HEAD' ? /^$/ : new RegExp(`'${user}'|administrators`),
        )
      if (answer.status >= 400 && answer.status !== 404 && verb !== 'HEAD')
        expect(answer.json['entity-type']).toBe('exception')
      if (answer.status >= 400) expect(await traces()).toEqual(before)
    }
    expect(found).toEqual([...statuses])
  })

  test('nobody', async () => {
    const fixture = await lastingFixtureOf(route)
    const before = await traces()
    const [first] = verbsOf(route)
    for (const verb of VERBS) {
      const request = verbsOf(route).includes(verb) ? servedAs(route, verb)?.request?.(fixture) : {}
      // Another name for each route: who guesses the password of one is made to wait.
      const nobodies: typeof NOBODIES = [
        ['nobody', {}],
        ...(verb === first ? [['a wrong password', wrong(next('guessed'))] as const] : []),
      ]
      for (const [who, headers] of nobodies) {
        const answer = await call(verb, address(fixture), {
          ...request,
          user: null,
          headers: { ...request?.headers, ...headers },
        })
        if (route.isPublic || verb === 'OPTIONS') continue
        expect([who, verb, answer.status]).toEqual([who, verb, 401])
        expect(answer.headers.get('WWW-Authenticate')).toBe('Basic realm="Nuxeo Automation"')
        if (verb !== 'HEAD') expect(answer.json['entity-type']).toBe('exception')
      }
    }
    expect(await traces()).toEqual(before)
  })

  test('other verbs', async () => {
    const fixture = await lastingFixtureOf(route)
    const verbs = verbsOf(route)
    const before = await traces()
    for (const verb of VERBS) {
      if (verbs.includes(verb) || route.shadowed?.includes(verb)) continue
      for (const user of USERS) {
        const answer = await call(verb, address(fixture), { user })
        expect([verb, user, answer.status]).toEqual([verb, user, verb === 'OPTIONS' ? 200 : 405])
        const allowed = answer.headers.get('Allow')?.split(', ') ?? []
        expect(allowed).toEqual(expect.arrayContaining([...verbs, 'OPTIONS']))
        if (!route.shadowed && !route.registered.endsWith('/*')) expect(allowed.length).toBe(verbs.length + 1)
      }
    }
    expect(await traces()).toEqual(before)
  })
})
