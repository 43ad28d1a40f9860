import { beforeAll, describe, expect, test } from 'vitest'
import { getDocument, setAcls } from '../../core/documents/index.js'
import { operations } from '../../core/operations/index.js'
import { type Ace, SYSTEM } from '../../core/security/index.js'
import { createTestService, withFile } from './bad-input-support.js'
import { type Answer, addUser, type Call, type Entity } from './rest-client.js'

const { platform, call, deploy, traces } = await createTestService()

const AUTOMATION = '/api/v1/automation'
const WORKSPACES = '/default-domain/workspaces'
const CLOSED = `${WORKSPACES}/closed`
const OPEN = `${WORKSPACES}/open`
const USERS = ['stranger', 'reader', 'writer', 'boss', 'Administrator'] as const
type User = (typeof USERS)[number]

const grant = (username: string, permission: string, more: Partial<Ace> = {}): Ace => ({
  username,
  permission,
  granted: true,
  ...more,
})
const NOBODY_ELSE: Ace = { username: 'Everyone', permission: 'Everything', granted: false }

const protect = (ref: string, aces: readonly Ace[]): Promise<unknown> =>
  platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, ref), [{ name: 'local', aces }]),
  )

const make = async (parent: string, name: string, type = 'File'): Promise<Entity> => {
  const properties = {
    'dc:title': 'secret title',
    ...(type === 'File' && { 'file:content': { name: 's.txt', data: 'secret bytes' } }),
  }
  const json = { 'entity-type': 'document', name, type, properties }
  const answer = await call('POST', `/api/v1/path${parent}`, { json })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json
}

const stored = (id: string) => platform.database.sql`SELECT * FROM documents WHERE id = ${id}`

beforeAll(async () => {
  for (const user of USERS) if (user !== 'Administrator') await addUser(platform, user)
  await make(WORKSPACES, 'closed', 'Folder')
  await make(WORKSPACES, 'open', 'Folder')
  await make(OPEN, 'collection', 'Collection')
  await protect(CLOSED, [
    grant('reader', 'Read'),
    grant('writer', 'ReadWrite'),
    grant('boss', 'Everything'),
    NOBODY_ELSE,
  ])
  await protect(OPEN, [grant('Everyone', 'ReadWrite'), NOBODY_ELSE])
  await deploy(
    'retitle',
    '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:title", value: changed}\n',
  )
  await deploy(
    'retitleAll',
    '- Context.FetchDocument\n- Context.SetInputAsVar: {name: all}\n- RunOperationOnListInNewTx: {id: retitle, list: all}\n',
  )
})

const SEEING = [404, 200, 200, 200, 200]
const WRITING = [404, 403, 200, 200, 200]
const REMOVING = [404, 403, 204, 204, 204]
const GRANTING = [404, 403, 403, 200, 200]
type Row = {
  statuses: readonly number[]
  params?: object
  input?: 'none' | 'file' | 'list'
  type?: 'Folder'
  /** Its first steps, which change nothing, are recorded as done before it is refused. */
  commits?: true
}

const row = (statuses: readonly number[], params: object = {}, more: Partial<Row> = {}): Row => ({
  statuses,
  params,
  ...more,
})

