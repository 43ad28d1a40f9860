import { expect, test } from 'vitest'
import { soon } from '../../../support/soon.js'
import { createTestService } from '../../support/bad-input-support.js'
import { addUser, type Entity } from '../../support/rest-client.js'

const { call, platform } = await createTestService({ ARCHIVOLT_LARGE_SUBTREE: '3' })
await addUser(platform, 'ann', ['members'])
const WORKSPACES = '/default-domain/workspaces'
const RUN = 'archivolt-workflow-id'
let count = 0

/** A folder with as many files, and its path. */
const folderOf = async (files: number): Promise<Entity> => {
  const create = async (parent: string, type: string, name: string): Promise<Entity> =>
    (await call('POST', `/api/v1/path${parent}`, { json: { 'entity-type': 'document', type, name } })).json
  const folder = await create(WORKSPACES, 'Folder', `folder-${count++}`)
  for (let file = 0; file < files; file++) await create(folder.path, 'File', `file-${file}`)
  return folder
}

const run = (operation: string, input: string, params: object = {}, headers: Record<string, string> = {}) =>
  call('POST', `/api/v1/automation/${operation}`, { json: { input: `doc:${input}`, params }, headers })

const statusOf = async (path: string): Promise<number> => (await call('GET', `/api/v1/path${path}`)).status

test('a small subtree is changed by the call itself', async () => {
  const { uid } = await folderOf(2)
  const { status, headers } = await run('Document.Trash', uid)
  expect([status, headers.has(RUN)]).toEqual([200, false])
})

test.each<[string, object, (path: string) => string]>([
  ['Document.Move', { target: '/default-domain/sections' }, (path) => path.replace('workspaces', 'sections')],
  ['Document.Copy', { target: '/default-domain/sections' }, (path) => path.replace('workspaces', 'sections')],
  ['Document.Trash', {}, () => '.trashed'],
])('%s of a large subtree is a run, whose output is the answer', async (operation, params, placeOf) => {
  const folder = await folderOf(3)
  const { status, headers, json } = await run(operation, folder.uid, params)
  expect(status).toBe(200)
  expect(json.path).toContain(placeOf(folder.path))
  expect(await statusOf(`${json.path}/file-2`)).toBe(200)
  const report = await call('GET', `/api/v1/automation/runs/${headers.get(RUN)}`)
  expect(report.json).toMatchObject({ chainId: operation, status: 'COMPLETED' })
})

test.each<[string, object]>([
  ['Document.Copy', { target: '/default-domain/sections' }],
  ['Document.Move', { target: '/default-domain/sections' }],
  ['Document.Trash', {}],
  ['Document.Delete', {}],
])('%s of a list counts its subtrees together, each as often as it is named', async (operation, params) => {
  const uids: string[] = []
  for (const files of [1, 1, 0]) uids.push((await folderOf(files)).uid)
  const [first, second, empty] = uids
  const isRun = async (...named: unknown[]) => {
    const json = { input: `docs:${named.join(',')}`, params }
    const { status, headers } = await call('POST', `/api/v1/automation/${operation}`, { json })
    return [status < 300, headers.has(RUN)]
  }
  if (operation === 'Document.Copy') expect(await isRun(first, first)).toEqual([true, true])
  expect(await isRun(first, second)).toEqual([true, true])
  if (operation === 'Document.Copy') expect(await isRun(first, empty)).toEqual([true, false])
})

/** A folder with as many files in its trash, in a folder of their own or not, beside one that is not. */
const trashOf = async (files: number, isInFolder = false): Promise<Entity> => {
  const folder = await folderOf(files + 1)
  const names = Array.from({ length: files }, (_, file) => `file-${file + 1}`)
  const { path } = folder
  if (isInFolder) {
    const json = { 'entity-type': 'document', type: 'Folder', name: 'sub' }
    const sub = (await call('POST', `/api/v1/path${path}`, { json })).json
    for (const name of names) await run('Document.Move', `${path}/${name}`, { target: sub.uid })
    await run('Document.Trash', sub.uid)
  } else for (const name of names) await run('Document.Trash', `${path}/${name}`)
  return folder
}

const emptyTrash = (params: object, headers: Record<string, string> = {}) =>
  call('POST', '/api/v1/automation/Document.EmptyTrash', { json: { params }, headers })

