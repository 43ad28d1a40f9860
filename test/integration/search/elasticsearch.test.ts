import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/app.js'
import { startServer } from '../../../api/server.js'
import { runCli } from '../../../cli/run-cli.js'
import { createTerminal } from '../../../cli/terminal/index.js'
import { createDocument, searchDocuments } from '../../../core/content/documents/index.js'
import type { MediaResult } from '../../../core/content/media/index.js'
import type { SubtreeTask } from '../../../core/content/stores/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import {
  bringSubtree,
  compareIndex,
  SUBTREE_START,
  type SubtreePosition,
} from '../../../core/search/indexing/index.js'
import { getPageProvider, runPageProvider } from '../../../core/search/page-providers/index.js'
import { createMediaMakings } from '../../../runtime/index.js'
import { createMediaTasks, readBacklog } from '../../../storage/postgres/index.js'
import { elasticsearchSettings } from '../../support/elasticsearch.js'
import { AGGREGATE_FIELDS, EVERY_AGGREGATE } from '../support/every-aggregate.js'
import { createIndexedBench } from '../support/indexed-bench.js'
import { ADMINISTRATOR, ANN, createOperationBench, input } from '../support/operations-support.js'
import { addUser, createClient } from '../support/rest-client.js'
import { ADMIN_PASSWORD } from '../support/rest-support.js'

const settings = await elasticsearchSettings()