/** Each operation on a document that only some may read or write: its answers to each of the users. */
const MATRIX: { [operation: string]: Row } = {
  'Context.FetchDocument': row(SEEING),
  'Repository.GetDocument': row(SEEING, { value: 'ID' }, { input: 'none' }),
  'Document.Create': row(WRITING, { type: 'File', name: 'made' }, { type: 'Folder' }),
  'Document.Update': row(WRITING, { properties: { 'dc:title': 'changed' } }),
  'Document.Save': row(SEEING),
  'Document.SetProperty': row(WRITING, { xpath: 'dc:title', value: 'changed' }),
  'Document.IncrementProperty': row(WRITING, { xpath: 'uid:major_version' }),
  'Document.Copy': row(SEEING, { target: OPEN }),
  'Document.Move': row(WRITING, { target: OPEN }),
  'Document.Delete': row(REMOVING),
  'Document.Lock': row(WRITING),
  'Document.Unlock': row(SEEING),
  'Document.FollowLifecycleTransition': row(WRITING, { value: 'approve' }),
  'Document.CheckIn': row(WRITING, { version: 'minor' }),
  'Document.CheckOut': row(WRITING),
  'Document.CreateVersion': row(WRITING, { increment: 'Minor' }),
  'Document.GetVersions': row(SEEING),
  'Document.GetLastVersion': row([404, 204, 204, 204, 204]),
  'Document.RestoreVersion': row([404, 400, 400, 400, 400]),
  'Document.Trash': row(WRITING),
  'Document.Untrash': row(WRITING),
  'Document.EmptyTrash': row([404, 204, 204, 204, 204], { parent: 'ID' }, { input: 'none', type: 'Folder' }),
  'Document.Order': row([404, 403, 400, 400, 400]),
  'Document.AddFacet': row(WRITING, { facet: 'Thumbnail' }),
  'Document.RemoveFacet': row(SEEING, { facet: 'Thumbnail' }),
  'Document.PublishToSection': row(WRITING, { target: OPEN }),
  'Document.PublishToSections': row(WRITING, { target: [OPEN] }),
  'Document.CreateLiveProxy': row(SEEING, { 'Destination Path': OPEN }),
  'Proxy.GetSourceDocument': row(SEEING),
  'Document.RemoveProxies': row(SEEING),
  'Document.UnpublishAll': row([404, 204, 204, 204, 204]),
  'Event.Fire': row(SEEING, { name: 'contractSigned' }),
  'Document.GetChildren': row(SEEING, {}, { type: 'Folder' }),
  'Document.GetChild': row(SEEING, { name: 'child' }, { type: 'Folder' }),
  'Document.GetParent': row(SEEING),
  'Document.AddPermission': row(GRANTING, { username: 'reader', permission: 'Write' }),
  'Document.RemovePermission': row(GRANTING, { user: 'reader' }),
  'Document.BlockPermissionInheritance': row(GRANTING),
  'Document.UnblockPermissionInheritance': row(GRANTING),
  'Document.ReplacePermission': row(GRANTING, { id: 'a:Read:true', username: 'reader', permission: 'Write' }),
  'Document.AddACE': row(GRANTING, { user: 'reader', permission: 'Read', overwrite: false }),
  'Document.RemoveACL': row(GRANTING, { acl: 'other' }),
  'Document.GetBlob': row(SEEING),
  'Context.GetUsersGroupIdsWithPermissionOnDoc': row(SEEING, {
    permission: 'Read',
    'variable name': 'holders',
  }),
  'Context.GetEmailsWithPermissionOnDoc': row(SEEING, { permission: 'Read', 'variable name': 'holders' }),
  'Document.SetBlob': row([400, 400, 400, 400, 400], { file: 'a text is no file' }),
  'Blob.AttachOnDocument': row(WRITING, { document: 'ID' }, { input: 'file' }),
  'Blob.Convert': row(SEEING, { mimeType: 'text/plain' }),
  'Collection.Create': row(WRITING, { name: 'made' }, { type: 'Folder' }),
  'Document.AddToCollection': row(SEEING, { collection: `${OPEN}/collection` }),
  'Collection.RemoveFromCollection': row(SEEING, { collection: `${OPEN}/collection` }),
  'Collection.GetDocumentsFromCollection': row([404, 400, 400, 400, 400]),
  'Document.MoveCollectionMember': row([404, 400, 400, 400, 400], { member1: 'ID' }),
  'Document.AddToFavorites': row(SEEING),
  'Document.RemoveFromFavorites': row(SEEING),
  'Favorite.GetDocuments': row(SEEING),
  'Services.TagDocument': row(SEEING, { tags: 'a tag' }),
  'Services.UntagDocument': row(SEEING, { tags: 'not there' }),
  'Services.RemoveDocumentTags': row(SEEING),
  'Document.Subscribe': row(SEEING),
  'Document.Unsubscribe': row(SEEING),
  RunOperation: row(WRITING, { id: 'retitle' }),
  RunDocumentOperation: row(WRITING, { id: 'retitle' }),
  'Context.RunDocumentOperationInNewTx': row(WRITING, { id: 'retitle', rollbackGlobalOnError: true }),
  retitle: row(WRITING),
  retitleAll: row(WRITING, {}, { input: 'list', commits: true }),
}