const childrenOf = async ({ uid }: Entity): Promise<string[]> => {
  const query = `SELECT * FROM Document WHERE ecm:parentId = '${uid}'`
  const { json } = await call('GET', `/api/v1/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
  return json.entries.map(({ path }: Entity) => path)
}

test.each<[string, number, boolean, boolean]>([
  ['three documents, as many as a call may remove', 3, false, false],
  ['four documents', 4, false, true],
  ['a folder of two', 2, true, false],
  ['a folder of three', 3, true, true],
])('to empty a trash of %s is a run when that is more than may be', async (_, files, isInFolder, isRun) => {
  const folder = await trashOf(files, isInFolder)
  const { status, headers } = await emptyTrash({ parent: `doc:${folder.path}` })
  expect([status, headers.has(RUN)]).toEqual([204, isRun])
  expect(await childrenOf(folder)).toEqual([`${folder.path}/file-0`])
  if (!isRun) return
  const report = await call('GET', `/api/v1/automation/runs/${headers.get(RUN)}`)
  expect(report.json).toMatchObject({ chainId: 'Document.EmptyTrash', status: 'COMPLETED' })
})

test('whoever does not wait for a trash to be emptied learns of the run, and refusals are those of the call', async () => {
  const folder = await trashOf(4)
  const { status, headers } = await emptyTrash({ parent: folder.uid }, { Prefer: 'wait=0' })
  expect([status, headers.has(RUN)]).toEqual([202, true])
  await soon(async () => expect(await childrenOf(folder)).toEqual([`${folder.path}/file-0`]))
  const refused = [
    await emptyTrash({ parent: '/nowhere' }),
    await emptyTrash({}),
    await emptyTrash({ parent: {} }),
  ]
  expect(refused.map((answer) => answer.status)).toEqual([404, 400, 400])
})

test('whoever does not wait for it learns of the run', async () => {
  const folder = await folderOf(3)
  const { status, headers } = await run('Document.Delete', folder.uid, {}, { Prefer: 'wait=0' })
  expect([status, headers.has(RUN)]).toEqual([202, true])
  const address = new URL(headers.get('location') ?? '').pathname
  await soon(async () => expect((await call('GET', address)).status).toBe(303))
  expect(await statusOf(folder.path)).toBe(404)
})

test('whoever has waited as long as it says learns of the run, which goes on', async () => {
  const folder = await folderOf(3)
  const file = `${folder.path}/file-1`
  const asked = Date.now()
  // The run has to wait for whoever holds one of its documents.
  await platform.database.sql.begin(async (holding) => {
    await holding`SELECT FROM documents WHERE path = ${file} FOR UPDATE`
    const { status, headers, text } = await run('Document.Delete', folder.uid, {}, { Prefer: 'wait=1' })
    expect([status, text]).toEqual([202, ''])
    // A timer may be some milliseconds early.
    expect(Date.now() - asked).toBeGreaterThan(900)
    const report = await call('GET', `/api/v1/automation/runs/${headers.get(RUN)}`)
    expect(report.json.status).toBe('RUNNING')
    expect(new URL(headers.get('location') ?? '').pathname).toContain(headers.get(RUN))
  })
  await soon(async () => expect(await statusOf(folder.path)).toBe(404))
})

test('whoever waits longer than it takes gets its answer', async () => {
  const folder = await folderOf(3)
  const { status, headers } = await run('Document.Delete', folder.uid, {}, { Prefer: 'wait=300' })
  expect([status, headers.has(RUN)]).toEqual([204, true])
  expect(await statusOf(folder.path)).toBe(404)
})

test('a large subtree is removed in pages, and a page leaves whole what it leaves', async () => {
  const folder = await folderOf(3)
  expect((await run('Document.DeletePage', folder.uid, { size: 0 })).status).toBe(400)
  expect((await run('Document.DeletePage', folder.uid, { size: 2 })).json.uid).toBe(folder.uid)
  const files = ['file-0', 'file-1', 'file-2'].map((name) => `${folder.path}/${name}`)
  expect(await Promise.all([folder.path, ...files].map(statusOf))).toEqual([200, 200, 404, 404])
  const large = await folderOf(3)
  const { headers } = await run('Document.Delete', large.uid)
  const { json } = await call('GET', `/api/v1/automation/runs/${headers.get(RUN)}`)
  expect(json.items).toEqual({ done: 1, failed: 0, total: 1 })
})

test('DELETE of a large subtree is a run, too, with the rights of its caller', async () => {
  const folder = await folderOf(3)
  const remove = (user: string, headers: Record<string, string> = {}) =>
    call('DELETE', `/api/v1/id/${folder.uid}`, { user, headers })
  expect((await remove('ann')).status).toBe(403)
  expect(await statusOf(folder.path)).toBe(200)
  const { status, headers } = await remove('Administrator')
  expect([status, headers.has(RUN)]).toEqual([204, true])
  expect(await statusOf(folder.path)).toBe(404)
})

test('a call with an Idempotency-Key is one transaction', async () => {
  const folder = await folderOf(3)
  const remove = () => run('Document.Delete', folder.uid, {}, { 'Idempotency-Key': 'remove-once' })
  for (const repeated of [false, true]) {
    const { status, headers } = await remove()
    expect([repeated, status, headers.has(RUN)]).toEqual([repeated, 204, false])
  }
})