describe.skipIf(!settings)('searches by Elasticsearch', async () => {
  if (!settings) return
  const bench = await createIndexedBench(settings)
  afterAll(bench.close)
  const { platform, run, search, isIndexed, follow, sides } = bench
  await follow()

  const liveIndex = async () => (await sides.feed.list()).find(({ state }) => state === 'live')!.name

  const filled = async () => {
    const { folder, file, note } = await bench.filledWorkspace()
    await follow()
    return { folder, file, note, below: `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}'` }
  }

  test.skipIf(process.env.ARCHIVOLT_TEST_ELASTICSEARCH_URL)(
    'the server that is started here answers nobody without a login',
    async () => {
      const { host } = new URL(settings.ELASTICSEARCH_URL)
      for (const path of ['', '_cat/indices', `${settings.ARCHIVOLT_ELASTICSEARCH_INDEX}*/_search`])
        expect((await fetch(`http://${host}/${path}`)).status, path).toBe(401)
    },
  )

  test('the index answers as the repository does', async () => {
    const { folder, file } = await filled()
    const session = platform.readSession(ADMINISTRATOR)
    const queries = [
      'SELECT * FROM Document',
      'SELECT * FROM Workspace ORDER BY dc:title, ecm:path DESC',
      `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}'`,
      `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.id}' AND ecm:isTrashed = 0 ORDER BY dc:created DESC`,
      `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}' AND dc:title IN ('A file', 'none')`,
      "SELECT * FROM Note WHERE ecm:fulltext = 'hel*' OR ecm:fulltext = 'nothing'",
      "SELECT * FROM Document WHERE ecm:mixinType <> 'Folderish' AND ecm:fulltext = '\"a file\"'",
      `SELECT * FROM Document WHERE ecm:uuid = '${file.id}'`,
    ]
    for (const query of queries) {
      expect(await isIndexed(query), query).toBe(true)
      const page = { limit: 1000, offset: 0 }
      const expected = await session.stores.queries.query(
        parseNxql(query),
        { ...session, principal: ADMINISTRATOR },
        page,
      )
      expect(await search(query), query).toEqual(expected.entries.map(({ id }) => id))
    }
    expect(await isIndexed('SELECT * FROM Document WHERE dc:title = dc:description')).toBe(false)
  })

  test('finds what was committed once it is notified, and is waited for', async () => {
    const { folder, below } = await filled()
    const { id } = await bench.create(folder.id, 'File', 'new')
    expect(await search(below)).not.toContain(id)
    const asking = { ...platform.readSession(ADMINISTRATOR), searchBackend: 'database' } as const
    expect((await searchDocuments(asking, below)).entries.map((found) => found.id)).toContain(id)
    expect(await run('Elasticsearch.WaitForIndexing', { params: { timeoutSecond: 0 } })).toMatchObject({
      value: false,
    })
    await follow()
    expect(await search(below)).toContain(id)
    expect(await run('Elasticsearch.WaitForIndexing')).toMatchObject({ value: true })
  })

  test('page providers are answered by what they name, or by what the list says', async () => {
    const { id } = await bench.create((await filled()).folder.id, 'File', 'late')
    const session = platform.readSession(ADMINISTRATOR)
    const request = { queryParams: [id], named: {}, sort: [], quickFilters: [] }
    const isFound = async (provider: object) => {
      const { entries } = await runPageProvider(session, { ...byId, ...provider }, request)
      return entries.length > 0
    }
    const byId = {
      ...getPageProvider(session, 'nxql_search'),
      pattern: 'SELECT * FROM Document WHERE ecm:uuid = ?',
      quoteParameters: true,
    }
    expect(await isFound({ name: 'own' })).toBe(true)
    expect(await isFound({ name: 'own', backend: 'index' })).toBe(false)
    expect(await isFound({ name: 'simple_search' })).toBe(false)
    expect(await isFound({ name: 'my_document_content' })).toBe(false)
    expect(await isFound({ name: 'simple_search', backend: 'database' })).toBe(true)
    await follow()
  })

  test('titles are suggested by their beginning, from both sides', async () => {
    const { id } = await bench.workspace()
    const zebra = await bench.create(id, 'File', 'zebra', { 'dc:title': 'Zebra report' })
    await follow()
    const provider = getPageProvider(platform.readSession(ADMINISTRATOR), 'DEFAULT_DOCUMENT_SUGGESTION')
    const find = async (searchBackend: 'index' | 'database', typed: string) => {
      const session = { ...platform.readSession(ADMINISTRATOR), searchBackend }
      const request = { queryParams: [typed], named: {}, sort: undefined, quickFilters: [] }
      return (await runPageProvider(session, provider, request)).entries.map((entry) => entry.id)
    }
    for (const typed of ['z%', 'zeb%', 'Zebra r%', 'zebra report%'])
      for (const side of ['index', 'database'] as const)
        expect(await find(side, typed), `${side} ${typed}`).toEqual([zebra.id])
  })

  test('aggregates of every type are equal from both sides, with each selection', async () => {
    const { path, id } = await bench.workspace()
    const make = (n: number) =>
      bench.create(id, 'File', `file-${n}`, {
        'dc:nature': ['report', 'memo', 'article'][n % 3]!,
        'dc:subjects': [`s${n % 4}`, 'all', 'all'].slice(n % 2),
        'dc:coverage': n % 2 === 0 ? null : 'europe',
        'dc:issued': `2026-0${1 + (n % 5)}-15T10:00:00.000Z`,
        'common:size': n * 10,
      })
    for (let n = 0; n < 9; n++) await make(n)
    await follow()

    const provider = {
      ...getPageProvider(platform.readSession(ADMINISTRATOR), 'default_search'),
      trackUsage: false,
      aggregates: [...EVERY_AGGREGATE],
    }
    const ask = async (searchBackend: 'index' | 'database', named: object = {}) => {
      const session = { ...platform.readSession(ANN), searchBackend }
      const request = { queryParams: [], named: { ecm_path: path, ...named }, sort: [], quickFilters: [] }
      const { entries, aggregates } = await runPageProvider(session, provider, request)
      return { found: entries.map((entry) => entry.id).sort(), aggregates }
    }

    const whole = await ask('database')
    expect(whole.found).toHaveLength(9)
    expect(
      whole.aggregates.filter(({ type, buckets }) => type in AGGREGATE_FIELDS && buckets.length < 2),
    ).toEqual([])
    expect(await ask('index')).toEqual(whole)
    for (const { type, buckets } of whole.aggregates.filter((each) => each.type in AGGREGATE_FIELDS)) {
      const named = { [AGGREGATE_FIELDS[type]!]: buckets.at(-1)!.key }
      const chosen = await ask('database', named)
      expect(chosen.found.length, type).toBeLessThan(9)
      expect(await ask('index', named), type).toEqual(chosen)
    }

    await make(1)
    const bucketsOf = ({ aggregates }: typeof whole) =>
      aggregates.filter(({ type }) => type in AGGREGATE_FIELDS).map(({ buckets }) => buckets)
    expect(bucketsOf(await ask('index'))).toEqual(bucketsOf(whole))
    await follow()
    expect(await ask('index')).toEqual(await ask('database'))
  })

  test('a search in a transaction finds what that has written', async () => {
    const { folder, below } = await filled()
    await platform.withSession(ADMINISTRATOR, async (session) => {
      const { id } = await createDocument(session, { parent: folder.id, type: 'File', name: 'inside' })
      expect((await searchDocuments(session, below)).entries.map((found) => found.id)).toContain(id)
    })
  })

  test('rights are in force at once, before the index is notified of them', async () => {
    const { folder, file, below } = await filled()
    expect(await isIndexed(below, ANN)).toBe(true)
    expect(await search(below, ANN)).toContain(file.id)
    await run('Document.BlockPermissionInheritance', { input: input(folder), params: {} })
    expect(await search(below, ANN)).toEqual([])
    await follow()
    expect(await isIndexed(below, ANN)).toBe(true)
    expect(await search(below, ANN)).toEqual([])
    const params = { users: ['ann'], permission: 'Read' }
    await run('Document.AddPermission', { input: input(folder), params })
    expect(await search(below, ANN)).toContain(file.id)
  })

  test('a moved subtree is found in its new place, and a removed one nowhere', async () => {
    const { folder, file, below } = await filled()
    await run('Document.Move', {
      input: input(folder),
      params: { target: '/default-domain/workspaces', name: `moved-${folder.name}` },
    })
    await follow()
    const moved = `SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces/moved-${folder.name}'`
    expect(await search(below)).toEqual([])
    expect(await search(moved)).toContain(file.id)
    await run('Document.Delete', { input: input(folder) })
    await follow()
    expect(await search(moved)).toEqual([])
    expect(await sides.engine.under(await liveIndex(), [folder.id], null, 10)).toEqual([])
  })

  test('a large subtree is indexed apart: other events go on, and the index counts as not notified of it', async () => {
    const { folder, file, below } = await filled()
    const name = await liveIndex()
    const tasks: SubtreeTask[] = []
    const followed = bench.followerOn(sides, {
      largeFrom: 2,
      subtree: async (_, task) => void tasks.push(task),
    })
    const followAll = async () => {
      while ((await followed.round()) !== 'nothing');
    }
    const isTold = async () => sides.feed.isPast(name, await sides.feed.mark())
    await run('Document.Move', {
      input: input(folder),
      params: { target: '/default-domain/workspaces', name: `large-${folder.name}` },
    })
    await bench.create((await bench.workspace()).id, 'File', 'other', { 'dc:source': folder.id })
    await followAll()
    expect(tasks.map(({ root }) => root)).toEqual([folder.id])
    expect(await search(`SELECT * FROM File WHERE dc:source = '${folder.id}'`)).toHaveLength(1)
    expect(await isTold()).toBe(false)
    expect(await isIndexed(below, ADMINISTRATOR)).toBe(true)
    expect(await isIndexed(below, ANN)).toBe(false)
    const moved = `SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces/large-${folder.name}'`
    expect(await search(moved, ANN)).toContain(file.id)
    expect((await readBacklog(platform.database.sql)).index.lagSeconds).toBeGreaterThan(0)

    const index = { index: name, task: tasks[0]! }
    const stopped: SubtreePosition[] = []
    const report = (position: SubtreePosition) => {
      stopped.push(position)
      throw new Error('killed')
    }
    await expect(bringSubtree(sides, index, { from: SUBTREE_START, report })).rejects.toThrow('killed')
    expect(stopped).toMatchObject([{ source: 'index', done: 2 }])
    expect(await isTold()).toBe(false)
    await bringSubtree(sides, index, { from: stopped[0]!, report: () => undefined })
    expect(await isTold()).toBe(true)
    expect(await isIndexed(moved, ANN)).toBe(true)
    expect(await search(moved, ANN)).toContain(file.id)
    expect((await compareIndex(sides, name, { isRepairing: false })).different.count).toBe(0)
  })

  test('a subtree that is removed is indexed apart as well, and started again where nobody is at it', async () => {
    const { folder } = await filled()
    const name = await liveIndex()
    const tasks: SubtreeTask[] = []
    const options = { largeFrom: 2, subtree: async (_: string, task: SubtreeTask) => void tasks.push(task) }
    await run('Document.Delete', { input: input(folder) })
    while ((await bench.followerOn(sides, options).round()) !== 'nothing');
    expect(tasks.length).toBeGreaterThan(1)
    expect(new Set(tasks.map(({ root }) => root))).toEqual(new Set([folder.id]))
    await follow(bench.followerOn(sides))
    expect(await sides.engine.under(name, [folder.id], null, 10)).toEqual([])
    expect(await sides.feed.held(name)).toEqual([])
  })

  test('a trashed subtree is marked in the index', async () => {
    const { folder, file } = await filled()
    await run('Document.Trash', { input: input(folder) })
    await follow()
    const trashed = `SELECT * FROM Document WHERE ecm:isTrashed = 1 AND ecm:ancestorId = '${folder.id}'`
    expect(await isIndexed(trashed)).toBe(true)
    expect(await search(trashed)).toContain(file.id)
  })

  test('what the engine refuses is parked, stops nothing else, and goes when it is taken', async () => {
    const { folder, note } = await filled()
    const { id } = await bench.create(folder.id, 'File', 'poison')
    const write: typeof sides.engine.write = async (name, writes) => {
      const taken = await sides.engine.write(
        name,
        writes.filter((each) => each.id !== id),
      )
      return writes.some((each) => each.id === id) ? [...taken, { id, reason: 'poison' }] : taken
    }
    await run('Document.Update', { input: input(note), params: { properties: { 'dc:title': 'after' } } })
    await follow(bench.followerOn({ ...sides, engine: { ...sides.engine, write } }))
    const { entries } = await sides.feed.failures({ limit: 10, offset: 0 })
    expect(entries).toMatchObject([{ documentId: id, reason: 'poison', attempts: 1 }])
    expect(await search("SELECT * FROM Note WHERE dc:title = 'after'")).toContain(note.id)
    const backlog = async () => (await readBacklog(platform.database.sql)).index
    expect(await backlog()).toEqual({ lagSeconds: 0, parked: 1 })
    await run('Document.Update', { input: input({ id }), params: { properties: { 'dc:title': 'cured' } } })
    expect((await backlog()).lagSeconds).toBeGreaterThan(0)
    await follow()
    expect(await backlog()).toEqual({ lagSeconds: 0, parked: 0 })
    expect((await sides.feed.failures({ limit: 10, offset: 0 })).total).toBe(0)
  })

  test('a late write changes nothing', async () => {
    const { file } = await filled()
    const name = await liveIndex()
    const [document] = (await sides.feed.read([file.id])).documents
    await run('Document.Update', { input: input(file), params: { properties: { 'dc:title': 'newest' } } })
    await follow()
    expect(await sides.engine.write(name, [{ id: file.id, version: 1, document: document! }])).toEqual([])
    await sides.engine.refresh(name)
    expect(await search("SELECT * FROM File WHERE dc:title = 'newest'")).toEqual([file.id])
  })

  test('what is made of a file is found, though it changes neither version nor date', async () => {
    const { id } = await bench.workspace()
    const source = await bench.storedBlob('any', 'a.pdf')
    const file = await bench.create(id, 'File', 'made', { 'file:content': source })
    await follow()
    const { media, conversions } = bench.runtime
    const making = createMediaMakings(platform, { media, conversions })(undefined)
    const tasks = createMediaTasks(platform.database.sql)
    const put = async (kind: string, result: MediaResult): Promise<void> => {
      await tasks.want([{ kind, source, documentId: file.id, owner: 'Administrator' }])
      expect(await making.apply({ kind, source }, result)).toBe(1)
      await follow()
    }
    await put('text', { text: await bench.storedBlob('Seventeen cormorants') })
    expect(await isIndexed("SELECT * FROM File WHERE ecm:fulltext = 'cormorants'")).toBe(true)
    expect(await search("SELECT * FROM File WHERE ecm:fulltext = 'cormorants'")).toEqual([file.id])
    await put('thumbnail', { facet: 'Thumbnail' })
    expect(await search("SELECT * FROM File WHERE ecm:mixinType = 'Thumbnail'")).toEqual([file.id])
    const { different } = await compareIndex(sides, await liveIndex(), { isRepairing: false })
    expect(different).toEqual({ count: 0, ids: [] })
  })

  test('drift is found, and repaired', async () => {
    const { file, note } = await filled()
    const name = await liveIndex()
    const version = await sides.feed.version()
    const stranger = '00000000-0000-4000-8000-000000000000'
    const [document] = (await sides.feed.read([file.id])).documents
    await sides.engine.write(name, [
      { id: note.id, version },
      {
        id: file.id,
        version,
        document: { ...document!, record: { ...document!.record, systemToken: 99 } },
      },
      { id: stranger, version, document: { ...document!, record: { ...document!.record, id: stranger } } },
    ])
    const found = { missing: { ids: [note.id] }, different: { ids: [file.id] }, surplus: { ids: [stranger] } }
    expect(await compareIndex(sides, name, { isRepairing: true })).toMatchObject({ ...found, repaired: 3 })
    expect(await compareIndex(sides, name, { isRepairing: false })).toMatchObject({
      missing: { count: 0 },
      different: { count: 0 },
      surplus: { count: 0 },
    })
  })

  test('drift of rights, place and words is found, though they move no token of their document', async () => {
    const { file } = await filled()
    const name = await liveIndex()
    const [document] = (await sides.feed.read([file.id])).documents
    const { scope, ancestors, words, record } = document!
    const stale = [
      { scope: scope! + 1 },
      { ancestors: ancestors.slice(1) },
      { words: [...words, { word: 'stale', weight: 'D' as const }] },
      { record: { ...record, path: '/elsewhere' } },
    ]
    for (const each of stale) {
      await sides.engine.write(name, [
        { id: file.id, version: await sides.feed.version(), document: { ...document!, ...each } },
      ])
      const found = { different: { count: 1, ids: [file.id] }, repaired: 1 }
      expect(await compareIndex(sides, name, { isRepairing: true }), Object.keys(each)[0]).toMatchObject(
        found,
      )
      expect(await compareIndex(sides, name, { isRepairing: false })).toMatchObject({
        different: { count: 0 },
      })
    }
  })

  test('what is refused again is not counted as repaired', async () => {
    const { file } = await filled()
    const name = await liveIndex()
    await sides.engine.write(name, [{ id: file.id, version: await sides.feed.version() }])
    const write = async (_: string, writes: readonly { id: string }[]) =>
      writes.map(({ id }) => ({ id, reason: 'refused' }))
    const refusing = { ...sides, engine: { ...sides.engine, write } }
    const found = { missing: { ids: [file.id] }, repaired: 0 }
    expect(await compareIndex(refusing, name, { isRepairing: true })).toMatchObject(found)
    expect(await compareIndex(sides, name, { isRepairing: true })).toMatchObject({ repaired: 1 })
  })

  test('an index of a database that was restored into another cluster is made again', async () => {
    const { file, below } = await filled()
    const name = await liveIndex()
    const [document] = (await sides.feed.read([file.id])).documents
    const version = (await sides.feed.version()) + 1_000_000_000
    await sides.engine.write(name, [{ id: file.id, version, document: document! }])
    await sides.engine.refresh(name)
    await follow(bench.followerOn(sides))
    expect(await liveIndex()).not.toBe(name)
    expect(await sides.engine.exists(name)).toBe(false)
    await run('Document.Update', { input: input(file), params: { properties: { 'dc:title': 'restored' } } })
    await follow()
    expect(await search(`${below} AND dc:title = 'restored'`)).toEqual([file.id])
  })

  test('?explain=true shows who answers, with the body and the profile of the search engine', async () => {
    const { folder, below } = await filled()
    await addUser(platform, 'eva')
    const call = createClient(platform)
    const query = `/api/v1/search/execute?query=${encodeURIComponent(below)}`
    const ofIndex = {
      backend: 'index',
      reason: expect.stringContaining('the index'),
      index: await liveIndex(),
      body: { query: expect.anything() },
      profile: { shards: [{ searches: expect.anything() }] },
    }
    expect((await call('GET', `${query}&explain=true`)).json).toMatchObject(ofIndex)
    const ofDatabase = { backend: 'database', reason: expect.any(String), sql: expect.any(String) }
    const compared = `${below} AND dc:title = dc:description`
    const { json } = await call(
      'GET',
      `${query.replace(/query=.*/, '')}query=${encodeURIComponent(compared)}&explain=true`,
    )
    expect(json).toMatchObject(ofDatabase)
    const provider = `/api/v1/search/pp/default_search/execute?ecm_path=${folder.path}`
    expect((await call('GET', `${provider}&explain=true`)).json).toMatchObject({
      ...ofIndex,
      pageProvider: 'default_search',
    })
    expect((await call('GET', `${provider}&explain=true&backend=database`)).json).toMatchObject({
      pageProvider: 'default_search',
      ...{ backend: 'database', reason: expect.any(String), sql: expect.any(String) },
    })
    expect((await call('GET', `${provider}&explain=true`, { user: 'eva' })).status).toBe(403)
    expect((await call('GET', provider, { user: 'eva' })).status).toBe(200)
  })

  test('saved searches are answered by the backend that the call names', async () => {
    const { folder } = await filled()
    const call = createClient(platform)
    const query = `SELECT * FROM File WHERE ecm:parentId = '${folder.id}' AND dc:source = 'late'`
    const json = { 'entity-type': 'savedSearch', title: 'by backend', query, queryLanguage: 'NXQL' }
    const { id } = (await call('POST', '/api/v1/search/saved', { json })).json
    const late = await bench.create(folder.id, 'File', 'late', { 'dc:source': 'late' })
    const found = async (parameters: string) => {
      const { entries } = (await call('GET', `/api/v1/search/saved/${id}/execute?${parameters}`)).json
      return entries.map(({ uid }: { uid: string }) => uid)
    }
    expect(await found('backend=index')).toEqual([])
    expect(await found('backend=database')).toEqual([late.id])
    expect(await found('queryEngine=database')).toEqual([late.id])
    expect((await call('GET', `/api/v1/search/saved/${id}/execute?backend=other`)).status).toBe(400)
    await follow()
    expect(await found('backend=index')).toEqual([late.id])
  })

  test('administrators look after the index over REST', async () => {
    const { file, below } = await filled()
    const call = createClient(platform)
    const at = '/api/v1/management/elasticsearch'
    const name = await liveIndex()
    expect((await call('GET', at)).json).toMatchObject({ indexes: [{ name, state: 'live' }], failures: 0 })
    await sides.engine.write(name, [{ id: file.id, version: await sides.feed.version() }])
    expect((await call('POST', `${at}/drift`)).json).toMatchObject({
      missing: { ids: [file.id] },
      repaired: 0,
    })
    expect((await call('POST', `${at}/${file.id}/reindex`)).status).toBe(204)
    expect((await call('POST', `${at}/drift?repair=true`)).json).toMatchObject({
      missing: { count: 0 },
      repaired: 0,
    })
    await sides.feed.park([{ id: file.id, reason: 'refused' }])
    expect((await call('GET', `${at}/failures`)).json.entries).toMatchObject([{ documentId: file.id }])
    expect((await call('POST', `${at}/failures/retry`)).json).toMatchObject({ retried: 1, total: 0 })
    expect((await call('POST', `${at}/reindex`)).status).toBe(202)
    expect((await call('POST', `${at}/reindex`)).status).toBe(409)
    await follow()
    expect(await liveIndex()).not.toBe(name)
    await follow()
    expect(await search(below)).toContain(file.id)
  })

  test('administrators look after the index from the command line', async () => {
    const { file } = await filled()
    const server = await startServer(createApp(platform, undefined), { host: '127.0.0.1', port: 0 })
    const cli = async (...given: string[]) => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const environment = {
        ARCHIVOLT_URL: `http://127.0.0.1:${server.port}`,
        ARCHIVOLT_USER: 'Administrator',
        ARCHIVOLT_PASSWORD: ADMIN_PASSWORD,
      }
      const terminal = createTerminal({ stdin, stdout, stderr })
      const interrupted = new AbortController().signal
      const code = await runCli({ arguments: given, environment, terminal, interrupted })
      return { code, out: String(stdout.read() ?? '') }
    }
    const name = await liveIndex()
    expect(await cli('index')).toEqual({ code: 0, out: expect.stringContaining(`${name}  live`) })
    await sides.engine.write(name, [{ id: file.id, version: await sides.feed.version() }])
    expect(await cli('index', 'drift')).toMatchObject({
      code: 1,
      out: expect.stringMatching(`1 missing, 0 surplus, 0 different, 0 repaired\nmissing  ${file.id}\n$`),
    })
    expect(await cli('index', 'drift', '--repair')).toMatchObject({ code: 0 })
    expect(JSON.parse((await cli('index', 'drift', '--json')).out)).toMatchObject({ missing: { count: 0 } })
    await sides.feed.park([{ id: file.id, reason: 'refused' }])
    expect(await cli('index', 'failures')).toMatchObject({ code: 1, out: expect.stringContaining(file.id) })
    expect(await cli('index', 'failures', '--retry')).toEqual({ code: 0, out: '' })
    await server.stop(100)
  })

  test('Elasticsearch.Index indexes a document, what a query finds, or everything, for administrators', async () => {
    const { folder, file, note } = await filled()
    const lose = async (id: string) => {
      await sides.engine.write(await liveIndex(), [{ id, version: await sides.feed.version() }])
      await sides.engine.refresh(await liveIndex())
    }
    const found = `SELECT * FROM Document WHERE ecm:parentId = '${folder.id}'`
    await lose(file.id)
    expect(await search(found)).toEqual([note.id])
    await run('Elasticsearch.Index', { input: input(folder) })
    expect(await search(found)).toHaveLength(2)
    await lose(file.id)
    await run('Elasticsearch.Index', { input: { type: 'string', value: 'SELECT * FROM File' } })
    expect(await search(found)).toHaveLength(2)
    await lose(file.id)
    await run('Elasticsearch.Index', { input: input(folder), params: { recursive: false } })
    expect(await search(found)).toEqual([note.id])
    await run('Elasticsearch.Index', { input: input(file), params: { recursive: false } })
    expect(await search(found)).toHaveLength(2)
    await run('Elasticsearch.Index')
    expect((await sides.feed.list()).map(({ state }) => state)).toEqual(['live', 'wanted'])
    await follow()
    await expect(run('Elasticsearch.Index', { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('an index that is lost is made again, and the repository answers meanwhile', async () => {
    const { file, below } = await filled()
    await sides.engine.remove(await liveIndex())
    expect(await search(below)).toContain(file.id)
    await follow(bench.followerOn(sides))
    await follow(bench.followerOn(sides))
    expect(await search(below)).toContain(file.id)
  })

  test('a new index takes the place of the one before, with what happened meanwhile', async () => {
    const { folder, below } = await filled()
    const before = await liveIndex()
    expect(await sides.feed.want(sides.engine.newName())).toBe(true)
    expect(await sides.feed.want(sides.engine.newName())).toBe(false)
    const { id } = await bench.create(folder.id, 'File', 'meanwhile')
    await follow()
    expect(await liveIndex()).not.toBe(before)
    expect(await sides.engine.exists(before)).toBe(false)
    await follow()
    expect(await search(below)).toContain(id)
  })
})

test('without an answer of the search engine, the repository answers', async () => {
  const bench = await createOperationBench({ ELASTICSEARCH_URL: 'http://127.0.0.1:9' })
  afterAll(bench.close)
  const { id } = await bench.workspace()
  const { feed } = bench.platform.indexing.get('default')!
  await feed.want('nowhere')
  await feed.begin('nowhere', 0)
  await feed.promote('nowhere')
  const { stores, model, now } = bench.platform.readSession(ADMINISTRATOR)
  const query = parseNxql(`SELECT * FROM Workspace WHERE ecm:uuid = '${id}'`)
  const scope = { model, now, principal: ADMINISTRATOR }
  expect(await stores.search.ids(query, scope, 10)).toEqual([id])
  expect(
    await bench.platform.healthChecks
      .find(({ name }) => name === 'elasticsearch')
      ?.check()
      .catch(String),
  ).toMatch(/search engine does not answer/)
})