/** Operations that touch no document of their own, or need a file as their input. */
const WITHOUT_DOCUMENT = [
  'Blob.RunConverter',
  'Blob.ToPDF',
  // Take an object that names its document: business-objects.test.ts.
  'Business.BusinessCreateOperation',
  'Business.BusinessFetchOperation',
  'Business.BusinessUpdateOperation',
  'Context.RestoreBlobInput',
  'Context.RestoreBlobsInput',
  'Context.RestoreDocumentInput',
  'Context.RestoreDocumentsInput',
  'Context.SetInputAsVar',
  'Context.SetVar',
  'Log',
  'Repository.PageProvider',
  'Repository.Query',
  'Repository.ResultSetQuery',
  'RunFileOperation',
  'RunOperationOnList',
  'RunOperationOnListInNewTx',
  'Tag.Suggestion',
  'User.GetUserWorkspace',
  'User.GetCollections',
  'Collection.Suggestion',
  'Favorite.Fetch',
  // Rights on directories, users and groups: operations-identity.test.ts.
  'Directory.Entries',
  'Directory.ReadEntries',
  'Directory.CreateEntries',
  'Directory.UpdateEntries',
  'Directory.DeleteEntries',
  'Directory.Projection',
  'Directory.SuggestEntries',
  'Directory.CreateVocabularyEntry',
  'User.Get',
  'User.Query',
  'User.CreateOrUpdate',
  'Group.CreateOrUpdate',
  'UserGroup.Suggestion',
]

test('every operation is in the matrix', () => {
  const known = new Set([...Object.keys(MATRIX), ...WITHOUT_DOCUMENT])
  expect(operations.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([])
})

let count = 0
const fresh = async (type: 'File' | 'Folder' = 'File'): Promise<Entity> => {
  const document = await make(CLOSED, `d${count++}`, type)
  if (type === 'Folder') await make(document.path, 'child')
  return document
}

const requestOf = ({ params = {}, input }: Row, id: string): Call => {
  const filled = JSON.parse(JSON.stringify(params).replaceAll('ID', id))
  if (input === 'file') return withFile({ params: filled })
  return {
    json: {
      ...(input !== 'none' && { input: `${input === 'list' ? 'docs' : 'doc'}:${id}` }),
      params: filled,
    },
  }
}

const expectUntold = (answer: Answer): void => {
  expect(answer.text).not.toMatch(/secret|closed/)
}

describe.each(Object.entries(MATRIX))('%s', (operation, entry) => {
  test.each(USERS.map((user, position) => [user, entry.statuses[position]] as const))(
    'as %s: %i',
    async (user, status) => {
      const document = await fresh(entry.type)
      const before = await traces()
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        ...requestOf(entry, document.uid),
        user,
      })
      expect(answer.status, answer.text).toBe(status)
      if (status === undefined || status < 400) return
      const after = await traces()
      expect(entry.commits ? { ...after, receipts: before.receipts } : after).toEqual(before)
      if (status === 404) expectUntold(answer)
      if (status === 403) expect(answer.json.message).toMatch(/Privilege '\w+' is not granted to '\w+'/)
    },
  )
})

test.each(['doc:/default-domain/workspaces/closed', 'docs:/default-domain/workspaces/closed'])(
  'what is hidden looks like what is not there: %s',
  async (input) => {
    for (const operation of ['Document.GetChildren', 'Document.Lock', 'retitle']) {
      const hidden = await call('POST', `${AUTOMATION}/${operation}`, { json: { input }, user: 'stranger' })
      const missing = await call('POST', `${AUTOMATION}/${operation}`, {
        json: { input: input.replace('closed', 'nothin') },
        user: 'stranger',
      })
      expect([hidden.status, hidden.text.replaceAll('closed', 'nothin')]).toEqual([404, missing.text])
    }
  },
)

