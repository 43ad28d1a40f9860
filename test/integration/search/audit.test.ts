import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { SYSTEM } from '../../../core/access/security/index.js'
import { createHousekeeping, createOutboxRelay } from '../../../storage/postgres/index.js'
import { startAudit, writeAudit } from '../../../worker/events/audit.js'
import { untilReadable } from '../support/outbox-support.js'
import { addUser, createClient, type Entity } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform()
// Connects to nothing: single operations run in this process.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const { sql } = platform.database

const API = '/api/v1'
const WORKSPACES = '/default-domain/workspaces'

let made = 0
const create = async (properties: object = {}, type = 'File'): Promise<Entity> => {
  made += 1
  const json = { 'entity-type': 'document', type, name: `audited${made}`, properties }
  return (await call('POST', `${API}/path${WORKSPACES}`, { json })).json
}
const change = (uid: string, title: string, headers = {}) =>
  call('PUT', `${API}/id/${uid}`, {
    headers,
    json: { 'entity-type': 'document', properties: { 'dc:title': title } },
  })
const run = (operation: string, params: object, input?: string, user = 'Administrator') =>
  call('POST', `/site/automation/${operation}`, {
    user,
    json: { params, ...(input && { input: `doc:${input}` }) },
  })
const deploy = (point: string, name: string, json: object) =>
  call('PUT', `${API}/contributions/${point}/${name}`, { json })

const readable = () => untilReadable(sql)
/** Writes what has happened. */
const settled = async (): Promise<void> => {
  await readable()
  await writeAudit(platform, platform.database)
}
const history = async (uid: string, parameters = ''): Promise<Entity> => {
  await settled()
  return (await call('GET', `${API}/id/${uid}/@audit?${parameters}`)).json
}
const eventsOf = ({ entries }: Entity): string[] => entries.map(({ eventId }: Entity) => eventId)
const latest = async (eventId: string): Promise<Entity> => {
  await settled()
  const found = await run('Audit.QueryWithPageProvider', {
    providerName: 'EVENTS_VIEW',
    namedQueryParams: { eventIds: JSON.stringify([eventId]) },
  })
  return found.json.entries[0]
}

beforeAll(() => addUser(platform, 'eve'))

