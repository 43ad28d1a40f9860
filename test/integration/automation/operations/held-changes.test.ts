import { afterAll, expect, inject, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { principalOf, SYSTEM } from '../../../../core/access/security/index.js'
import { copyDocument, createDocument, type Session } from '../../../../core/content/documents/index.js'
import { emptyTrash, trashDocument } from '../../../../core/content/trash/index.js'
import { uniqueName } from '../../../support/template.js'
import { addUser, createClient } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const platform = await createTestPlatform({
  ARCHIVOLT_HOLD_SECONDS: '1',
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
await addUser(platform, 'ann', ['members'])

const run = (operation: string, params: object, more: { user: string; context?: object; input?: string }) => {
  const { user, ...rest } = more
  return call('POST', `/site/automation/${operation}`, { user, json: { params, ...rest } })
}
const made = await call('POST', '/api/v1/path/', {
  json: { 'entity-type': 'document', type: 'File', name: 'held', properties: { 'dc:title': 'held' } },
})
const { uid } = made.json
await run(
  'Document.AddPermission',
  { user: 'ann', permission: 'ReadWrite' },
  { user: 'Administrator', input: `doc:${uid}` },
)

/** An operation as often as two loops, one in the other, say; all of it in one transaction. */
const nested = (operation: string, parameters: object, { user, times }: { user: string; times: number }) =>
  run(
    'RunOperationOnList',
    {
      id: 'RunOperationOnList',
      list: 'outer',
      parameters: { id: operation, list: 'inner', item: 'it', parameters },
    },
    { user, input: `doc:${uid}`, context: { outer: Array(times).fill('x'), inner: Array(times).fill('y') } },
  )

const described = async (): Promise<unknown> =>
  (await call('GET', `/api/v1/id/${uid}`, { headers: { 'X-NXproperties': '*' } })).json.properties[
    'dc:description'
  ]

test('what a call changes is held for no longer than others may be kept waiting, and undone then', async () => {
  const begun = performance.now()
  const call = nested(
    'Document.SetProperty',
    { xpath: 'dc:description', value: 'long' },
    { user: 'ann', times: 1_000 },
  )
  const answer = await call
  expect(answer.status).toBe(504)
  expect(answer.json.message).toContain('was rolled back')
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(await described()).toBeNull()
})

test('publications of a list of documents are held for no longer, either', async () => {
  const create = async (parent: string, type: string, name: string): Promise<string> =>
    (await call('POST', `/api/v1/id/${parent}`, { json: { 'entity-type': 'document', type, name } })).json.uid
  const rootOf = async (name: string): Promise<string> =>
    (await call('GET', `/api/v1/path/default-domain/${name}`)).json.uid
  const folder = await create(await rootOf('workspaces'), 'Folder', 'published')
  const sections = await create(await rootOf('sections'), 'Section', 'sections')
  const grant = { user: 'ann', permission: 'Everything' }
  for (const id of [folder, sections])
    await run('Document.AddPermission', grant, { user: 'Administrator', input: `doc:${id}` })
  const notes: string[] = []
  const targets: string[] = []
  for (let at = 0; at < 31; at++) {
    notes.push(await create(folder, 'Note', `note-${at}`))
    targets.push(await create(sections, 'Section', `section-${at}`))
  }
  const input = `docs:${notes.join(',')}`
  const { status, json } = await run(
    'Document.PublishToSections',
    { target: targets },
    { user: 'ann', input },
  )
  expect([status, json.message]).toEqual([504, expect.stringContaining('was rolled back')])
  const { json: left } = await call('GET', `/api/v1/id/${targets[0]}/@children`)
  expect(left.resultsCount).toBe(0)
})

test('whatever loop it is, also one below an operation, ends with the time of its transaction', async () => {
  const ann = principalOf('ann', ['members'], false)
  const trashed = await platform.withSession(SYSTEM, async (session) => {
    const parent = await createDocument(session, { parent: '/', type: 'Folder', name: 'bin' })
    const file = await createDocument(session, { parent: parent.id, type: 'File', name: 'old' })
    await trashDocument(session, file)
    return { parent, file }
  })
  expect(await platform.units.transaction(ann, async ({ session }) => session.over?.aborted)).toBe(false)
  expect(await platform.units.transaction(SYSTEM, async ({ session }) => session.over)).toBeUndefined()
  const over = AbortSignal.abort(new DOMException('held for too long', 'TimeoutError'))
  const emptied = platform.withSession(SYSTEM, (session) => emptyTrash({ ...session, over }, trashed.parent))
  await expect(emptied).rejects.toMatchObject({ code: 'timeout' })
  const left = await platform.withSession(SYSTEM, ({ stores }) => stores.documents.get(trashed.file.id))
  expect(left?.isTrashed).toBe(true)
})

test('a change that has begun when the time is over, of a large subtree, say, is done', async () => {
  const copied = await platform.withSession(SYSTEM, async (session) => {
    const over = new AbortController()
    const handle = async () => over.abort(new DOMException('held for too long', 'TimeoutError'))
    const of = (event: string) =>
      event === 'aboutToCopy' ? [{ ...session.listeners.of(event)[0]!, handle }] : []
    const held = { ...session, over: over.signal, listeners: { ...session.listeners, of } } as Session
    const folder = await createDocument(session, { parent: '/', type: 'Folder', name: 'begun' })
    const copy = await copyDocument(held, folder, { target: '/' })
    expect(over.signal.aborted).toBe(true)
    await expect(copyDocument(held, folder, { target: '/' })).rejects.toMatchObject({ code: 'timeout' })
    return copy
  })
  const found = await platform.withSession(SYSTEM, ({ stores }) => stores.documents.get(copied.id))
  expect(found?.type).toBe('Folder')
})

test('an administrator, and a caller who only reads, may take longer', async () => {
  const begun = performance.now()
  const read = await nested('Document.Fetch', { value: uid }, { user: 'ann', times: 80 })
  expect(read.status).toBe(200)
  const written = await nested(
    'Document.SetProperty',
    { xpath: 'dc:description', value: 'done' },
    { user: 'Administrator', times: 45 },
  )
  expect(written.status).toBe(200)
  expect(await described()).toBe('done')
  expect(performance.now() - begun).toBeGreaterThan(1_500)
})
