import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, expect, inject, test } from 'vitest'
import { type Ace, type PermissionModel, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import {
  createDocument,
  getDocument,
  queryDocuments,
  setAcls,
} from '../../../core/content/documents/index.js'
import { createAutomationRuntime, createPlatform } from '../../../runtime/index.js'
import {
  createAccessUpkeep,
  createContentStores,
  refreshAceStatuses,
} from '../../../storage/postgres/index.js'
import { startUpkeepOnDemand } from '../../../worker/on-demand/access-upkeep.js'
import { createTestPlatform } from '../../support/platform.js'
import { soon } from '../../support/soon.js'
import { startTestWorker } from '../../support/start-worker.js'
import { uniqueName } from '../../support/template.js'

const { platform, settings } = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const { sql } = platform.database
const ANN = principalOf('ann', [], false)

const folder = (name: string) =>
  platform.withSession(SYSTEM, (session) => createDocument(session, { parent: '/', name, type: 'Folder' }))

const inMillis = (millis: number) => new Date(Date.now() + millis).toISOString()

const statuses = async (id: string) => {
  const rows = await sql<{ status: number | null }[]>`
    SELECT status FROM document_acls WHERE document_id = ${id} ORDER BY position`
  return rows.map(({ status }) => status)
}

const reported = async (id: string) =>
  sql<{ payload: { aces: object[] } }[]>`
    SELECT payload FROM outbox WHERE event = 'ACEStatusUpdated' AND document_id = ${id} ORDER BY id`

test('rights follow the clock at once, the stored status and its event when the upkeep comes by', async () => {
  const { id } = await folder('dated')
  const entry = { username: 'ann', permission: 'Read', granted: true }
  const canRead = () =>
    getDocument(platform.readSession(ANN), id).then(
      () => true,
      () => false,
    )
  /** Lets an entry change soon, and returns how things stand before. A machine may stand still for longer than that. */
  const changesIn = async (
    millis: number,
    datesOf: (date: string) => { begin?: string; end?: string },
  ): Promise<[boolean, unknown]> => {
    const date = Date.now() + millis
    const aces = [
      { ...entry, ...datesOf(new Date(date).toISOString()) },
      { ...entry, end: inMillis(-1_000) },
      { ...entry, permission: 'Write' },
    ]
    await platform.withSession(SYSTEM, async (session) =>
      setAcls(session, await getDocument(session, id), [{ name: 'local', aces }]),
    )
    const before: [boolean, unknown] = [await canRead(), await statuses(id)]
    return Date.now() < date ? before : changesIn(millis * 2, datesOf)
  }
  const begins = await changesIn(1_000, (begin) => ({ begin, end: inMillis(3_600_000) }))
  expect(begins).toEqual([false, [0, 2, null]])
  await soon(async () => expect(await canRead()).toBe(true))
  expect(await statuses(id)).toEqual([0, 2, null])
  expect(await refreshAceStatuses(platform.database)).toBe(1)
  expect(await statuses(id)).toEqual([1, 2, null])
  expect(await reported(id)).toMatchObject([
    {
      payload: {
        path: '/dated',
        aces: [{ acl: 'local', username: 'ann', permission: 'Read', status: 'effective' }],
      },
    },
  ])
  expect(await refreshAceStatuses(platform.database)).toBe(0)
  const ends = await changesIn(1_000, (end) => ({ begin: inMillis(-3_600_000), end }))
  expect(ends).toEqual([true, [1, 2, null]])
  await soon(async () => expect(await canRead()).toBe(false))
  expect(await refreshAceStatuses(platform.database)).toBe(1)
  expect(await statuses(id)).toEqual([2, 2, null])
})

test('a change that leaves documents to the upkeep starts it', async () => {
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
  const runtime = await createAutomationRuntime(platform)
  const stopWorker = await startTestWorker({ connection, settings, platform, runtime })
  const stop = await startUpkeepOnDemand({ connection, platform })
  afterAll(async () => {
    await stop()
    await stopWorker()
    await runtime.close()
    await connection.close()
  })
  const { id } = await folder('large')
  await platform.withSession(SYSTEM, async (session, tx) => {
    const stores = createContentStores({
      sql: tx,
      principal: SYSTEM,
      permissions: session.permissions,
      aclCache: new Map(),
      maxEagerDocuments: 0,
    })
    await setAcls({ ...session, stores }, await getDocument({ ...session, stores }, id), [])
    await setAcls({ ...session, stores }, await getDocument({ ...session, stores }, id), [
      { name: 'local', aces: [{ username: 'ann', permission: 'Read', granted: true }] },
    ])
  })
  expect((await sql`SELECT FROM acl_scopes WHERE is_pending`).count).toBeGreaterThan(0)
  await soon(async () =>
    expect(await sql`SELECT FROM acl_scopes WHERE is_pending OR is_split`).toHaveLength(0),
  )
  const client = new Client({ connection })
  const result = await client.workflow.getHandle(`${settings.temporal.taskQueue}-access-upkeep-now`).result()
  expect(result).toMatchObject({ left: 0 })
})

test('what a deployment of permissions lets browse is what queries find after the upkeep', async () => {
  const { id } = await folder('peeked')
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, id), [
      { name: 'local', aces: [{ username: 'ann', permission: 'Moderate', granted: true }] },
    ]),
  )
  const found = async () => {
    const { entries } = await queryDocuments(
      platform.readSession(ANN),
      "SELECT * FROM Folder WHERE ecm:name = 'peeked'",
    )
    return entries.length
  }
  expect(await found()).toBe(0)
  const { permissions } = platform.readSession(SYSTEM)
  const wider: PermissionModel = {
    ...permissions,
    accepted: (permission) =>
      permission === 'Browse'
        ? new Set([...permissions.accepted('Browse'), 'Moderate'])
        : permissions.accepted(permission),
  }
  const derive = (model: PermissionModel) =>
    createAccessUpkeep(platform.databases, async () => model).deriveAcls()
  expect(await derive(wider)).toBeGreaterThan(0)
  expect(await found()).toBe(1)
  expect(await derive(wider)).toBe(0)
  await derive(permissions)
  expect(await found()).toBe(0)
})