describe('what happens to a document', () => {
  test('is kept with its fields, newest first, and each event once', async () => {
    const { uid, path } = await create({ 'dc:title': 'audited' })
    await change(uid, 'changed')
    await run('Document.FollowLifecycleTransition', { value: 'approve' }, uid)
    const found = await history(uid)
    expect(found).toMatchObject({
      'entity-type': 'logEntries',
      resultsCount: 3,
      pageSize: 10,
      isPaginable: true,
    })
    expect(eventsOf(found)).toEqual(['lifecycle_transition_event', 'documentModified', 'documentCreated'])
    expect(found.entries[0]).toEqual({
      'entity-type': 'logEntry',
      id: expect.any(Number),
      category: 'eventLifeCycleCategory',
      principalName: 'Administrator',
      comment: null,
      docLifeCycle: 'approved',
      docPath: path,
      docType: 'File',
      docUUID: uid,
      eventId: 'lifecycle_transition_event',
      repositoryId: 'default',
      eventDate: expect.stringMatching(/^\d{4}-.*Z$/),
      logDate: expect.stringMatching(/^\d{4}-.*Z$/),
      extended: {},
    })
    expect(found.entries[1].category).toBe('eventDocumentCategory')
    const enriched = await call('GET', `${API}/id/${uid}`, { headers: { 'enrichers-document': 'audit' } })
    expect(enriched.json.contextParameters.audit).toEqual(found.entries)
  })

  test('is narrowed, paged and sorted', async () => {
    const { uid } = await create()
    await change(uid, 'once')
    await change(uid, 'twice')
    const [newest, , oldest] = (await history(uid)).entries
    for (const [parameters, expected] of [
      ['eventId=documentCreated&eventId=documentLocked', 1],
      ['category=eventDocumentCategory&principalName=Administrator', 3],
      ['principalName=eve', 0],
      [`startEventDate=${newest.eventDate}`, 1],
      [`endEventDate=${oldest.eventDate}`, 1],
      ['endEventDate=2001-01-01', 0],
      ['pageSize=2&currentPageIndex=1', 1],
    ] as const)
      expect([parameters, (await history(uid, parameters)).entries.length]).toEqual([parameters, expected])
    expect((await history(uid, 'sortBy=id&sortOrder=asc')).entries[0].id).toBe(oldest.id)
    for (const wrong of ['startEventDate=never', 'sortBy=dc:title'])
      expect((await call('GET', `${API}/id/${uid}/@audit?${wrong}`)).status).toBe(400)
  })

  test('reaches back beyond a version, as far as it was not made yet', async () => {
    const { uid } = await create()
    const version = (await change(uid, 'versioned', { 'X-Versioning-Option': 'MAJOR' })).json
    await change(uid, 'later')
    const found = eventsOf(await history(version.uid, 'pageSize=50'))
    expect(found).toContain('documentCreated')
    expect(found.filter((event) => event === 'documentModified')).toHaveLength(1)
  })

  test('shows nobody but administrators where it was before', async () => {
    await addUser(platform, 'audit-reader', ['members'])
    const secret = await create({}, 'Folder')
    const { uid, path } = await create()
    await run('Document.AddPermission', { username: 'audit-reader', permission: 'Read' }, uid)
    await run('Document.Move', { target: secret.uid }, uid)
    const { entries } = await history(uid)
    const placesFor = async (user: string): Promise<string[]> => {
      const { json } = await call('GET', `${API}/id/${uid}/@audit`, { user })
      expect(json.entries).toHaveLength(entries.length)
      return [...new Set<string>(json.entries.map(({ docPath }: Entity) => docPath))]
    }
    const now = `${secret.path}/${path.split('/').at(-1)}`
    expect(await placesFor('Administrator')).toContain(path)
    expect(await placesFor('audit-reader')).not.toContain(path)
    expect(await placesFor('audit-reader')).toContain(now)
  })

  test('outlives it', async () => {
    const { uid } = await create()
    await call('DELETE', `${API}/id/${uid}`)
    expect((await latest('documentRemoved')).comment).toBe('Document does not exist anymore!')
    expect((await call('GET', `${API}/id/${uid}/@audit`)).status).toBe(404)
  })
})

test('writers beside each other, and one that fails, write each event once', async () => {
  const { uid } = await create()
  await settled()
  await change(uid, 'changed')
  await readable()
  const failing = createOutboxRelay(platform.database, 'audit').next(10, async (_, tx) => {
    await tx`INSERT INTO audit_entries (event_id, event_date, extended) VALUES ('lost', now(), '{}')`
    throw new Error('killed')
  })
  await expect(failing).rejects.toThrow('killed')
  const stop = [startAudit(platform), startAudit(platform)]
  await Promise.all([settled(), settled()])
  await Promise.all(stop.map((end) => end()))
  expect(eventsOf(await history(uid))).toEqual(['documentModified', 'documentCreated'])
  expect(await sql`SELECT FROM audit_entries WHERE event_id = 'lost'`).toHaveLength(0)
})

test('a contribution says what is kept, and what of it', async () => {
  const wrong = await deploy('audit', 'documentModified', { extendedInfos: { title: 'Document["' } })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('extendedInfos')])
  const extendedInfos = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as existing contributions write them
    title: '${source.dublincore.title}',
    path: 'Event.properties.path',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: see above
    by: '${principal.name}',
    file: 'Document["file:content"]',
    broken: 'Document["dc:title"].nothing.there',
  }
  expect((await deploy('audit', 'documentModified', { extendedInfos })).status).toBe(200)
  expect((await deploy('audit', 'documentLocked', { enabled: false })).status).toBe(200)
  const { uid, path } = await create()
  await run('Document.Lock', {}, uid)
  await change(uid, 'kept')
  const [entry, ...others] = (await history(uid)).entries
  expect([entry.eventId, entry.extended]).toEqual([
    'documentModified',
    { title: 'kept', path, by: 'Administrator' },
  ])
  expect(others.map(({ eventId }: Entity) => eventId)).toEqual(['documentCreated'])
})