test('a query finds what the caller may read, whatever it asks', async () => {
  await fresh()
  const query = async (user: User, where: string) =>
    (
      await call('POST', `${AUTOMATION}/Repository.Query`, {
        user,
        json: { params: { query: `SELECT * FROM Document WHERE ${where}` } },
      })
    ).json.resultsCount
  for (const where of [
    `ecm:path STARTSWITH '${CLOSED}'`,
    "dc:title = 'secret title'",
    "dc:title = 'x' OR dc:title <> 'x' OR dc:title IS NULL",
  ]) {
    const hidden = await query('Administrator', where)
    expect(hidden).toBeGreaterThan(0)
    expect(await query('reader', where)).toBeGreaterThan(0)
    const page = await call('POST', `${AUTOMATION}/Repository.Query`, {
      user: 'stranger',
      json: { params: { query: `SELECT * FROM Document WHERE ${where}` } },
    })
    expect(page.text).not.toMatch(/workspaces\/closed/)
  }
})

describe('time-bound rights', () => {
  const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString()

  test.each([
    ['not yet', { begin: hours(1) }, 404],
    ['no longer', { end: hours(-1) }, 404],
    ['now', { begin: hours(-1), end: hours(1) }, 200],
  ])('%s', async (_when, bounds, status) => {
    const document = await make(WORKSPACES, `timed${count++}`, 'Folder')
    await protect(document.path, [grant('stranger', 'ReadWrite', bounds), NOBODY_ELSE])
    const read = await call('POST', `${AUTOMATION}/Document.Update`, {
      user: 'stranger',
      json: { input: document.uid, params: { properties: 'dc:title=x' } },
    })
    const query = `SELECT * FROM Document WHERE ecm:uuid = '${document.uid}'`
    const found = await call('POST', `${AUTOMATION}/Repository.Query`, {
      user: 'stranger',
      json: { params: { query } },
    })
    expect([read.status, found.json.resultsCount]).toEqual([status, status === 200 ? 1 : 0])
  })
})

describe("somebody else's lock", () => {
  test.each([
    ['Document.Update', { properties: 'dc:title=x' }, 403],
    ['Document.SetProperty', { xpath: 'dc:title', value: 'x' }, 403],
    ['Document.Delete', {}, 403],
    ['Document.Move', { target: OPEN }, 403],
    ['Document.Lock', {}, 409],
    ['Document.Unlock', {}, 403],
    ['Document.CheckIn', { version: 'minor' }, 403],
    ['Document.FollowLifecycleTransition', { value: 'approve' }, 403],
    ['retitle', {}, 403],
  ])('%s', async (operation, params, status) => {
    const document = await fresh()
    const input = document.uid
    await call('POST', `${AUTOMATION}/Document.Lock`, { user: 'boss', json: { input } })
    const before = await stored(document.uid)
    const answer = await call('POST', `${AUTOMATION}/${operation}`, {
      user: 'writer',
      json: { input, params },
    })
    expect(answer.status, answer.text).toBe(status)
    expect(await stored(document.uid)).toEqual(before)
  })
})

describe('places', () => {
  const folders = async (source: string, target: string) => {
    const from = await make(WORKSPACES, `from${count++}`, 'Folder')
    const to = await make(WORKSPACES, `to${count++}`, 'Folder')
    const document = await make(from.path, 'moved')
    await protect(from.path, [
      ...source.split('+').map((permission) => grant('stranger', permission)),
      NOBODY_ELSE,
    ])
    await protect(to.path, [...(target ? [grant('stranger', target)] : []), NOBODY_ELSE])
    return { document, target: to.path }
  }

  test.each([
    ['Document.Move', 'ReadWrite', 'Read', 403],
    ['Document.Move', 'ReadWrite', '', 404],
    ['Document.Move', 'Read', 'ReadWrite', 403],
    ['Document.Move', 'Read+WriteProperties+AddChildren', 'ReadWrite', 403],
    ['Document.Move', 'ReadWrite', 'ReadWrite', 200],
    ['Document.Copy', 'Read', 'Read', 403],
    ['Document.Copy', 'Read', '', 404],
    ['Document.Copy', 'Browse', 'ReadWrite', 403],
    ['Document.Copy', 'Read', 'ReadWrite', 200],
  ])('%s from %s to "%s": %i', async (operation, source, to, status) => {
    const { document, target } = await folders(source, to)
    const before = await traces()
    const answer = await call('POST', `${AUTOMATION}/${operation}`, {
      user: 'stranger',
      json: { input: document.uid, params: { target } },
    })
    expect(answer.status, answer.text).toBe(status)
    if (status >= 400) expect(await traces()).toEqual(before)
  })

  test('what lies below and may not be removed keeps the whole where it is', async () => {
    const folder = await make(CLOSED, `deep${count++}`, 'Folder')
    const kept = await make(folder.path, 'kept')
    await protect(kept.path, [grant('writer', 'Read'), NOBODY_ELSE])
    for (const [operation, params] of [
      ['Document.Delete', {}],
      ['Document.Move', { target: OPEN }],
    ] as const) {
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        user: 'writer',
        json: { input: folder.uid, params },
      })
      expect(answer.status, answer.text).toBe(403)
    }
  })

  test('a copy leaves out what its maker may not read', async () => {
    const folder = await make(CLOSED, `partly${count++}`, 'Folder')
    const hidden = await make(folder.path, 'hidden')
    await protect(hidden.path, [NOBODY_ELSE])
    const copy = await call('POST', `${AUTOMATION}/Document.Copy`, {
      user: 'reader',
      json: { input: folder.uid, params: { target: OPEN, name: 'partial' } },
    })
    const children = await call('GET', `/api/v1/id/${copy.json.uid}/@children`)
    expect([copy.status, children.json.entries]).toEqual([200, []])
  })
})