test('the first start after release 0.1.0 puts right what that has left open, once', async () => {
  const make = async (parent: string, name: string, aces: readonly Ace[]) =>
    platform.withSession(SYSTEM, async (session) =>
      setAcls(session, await createDocument(session, { parent, name, type: 'Folder' }), [
        { name: 'local', aces },
      ]),
    )
  const read = (username: string, granted = true): Ace => ({ username, permission: 'Read', granted })
  const block: Ace = { username: 'Everyone', permission: 'Everything', granted: false }
  await make('/', 'p', [read('ann')])
  await make('/p', 'a', [])
  await make('/p', 'a-b', [read('eve')])
  await make('/p/a', 'b', [read('bob')])
  const aclOf = async (path: string): Promise<number> => {
    const [row] = await sql<{ id: number }[]>`SELECT acl_id AS id FROM acl_scopes WHERE path = ${path}`
    return row!.id
  }
  const open = await aclOf('/p/a/b')
  await platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, '/p/a'), [{ name: 'local', aces: [block] }]),
  )
  const closed = await aclOf('/p/a/b')
  /** As a change at `/p` left it. */
  const leaveOpen = () => sql`UPDATE acl_scopes SET acl_id = ${open} WHERE path = '/p/a/b'`
  const canRead = () =>
    getDocument(platform.readSession(ANN), '/p/a/b').then(
      () => true,
      () => false,
    )
  const start = async () => (await createPlatform(settings, pino({ level: 'silent' }))).close()

  await leaveOpen()
  await sql`DELETE FROM repairs`
  expect(await canRead()).toBe(true)
  await Promise.all([start(), start()])
  expect(await canRead()).toBe(false)
  expect(await aclOf('/p/a/b')).toBe(closed)

  await leaveOpen()
  await start()
  expect(await aclOf('/p/a/b')).toBe(open)
})