test('documents of the system are left out', async () => {
  const { uid } = await create()
  await run('Document.AddFacet', { facet: 'SystemDocument' }, uid)
  await change(uid, 'hidden')
  const before = eventsOf(await history(uid))
  expect(before).toEqual(['documentModified', 'documentCreated'])
  await run('Document.AddFacet', { facet: 'ForceAudit' }, uid)
  await change(uid, 'forced')
  expect(eventsOf(await history(uid))).toEqual(['documentModified', ...before])
})

describe('operations', () => {
  test('log an event of any name', async () => {
    const { uid } = await create()
    expect((await run('Audit.LogEvent', { event: 'read', comment: 'twice' }, uid)).status).toBe(200)
    const [entry] = (await history(uid, 'eventId=read')).entries
    expect(entry).toMatchObject({ eventId: 'read', category: 'Automation', comment: 'twice', docUUID: uid })
    expect((await run('Audit.LogEvent', { event: ' ' }, uid)).status).toBe(400)
    expect((await run('Event.Fire', { name: 'logEntry' }, uid)).status).toBe(400)
  })

  test('log what readers do, but as nothing that the product says itself', async () => {
    const { uid } = await create()
    const params = { event: 'contractRead', category: 'eventDocumentCategory' }
    expect((await run('Audit.LogEvent', params, uid, 'eve')).status).toBe(200)
    for (const event of [
      'documentRemoved',
      'download',
      'user_modified',
      'Download ',
      'document\u200BRemoved',
    ]) {
      const { status, json } = await run('Audit.LogEvent', { ...params, event }, uid, 'eve')
      expect([status, json.message]).toEqual([403, expect.stringContaining(`own event ${event}`)])
    }
    const step = { 'Audit.LogEvent': { event: 'documentRemoved' } }
    expect((await deploy('chains', 'log-removed', { execution: 'inline', operations: [step] })).status).toBe(
      201,
    )
    expect((await run('log-removed', {}, uid, 'eve')).status).toBe(200)
    const logged = (await history(uid, 'principalName=eve&eventId=contractRead')).entries
    expect(logged).toMatchObject([{ eventId: params.event, category: params.category, docUUID: uid }])
    expect((await run('Audit.LogEvent', { event: 'documentRemoved' }, uid)).status).toBe(200)
    expect(eventsOf(await history(uid))).toContain('documentRemoved')
  })

  test('query, for administrators', async () => {
    const { uid, path } = await create()
    await change(uid, 'asked')
    await settled()
    const where = `log.docUUID = '${uid}'`
    for (const [query, expected] of [
      [`from LogEntry log where ${where} order by log.id`, ['documentCreated', 'documentModified']],
      [`select log from LogEntry log where ${where} and log.eventId like '%Created'`, ['documentCreated']],
      [`FROM LogEntry e WHERE e.docUUID = '${uid}' AND e.eventDate > TIMESTAMP '2099-01-01 00:00:00'`, []],
      [
        `SELECT * FROM LogEntry WHERE docPath STARTSWITH '${path}' AND NOT eventId IN ('documentCreated')`,
        ['documentModified'],
      ],
      [
        `SELECT * FROM LogEntry WHERE docUUID = '${uid}' AND comment IS NULL AND eventDate BETWEEN DATE '2001-01-01' AND DATE '2099-01-01' ORDER BY eventId`,
        ['documentCreated', 'documentModified'],
      ],
    ] as const) {
      const { json, status } = await run('Audit.Query', { query })
      expect([query, status, json.map(({ eventId }: Entity) => eventId)]).toEqual([query, 200, expected])
    }
    const [entry] = (await run('Audit.Query', { query: `from LogEntry log where ${where}`, maxResults: 1 }))
      .json
    expect(entry).toEqual({
      eventId: 'documentModified',
      category: 'eventDocumentCategory',
      eventDate: expect.any(Number),
      principal: 'Administrator',
      docUUID: uid,
      docType: 'File',
      docPath: path,
      docLifeCycle: 'project',
      repoId: 'default',
      comment: null,
    })
    for (const query of [
      "from LogEntry log where log.none = 'x'",
      "from LogEntry where id = 'x'",
      'from LogEntry where',
    ])
      expect([query, (await run('Audit.Query', { query })).status]).toEqual([query, 400])
    for (const operation of ['Audit.Query', 'Audit.QueryWithPageProvider'])
      expect((await run(operation, { query: 'from LogEntry' }, undefined, 'eve')).status).toBe(404)
  })

  test('page providers list the audit', async () => {
    const { uid } = await create()
    await settled()
    const ask = async (params: object) => (await run('Audit.QueryWithPageProvider', params)).json
    const own = await ask({ providerName: 'DOCUMENT_HISTORY_PROVIDER', queryParams: uid, pageSize: -1 })
    expect([own.pageSize, eventsOf(own)]).toEqual([10, ['documentCreated']])
    const some = await ask({ pageSize: 1, sortBy: 'id', sortOrder: 'asc', currentPageIndex: 1 })
    expect([some['entity-type'], some.pageIndex, some.entries.length]).toEqual(['logEntries', 1, 1])
    const named = await ask({
      providerName: 'EVENTS_VIEW',
      namedQueryParams: { eventIds: '["none"]', startDate: '2001-01-01' },
    })
    expect(named.resultsCount).toBe(0)
    const counted = await ask({ query: 'SELECT * FROM LogEntry', maxResults: 1 })
    expect(counted.resultsCount).toBe(-2)
    expect((await run('Audit.QueryWithPageProvider', { providerName: 'default_search' })).status).toBe(400)
    expect((await call('GET', `${API}/search/pp/EVENTS_VIEW/execute`)).status).toBe(400)
  })
})