describe('routes', () => {
  const chainYaml = '- Log: {message: hello}\n'
  const yaml = (query = ''): [string, string, Call] => [
    'PUT',
    `/api/v1/contributions/chains/mine${query}`,
    { body: chainYaml, headers: { 'Content-Type': 'application/yaml' } },
  ]
  const ALL: [string, string, Call][] = [
    ['GET', AUTOMATION, {}],
    ['GET', `${AUTOMATION}/Log`, {}],
    ['GET', '/site/automation', {}],
    ['POST', `${AUTOMATION}/login`, {}],
    ['POST', `${AUTOMATION}/Log`, { json: { params: { message: 'x' } } }],
    ['POST', `${AUTOMATION}/retitle`, { json: {} }],
    ['POST', `${AUTOMATION}/retitle/@async`, { json: {} }],
    ['GET', `${AUTOMATION}/retitle/@async/x/status`, {}],
    ['GET', `${AUTOMATION}/retitle/@async/x`, {}],
    ['DELETE', `${AUTOMATION}/retitle/@async/x`, {}],
    ['GET', `${AUTOMATION}/runs/x`, {}],
    ['GET', '/api/v1/contributions/chains', {}],
    ['GET', '/api/v1/contributions/chains/schema.json', {}],
    ['GET', '/api/v1/contributions/chains/retitle', {}],
    yaml(),
    yaml('?dryRun=true'),
    ['DELETE', '/api/v1/contributions/chains/retitle', {}],
    ['POST', `/api/v1/path${OPEN}/@convert?type=text/plain`, {}],
    ['GET', '/api/v1/conversion/x/poll', {}],
    ['GET', '/api/v1/conversions/x/result', {}],
  ]
  const wrong = `Basic ${Buffer.from('writer:wrong').toString('base64')}`

  test.each(ALL)('%s %s is for nobody without a name', async (method, path, request) => {
    const before = await traces()
    for (const headers of [
      {},
      { Authorization: wrong },
      { Authorization: 'Basic ====' },
      { Authorization: 'Bearer x' },
    ]) {
      const answer = await call(method, path, {
        ...request,
        user: null,
        headers: { ...request.headers, ...headers } as Record<string, string>,
      })
      expect([answer.status, answer.json['entity-type']]).toEqual([401, 'exception'])
    }
    expect(await traces()).toEqual(before)
  })

  test.each([
    yaml(),
    yaml('?dryRun=true'),
    ['DELETE', '/api/v1/contributions/chains/retitle', {}] as [string, string, Call],
  ])('%s %s is for administrators', async (method, path, request) => {
    const before = await traces()
    for (const user of ['stranger', 'writer', 'boss']) {
      const answer = await call(method, path, { ...request, user })
      expect([answer.status, answer.json.message]).toEqual([
        403,
        'Only administrators may deploy or delete chains',
      ])
    }
    expect(await traces()).toEqual(before)
  })
})

