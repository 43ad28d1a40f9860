import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import { getUserWorkspace } from '../../../core/content/user-workspaces/index.js'
import { eventsOf } from '../support/collaboration-support.js'
import { ADMINISTRATOR, createOperationBench, documentOf } from '../support/operations-support.js'
import { addUser, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const bench = await createOperationBench()
afterAll(bench.close)
const { run, platform } = bench
const call = createClient(platform)
const ROOT = '/default-domain/UserWorkspaces'

const user = (name: string) => principalOf(name, ['members'], false)
const home = async (name: string) => documentOf(await run('User.GetUserWorkspace', { as: user(name) }))

describe('User.GetUserWorkspace', () => {
  test('makes a workspace of its own for each user, once', async () => {
    const ann = await home('ann')
    expect(ann).toMatchObject({
      type: 'Workspace',
      path: `${ROOT}/ann`,
      properties: { 'dc:title': 'ann', 'dc:creator': 'ann' },
    })
    expect((await home('ann')).id).toBe(ann.id)
    expect((await home('bob')).id).not.toBe(ann.id)
    expect(documentOf(await run('UserWorkspace.Get', { as: user('ann') })).id).toBe(ann.id)
    expect((await eventsOf(platform, ann.id)).map(({ event, principal }) => [event, principal])).toEqual([
      ['documentCreated', 'ann'],
      ['userWorkspaceCreated', 'ann'],
    ])
  })

  test('gives one document to many first calls at once', async () => {
    const fresh = await createTestPlatform()
    const names = Array.from({ length: 12 }, (_, index) => `crowd${index % 3}`)
    const made = await Promise.all(
      names.map((name) => fresh.withSession(user(name), (session) => getUserWorkspace(session))),
    )
    expect(new Set(made.map(({ path }) => path)).size).toBe(3)
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
    const rows = await fresh.database.sql`
      SELECT path FROM documents WHERE path >= ${ROOT} AND path < ${`${ROOT}0`} ORDER BY path`
    expect(rows.map(({ path }) => path)).toEqual([ROOT, `${ROOT}/crowd0`, `${ROOT}/crowd1`, `${ROOT}/crowd2`])
  })

  test('is titled by first and last name', async () => {
    await addUser(platform, 'full')
    await addUser(platform, 'half')
    const { sql } = platform.database
    await sql`UPDATE users SET first_name = 'Fay', last_name = 'Full' WHERE username = 'full'`
    await sql`UPDATE users SET first_name = ' ', last_name = 'Half' WHERE username = 'half'`
    expect((await home('full')).properties['dc:title']).toBe('Fay Full')
    expect((await home('half')).properties['dc:title']).toBe('Half')
  })

  test('keeps names apart that a path could not hold', async () => {
    const paths = await Promise.all(['a/b', 'a-b', 'a\\b', '..'].map(async (name) => (await home(name)).path))
    expect(paths).toEqual([`${ROOT}/a~2fb`, `${ROOT}/a-b`, `${ROOT}/a~5cb`, `${ROOT}/~2e~2e`])
  })

  test('is open to its owner and closed to everybody else', async () => {
    await addUser(platform, 'olaf')
    await addUser(platform, 'nosy')
    const { id } = await home('olaf')
    const json = { 'entity-type': 'document', type: 'Note', name: 'note' }
    expect((await call('POST', `/api/v1/id/${id}`, { user: 'olaf', json })).status).toBe(201)
    const statuses = async (name: string) => [
      (await call('GET', `/api/v1/id/${id}`, { user: name })).status,
      (await call('GET', `/api/v1/path${ROOT}/olaf/note`, { user: name })).status,
      (await call('GET', `/api/v1/path${ROOT}`, { user: name })).status,
      (await call('POST', `/api/v1/path${ROOT}`, { user: name, json })).status,
    ]
    expect(await statuses('nosy')).toEqual([404, 404, 404, 404])
    expect(await statuses('olaf')).toEqual([200, 200, 404, 404])
    const acls = (await call('GET', `/api/v1/path${ROOT}/@acl`)).json.acl
    expect(acls.flatMap((acl: { ace: object[] }) => acl.ace)).toMatchObject([
      { username: 'Everyone', permission: 'Everything', granted: false },
    ])
  })
})

describe('the contribution userWorkspaces', () => {
  const withRules = async (yaml: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'archivolt-rules-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'rules.yaml'), yaml)
    return createTestPlatform({ ARCHIVOLT_CONFIG: folder })
  }

  test('says where, of which type, and with what a workspace is made', async () => {
    const other = await withRules(`
userWorkspaces:
  default:
    domain: staff
    root: { name: Homes, type: Folder }
    type: OrderedFolder
    properties: { dc:description: Yours }
    acl: [{ grant: Read, to: auditors }]
    children:
      Inbox: { type: Folder, properties: { dc:title: In } }
defaultContent:
  /staff: { type: Domain }
`)
    const made = await other.withSession(user('ann'), getUserWorkspace)
    expect(made).toMatchObject({
      path: '/staff/Homes/ann',
      type: 'OrderedFolder',
      properties: { 'dc:description': 'Yours', 'dc:title': 'ann' },
    })
    const session = other.readSession(ADMINISTRATOR)
    expect(await session.stores.documents.get('/staff/Homes/ann/Inbox')).toMatchObject({
      type: 'Folder',
      properties: { 'dc:title': 'In' },
    })
    expect((await session.stores.acls.local(made.id)).flatMap(({ aces }) => aces)).toMatchObject([
      { username: 'ann', permission: 'Everything' },
      { username: 'auditors', permission: 'Read' },
    ])
  })

  test('falls back to the oldest domain, and says so when there is none', async () => {
    const other = await withRules('userWorkspaces:\n  default: { domain: gone }\n')
    expect((await other.withSession(user('ann'), getUserWorkspace)).path).toBe(`${ROOT}/ann`)
    await other.database.sql`DELETE FROM documents WHERE type = 'Domain' OR path LIKE '/default-domain/%'`
    await expect(other.withSession(user('bob'), getUserWorkspace)).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each([
    ['a type that does not exist', 'type: Wrkspace', /Wrkspace/],
    ['a name with a slash', 'domain: a/b', /slash/],
    ['an unknown field', 'class: Mine', /class/],
  ])('is refused with %s', async (_kind, field, message) => {
    await expect(withRules(`userWorkspaces:\n  default: { ${field} }\n`)).rejects.toThrow(message)
  })
})