test('logins and failed ones are kept, not each call', async () => {
  for (const _ of [1, 2, 3]) await call('GET', `${API}/me`, { user: 'eve' })
  const headers = { Authorization: `Basic ${Buffer.from('eve:wrong').toString('base64')}` }
  expect((await call('GET', `${API}/me`, { headers })).status).toBe(401)
  expect(await latest('loginFailed')).toMatchObject({
    principalName: 'eve',
    category: 'NuxeoAuthentication',
    docUUID: null,
  })
  expect((await latest('loginSuccess')).comment).toBe('eve successfully logged in using Basic Authentication')
  expect(
    await sql`SELECT FROM audit_entries WHERE event_id = 'loginSuccess' AND principal_name = 'eve'`,
  ).toHaveLength(1)
})

test('users and groups are kept by their names', async () => {
  await call('POST', `${API}/group`, { json: { 'entity-type': 'group', groupname: 'auditors' } })
  expect(await latest('group_created')).toMatchObject({ category: 'userGroup', extended: { id: 'auditors' } })
})

test('downloads are kept, of ranges the first', async () => {
  const { uid } = await create({ 'file:content': { name: 'a.txt', content: 'some text' } })
  const file = `/nxfile/default/${uid}/file:content`
  for (const Range of ['', 'bytes=0-1', 'bytes=2-3'])
    expect((await call('GET', file, { headers: { Range } })).status).toBeLessThan(300)
  await call('HEAD', file)
  const { entries } = await history(uid, 'eventId=download')
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({
    comment: 'a.txt',
    docUUID: uid,
    extended: { blobXPath: 'file:content', blobFilename: 'a.txt', downloadReason: 'download' },
  })
})