describe('runs', () => {
  const asyncRun = async (user: User): Promise<string> => {
    const document = await fresh()
    const answer = await call('POST', `${AUTOMATION}/retitle/@async`, { user, json: { input: document.uid } })
    expect(answer.status, answer.text).toBe(202)
    return answer.headers.get('Archivolt-Workflow-Id') ?? ''
  }
  const routesOf = (id: string): [string, string][] => [
    ['GET', `${AUTOMATION}/retitle/@async/${id}/status`],
    ['GET', `${AUTOMATION}/retitle/@async/${id}`],
    ['GET', `${AUTOMATION}/runs/${id}`],
    ['DELETE', `${AUTOMATION}/retitle/@async/${id}`],
  ]

  test("are their caller's and the administrators'", async () => {
    const id = await asyncRun('writer')
    for (const [method, path] of routesOf(id)) {
      const answer = await call(method, path, { user: 'boss' })
      expect([answer.status, answer.json.message]).toEqual([404, id])
    }
    expect((await call('GET', `${AUTOMATION}/runs/${id}`, { user: 'writer' })).status).toBe(200)
    expect((await call('GET', `${AUTOMATION}/runs/${id}`)).status).toBe(200)
  })

  test("are not started, found or answered by a key of somebody else's", async () => {
    const document = await fresh()
    const headers = { 'Idempotency-Key': 'one' }
    for (const operation of ['retitle', 'Document.FollowLifecycleTransition']) {
      const json = { input: document.uid, params: { value: 'approve' } }
      const mine = await call('POST', `${AUTOMATION}/${operation}`, { user: 'writer', headers, json })
      const again = await call('POST', `${AUTOMATION}/${operation}`, { user: 'writer', headers, json })
      expect([mine.status, again.status]).toEqual([200, 200])
      const read = await call('POST', `${AUTOMATION}/${operation}`, { user: 'reader', headers, json })
      const hidden = await call('POST', `${AUTOMATION}/${operation}`, { user: 'stranger', headers, json })
      expect([read.status, hidden.status]).toEqual([403, 404])
      const other = await call('POST', `${AUTOMATION}/${operation}`, {
        user: 'writer',
        headers,
        json: { ...json, context: { a: 1 } },
      })
      expect([other.status, other.json.message]).toEqual([409, expect.stringContaining('Idempotency-Key')])
    }
  })

  test('answer a repeated key with the rights of now', async () => {
    const document = await fresh()
    const headers = { 'Idempotency-Key': 'two' }
    const json = { input: document.uid, params: { value: 'approve' } }
    const path = `${AUTOMATION}/Document.FollowLifecycleTransition`
    expect((await call('POST', path, { user: 'writer', headers, json })).status).toBe(200)
    await protect(document.path, [grant('boss', 'Everything'), NOBODY_ELSE])
    const after = await call('POST', path, { user: 'writer', headers, json })
    expect(after.status).toBe(404)
    expectUntold(after)
  })
})

test("a conversion is its caller's", async () => {
  const document = await fresh()
  for (const user of ['stranger'] as const) {
    const refused = await call('POST', `/api/v1/id/${document.uid}/@convert?type=text/plain&async=true`, {
      user,
    })
    expect(refused.status).toBe(404)
  }
  const asked = await call('POST', `/api/v1/id/${document.uid}/@convert?type=text/html&async=true`, {
    user: 'reader',
  })
  expect(asked.status).toBe(202)
  const id = asked.json.conversionId
  for (const root of ['conversion', 'conversions'])
    for (const what of ['poll', 'result']) {
      const answer = await call('GET', `/api/v1/${root}/${id}/${what}`, { user: 'writer' })
      expect([answer.status, answer.json.message]).toEqual([404, `Conversion ${id} does not exist`])
    }
  for (const path of [`${AUTOMATION}/runs/conversion-${id}`, `${AUTOMATION}/x/@async/conversion-${id}`])
    expect((await call('GET', path, { user: 'reader' })).status).toBe(404)
  expect([200, 404]).toContain(
    (await call('GET', `/api/v1/conversions/${id}/poll`, { user: 'reader' })).status,
  )
})
