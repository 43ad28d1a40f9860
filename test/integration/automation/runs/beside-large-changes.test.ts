import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../../../core/access/security/index.js'
import { createDocument, getDocument } from '../../../../core/content/documents/index.js'
import { createTestService } from '../../support/bad-input-support.js'

const { call, platform, deploy } = await createTestService()
const WORKSPACES = '/default-domain/workspaces'
/** More than what is short enough to wait for. */
const FILES = 6_000

/** No call waits longer for a large change of others, milliseconds. */
const MAX_WAIT_MS = 1_000
const ROUNDS = 6

/** A folder with many files. */
const folder = await platform.withSession(SYSTEM, (session) =>
  createDocument(session, { parent: WORKSPACES, name: 'large', type: 'Folder' }),
)
await platform.database.sql`
  INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
  SELECT gen_random_uuid(), id, 'file-' || n, path || '/file-' || n, 'File', 'project', scope_id, '{}'
  FROM documents, generate_series(1, ${FILES}::int) n WHERE id = ${folder.id}`
const file = `/api/v1/path${folder.path}/file-1`

const write = (path: string) =>
  call('PUT', path, { json: { 'entity-type': 'document', properties: { 'dc:title': 'changed' } } })

const timed = async <Result>(work: () => Promise<Result>): Promise<{ took: number; result: Result }> => {
  const start = performance.now()
  const result = await work()
  return { took: performance.now() - start, result }
}

/** Holds the large folder like a change of it, for as long as some work takes. */
const whileLarge = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  platform.withSession(SYSTEM, async (session) => {
    await session.stores.subtrees.lock(await getDocument(session, folder.id))
    return work()
  })

/** What meets a large change: changes of a document below the folder, and of the folder. */
const changesBelow = () =>
  whileLarge(() =>
    Promise.all([
      ...Array.from({ length: 4 }, () => timed(() => write(file))),
      timed(() => call('DELETE', file)),
      timed(() =>
        call('POST', `/api/v1/path${folder.path}`, {
          json: { 'entity-type': 'document', type: 'File', name: 'new' },
        }),
      ),
      timed(() =>
        call('POST', '/api/v1/automation/Document.Trash', { json: { input: `doc:${folder.path}/file-2` } }),
      ),
    ]),
  )

test('whoever meets a large change is told to try again within a second', async () => {
  // A busy machine makes one round slow, but not each.
  const longest: number[] = []
  while (longest.length < ROUNDS && !longest.some((took) => took < MAX_WAIT_MS)) {
    const tries = await changesBelow()
    for (const { result } of tries) {
      expect([result.status, result.headers.get('Retry-After')]).toEqual([409, '1'])
      expect(result.json.message).toContain('A large change of the same documents is under way')
    }
    longest.push(Math.max(...tries.map(({ took }) => took)))
  }
  expect(Math.min(...longest)).toBeLessThan(MAX_WAIT_MS)
  expect((await write(file)).status).toBe(200)
})

test('readers and changes elsewhere are not concerned', async () => {
  const [read, beside] = await whileLarge(async () => {
    await sleep(600)
    return Promise.all([call('GET', file), write(`/api/v1/path${WORKSPACES}`)])
  })
  expect([read.status, beside.status]).toEqual([200, 200])
})

test('a run waits for its end', async () => {
  await deploy('touch', '- Document.Update: {properties: {dc:title: by a run}}')
  const running = await whileLarge(async () => {
    const started = call('POST', '/api/v1/automation/touch', { json: { input: `doc:${folder.path}/file-3` } })
    await sleep(1_200)
    return { started }
  })
  expect((await running.started).status).toBe(200)
  const { json } = await call('GET', `/api/v1/path${folder.path}/file-3`, { headers: { properties: '*' } })
  expect(json.properties['dc:title']).toBe('by a run')
})

test('a change that holds few documents is waited for', async () => {
  const small = await platform.withSession(SYSTEM, (session) =>
    createDocument(session, { parent: WORKSPACES, name: 'small', type: 'Folder' }),
  )
  const changing = await platform.withSession(SYSTEM, async (session) => {
    await session.stores.subtrees.lock(await getDocument(session, small.id))
    const writing = write(`/api/v1/path${small.path}`)
    await sleep(800)
    return { writing }
  })
  expect((await changing.writing).status).toBe(200)
})