describe('searches', () => {
  const search = (provider: string, parameters: string) =>
    call('GET', `${API}/search/pp/${provider}/execute?${parameters}`)

  test('with a provider that is tracked are kept', async () => {
    await search('default_search', 'dc_creator=eve&pageSize=5')
    const { category, docUUID, principalName, extended } = await latest('search')
    expect({ category, docUUID, principalName }).toEqual({
      category: null,
      docUUID: null,
      principalName: 'Administrator',
    })
    expect(extended).toMatchObject({
      pageProviderName: 'default_search',
      effectiveQuery: expect.stringMatching(/^SELECT \* FROM Document WHERE \(.*\) AND dc:creator = 'eve'/),
      searchFields: ['dc_creator'],
      pageIndex: 0,
      resultsCount: 0,
      resultsCountInPage: 0,
      params: [],
      executionTimeMs: expect.any(Number),
    })
    expect(extended.searchDocumentModel).toBe(extended.searchDocumentModelAsJson)
    const [event] = await sql<{ payload: object }[]>`
      SELECT payload FROM outbox WHERE event = 'search' ORDER BY id DESC LIMIT 1`
    expect(event!.payload).toMatchObject({
      searchPattern: null,
      whereClause_fixedPart: expect.stringContaining('HiddenInNavigation'),
      whereClause_select: null,
      pageSize: 5,
      principal: 'Administrator',
    })
    expect(JSON.parse(extended.searchDocumentModelAsJson)).toMatchObject({
      properties: { dc_creator: 'eve' },
    })
    expect(Object.keys(extended.aggregatesMatches)).toContain('dc_nature_agg')
  })

  test.each<[string, object]>([
    ['a large value', { ecm_fulltext: 'a', xx: 'x'.repeat(1_000_000) }],
    [
      'many values of an aggregate',
      {
        dc_creator_agg: JSON.stringify(Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(300, '"'))),
      },
    ],
    [
      'long names',
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}`.padEnd(200, 'n'), 'v'])),
    ],
  ])('are kept as far as they say something, whatever is sent with them: %s', async (_, namedParameters) => {
    const found = await run('Repository.PageProvider', { providerName: 'default_search', namedParameters })
    expect(found.status).toBeLessThan(300)
    const [event] = await sql<{ characters: number; payload: Entity }[]>`
      SELECT length(payload::text) AS characters, payload FROM outbox WHERE event = 'search' ORDER BY id DESC LIMIT 1`
    const { extendedInfos } = event!.payload
    expect(JSON.stringify(extendedInfos).length).toBeLessThan(4_100)
    expect(event!.characters).toBeLessThan(6_000)
    expect(extendedInfos).toMatchObject({
      pageProviderName: 'default_search',
      resultsCount: expect.any(Number),
      executionTimeMs: expect.any(Number),
    })
    expect(JSON.parse(extendedInfos.searchDocumentModelAsJson)).toMatchObject({ 'entity-type': 'document' })
  })

  test('are tracked by a property, in its own name or that of the reference', async () => {
    const trackedNow = async () => {
      await search('simple_search', 'ecm_fulltext=none')
      return (await latest('search')).extended.pageProviderName
    }
    expect(await trackedNow()).toBe('default_search')
    await deploy('configuration', 'nuxeo.pageprovider.track', { value: 'other, simple_search' })
    expect(await trackedNow()).toBe('simple_search')
    await deploy('configuration', 'archivolt.pageprovider.track', { value: '*' })
    await search('expired_search', '')
    expect((await latest('search')).extended.pageProviderName).toBe('expired_search')
  })
})

test('an entry is small, whatever a caller has said', async () => {
  const { uid } = await create({ 'dc:title': 'small' })
  const long = 'x'.repeat(20_000)
  const refused = await run('Audit.LogEvent', { event: 'long', comment: long }, uid)
  expect([refused.status, refused.json.message]).toEqual([
    400,
    expect.stringContaining('comment: must have at most 4000 characters'),
  ])
  const extendedInfos = {
    half: `"${'\u{1F993}'}".substring(0, 1)`,
    long: `"${'x'.repeat(100)}".repeat(200)`,
    list: `["${'x'.repeat(100)}".repeat(200)]`,
  }
  expect((await deploy('audit', 'documentCheckedIn', { extendedInfos })).status).toBe(200)
  await run('Document.CheckIn', { version: 'minor', comment: long }, uid)
  const { comment, extended } = await latest('documentCheckedIn')
  expect(comment).toBe('x'.repeat(4_000))
  expect(extended).toEqual({ half: '\uFFFD', long: 'x'.repeat(10_000) })
})

test('is read over REST by filters or a query, for administrators', async () => {
  const { uid, path } = await create({ 'dc:title': 'read over REST' })
  for (const comment of ['b', 'a', 'c']) await run('Audit.LogEvent', { event: 'rested', comment }, uid)
  await settled()
  const read = async (parameters: string) => (await call('GET', `${API}/audit?${parameters}`)).json
  const comments = async (parameters: string) =>
    (await read(parameters)).entries.map(({ comment }: Entity) => comment)
  expect(await read('eventId=rested&pageSize=2')).toMatchObject({
    'entity-type': 'logEntries',
    resultsCount: 3,
    numberOfPages: 2,
    isNextPageAvailable: true,
  })
  const sorted = 'eventId=rested&sortBy=comment&sortOrder=asc'
  expect(await comments(sorted)).toEqual(['a', 'b', 'c'])
  expect(await comments(`${sorted}&pageSize=2&currentPageIndex=1`)).toEqual(['c'])
  expect(await comments(`${sorted}&docUUID=${uid}&docPath=${path}&principalName=Administrator`)).toHaveLength(
    3,
  )
  expect(await comments(`${sorted}&docPath=/nowhere`)).toEqual([])
  expect(await comments(`${sorted}&endEventDate=2001-01-01`)).toEqual([])
  const query = encodeURIComponent("SELECT * FROM LogEntry WHERE comment = 'b' AND eventId = 'rested'")
  expect(await comments(`query=${query}`)).toEqual(['b'])
  expect((await call('GET', `${API}/audit?query=${query}&eventId=rested`)).status).toBe(400)
  expect((await call('GET', `${API}/audit?query=SELECT`)).status).toBe(400)
  expect((await call('GET', `${API}/audit`, { user: 'eve' })).status).toBe(403)
})

test('all of it is exported as CSV, for administrators', async () => {
  const { uid } = await create({ 'dc:title': 'exported' })
  await run('Audit.LogEvent', { event: 'exported', comment: 'a "quoted", text' }, uid)
  await run('Audit.LogEvent', { event: 'exported', comment: '=1+cmd()' }, uid)
  await settled()
  const { text, headers, status } = await call(
    'GET',
    `${API}/audit/export?eventId=exported&startEventDate=2001-01-01`,
  )
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=UTF-8; header=present'])
  const [header, line, formula, ...rest] = text.split('\r\n')
  expect(header).toBe(
    'id,eventDate,logDate,eventId,category,principalName,docUUID,docPath,docType,docLifeCycle,repositoryId,comment,extended',
  )
  expect(line).toMatch(/,exported,Automation,Administrator,.*,"a ""quoted"", text",\{\}$/)
  expect(formula).toMatch(/,'=1\+cmd\(\),\{\}$/)
  expect(rest).toEqual([''])
  expect((await call('GET', `${API}/audit/export`, { user: 'eve' })).status).toBe(403)
})

test('entries are removed when they are older than they are kept', async () => {
  await settled()
  const { count: kept } = await sql`
    UPDATE audit_entries SET log_date = now() - interval '3 days'
    WHERE id < (SELECT max(id) FROM audit_entries)`
  const removed = async (auditDays?: number) =>
    (await createHousekeeping([platform.database], { auditDays }).removeExpired()).auditEntries
  expect([await removed(), await removed(4), await removed(2), await removed(2)]).toEqual([0, 0, kept, 0])
  expect(
    (await platform.readSession(SYSTEM).stores.audit.find(undefined, { order: [], limit: 5, offset: 0 }))
      .total,
  ).toBe(1)
})
