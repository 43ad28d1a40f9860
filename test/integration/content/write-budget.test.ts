import { afterAll, expect, test } from 'vitest'
import { EVERYTHING, principalOf, SYSTEM } from '../../../core/access/security/index.js'
import { setAcls } from '../../../core/content/documents/index.js'
import { createCollections } from '../../../storage/postgres/documents/collections.js'
import { documentTools } from '../support/document-support.js'
import { createOperationBench, input } from '../support/operations-support.js'
import { addUser, createClient } from '../support/rest-client.js'

const BUDGET = 100_000
const bench = await createOperationBench({ ARCHIVOLT_USER_WRITES_BYTES: String(BUDGET) })
afterAll(bench.close)
const { platform, run, create, read } = bench
const { grant } = documentTools(bench)
const call = createClient(platform)

/** Characters that no compression makes much fewer. */
const text = (length: number): string =>
  Array.from({ length: length / 8 }, () => Math.random().toString(36).padEnd(10, '0').slice(2, 10)).join('')

const largeDocument = (parent: { id: string }, type: string) =>
  create(parent.id, type, 'large', { [type === 'Note' ? 'note:note' : 'dc:source']: text(40_000) })

/** A user who has written nothing, in a workspace with a large document of an administrator. */
const writer = async (name: string, type = 'Note') => {
  await addUser(platform, name, ['members'])
  const workspace = await create('/', 'Workspace', name)
  await grant(workspace.id, name, [EVERYTHING])
  const large = await largeDocument(workspace, type)
  const principal = principalOf(name, ['members'], false)
  const children = async (): Promise<number> =>
    (await call('GET', `/api/v1/id/${workspace.id}/@children`)).json.resultsCount
  return {
    name,
    workspace,
    large,
    children,
    operation: (id: string, document = large, params = {}) =>
      run(id, { input: input(document), params, as: principal }),
  }
}

const refusal = (name: string) => ({
  code: 'insufficientStorage',
  message: expect.stringContaining(
    `${name} would have written more than the ${BUDGET} characters that one user may write in a day (ARCHIVOLT_USER_WRITES_BYTES)`,
  ),
})

/** Does it until it is refused. @returns how often it was done. */
const untilRefused = async (work: () => Promise<unknown>, name: string): Promise<number> => {
  for (let done = 0; done < 10; done++) {
    const error = await work().then(
      () => undefined,
      (thrown) => thrown,
    )
    if (error === undefined) continue
    expect(error).toMatchObject(refusal(name))
    return done
  }
  throw new Error('It was never refused')
}

test('documents count when they are made: 507, nothing is written, and the user still reads', async () => {
  const { name, workspace, children } = await writer('una')
  const json = { 'entity-type': 'document', name: 'note', type: 'Note' }
  const post = (length: number) =>
    call('POST', `/api/v1/id/${workspace.id}`, {
      user: name,
      json: { ...json, properties: { 'note:note': text(length) } },
    })
  const answers = [await post(40_000), await post(40_000), await post(40_000)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 507])
  expect(answers[2]?.json).toMatchObject({ 'entity-type': 'exception', message: refusal(name).message })
  expect(await children()).toBe(3)
  expect((await post(8)).status).toBe(201)
  expect((await call('GET', `/api/v1/id/${workspace.id}`, { user: name })).status).toBe(200)
})

test('copies count as they are stored, with all below them, before anything is copied', async () => {
  const { name, workspace, large, operation, children } = await writer('bob')
  const copy = (document = large) => operation('Document.Copy', document, { target: workspace.path })
  expect(await untilRefused(copy, name)).toBe(2)
  expect(await children()).toBe(3)
  const folder = await create(workspace.id, 'Folder', 'folder')
  await largeDocument(folder, 'Note')
  expect(await untilRefused(() => copy(folder), name)).toBe(0)
  expect(await children()).toBe(4)
})

test('changes and versions count as whole documents', async () => {
  const { name, large, operation } = await writer('carl', 'File')
  const update = () => operation('Document.Update', large, { properties: { 'dc:title': 'x' } })
  expect(await untilRefused(update, name)).toBeOneOf([1, 2])
  const dora = await writer('dora', 'File')
  const version = async () => {
    await dora.operation('Document.CreateVersion', dora.large, { increment: 'Minor' })
    await dora.operation('Document.CheckOut')
  }
  expect(await untilRefused(version, dora.name)).toBeLessThan(2)
})

test('a change counts for each proxy that repeats it', async () => {
  const { name, workspace, large, operation } = await writer('emil', 'File')
  for (const target of ['a', 'b']) {
    const { path } = await create(workspace.id, 'Folder', target)
    await run('Document.CreateLiveProxy', { input: input(large), params: { 'Destination Path': path! } })
  }
  const update = () => operation('Document.Update', large, { properties: { 'dc:title': 'x' } })
  expect(await untilRefused(update, name)).toBe(0)
  expect((await read(large.id)).properties['dc:title']).not.toBe('x')
})

test('tags count as the change of a whole document, too', async () => {
  const { name, large, operation } = await writer('tom', 'File')
  let count = 0
  expect(
    await untilRefused(() => operation('Services.TagDocument', large, { tags: `tag${count++}` }), name),
  ).toBe(3)
})

test('others and administrators go on', async () => {
  const { name, workspace, large, operation, children } = await writer('fred')
  const copy = { target: workspace.path! }
  await untilRefused(() => operation('Document.Copy', large, copy), name)
  for (let n = 0; n < 4; n++) await run('Document.Copy', { input: input(large), params: copy })
  expect(await children()).toBe(7)
})

test('what runs keep counts, and calls that are written down as they failed', async () => {
  const gerd = principalOf('gerd', [], false)
  const put = (key: string, length: number) =>
    platform.units.transaction(gerd, ({ transient }) => transient.put(key, text(length)))
  await put('one', 60_000)
  await expect(put('two', 60_000)).rejects.toMatchObject(refusal('gerd'))
  expect(await platform.units.reading(SYSTEM).transient.get('two')).toBeUndefined()
  const receipt = (step: string) =>
    platform.units.transaction(gerd, ({ receipts }) =>
      receipts.record({ workflowId: 'gerd', step }, { value: text(30_000) }),
    )
  expect(await receipt('1')).toBe(true)
  await expect(receipt('2')).rejects.toMatchObject(refusal('gerd'))
  const failed = (length: number) =>
    platform.units.transaction(gerd, ({ inlineRuns }) =>
      inlineRuns.fail(
        {
          runId: `gerd${length}`,
          chainId: 'Any',
          principal: 'gerd',
          requestId: 'one',
          title: 'Any',
          startedAt: new Date(),
        },
        { code: 'invalid', status: 422, message: 'It failed' },
        { params: { value: text(length) } } as never,
      ),
    )
  await failed(800)
  await expect(failed(80_000)).rejects.toMatchObject(refusal('gerd'))
})

test('entries of ACLs count, inherited ones too, and so do events', async () => {
  const { name, workspace } = await writer('ines')
  const ines = principalOf(name, ['members'], false)
  let count = 0
  const grantAll = () => {
    const aces = Array.from({ length: 300 }, () => ({
      username: `group${count++}`,
      permission: 'Read',
      granted: true,
    }))
    const own = { username: name, permission: EVERYTHING, granted: true }
    return platform.withSession(ines, (session) =>
      setAcls(session, workspace, [{ name: 'local', aces: [own, ...aces] }]),
    )
  }
  expect(await untilRefused(grantAll, name)).toBeOneOf([1, 2, 3])
  const jana = principalOf('jana', [], false)
  const event = { event: 'any', documentId: workspace.id, payload: { comment: text(60_000) } }
  const fire = () => platform.withSession(jana, ({ stores }) => stores.outbox.emit([event as never]))
  // Reading and removing have events, too: they are refused to nobody, but who has had many fires no more.
  for (let n = 0; n < 3; n++) await fire()
  const own = () => run('Event.Fire', { params: { name: 'own' }, as: jana })
  expect(await untilRefused(own, 'jana')).toBe(0)
})

test('a transition of a folder writes nothing large below it again, and counts rows', async () => {
  const { name, workspace, operation } = await writer('kai')
  const folder = await create(workspace.id, 'Folder', 'folder')
  const { id } = await largeDocument(folder, 'Note')
  const stored = async () => {
    const [row] = await platform.database.sql`
      SELECT pg_column_toast_chunk_id(properties) AS chunk, lifecycle_state AS state FROM documents WHERE id = ${id}`
    return row
  }
  const before = await stored()
  expect(before?.chunk).toEqual(expect.anything())
  const approve = () => operation('Document.FollowLifecycleTransition', folder, { value: 'approve' })
  await approve()
  expect(await stored()).toEqual({ chunk: before?.chunk, state: 'approved' })
  for (let n = 0; n < 3; n++) {
    await operation('Document.FollowLifecycleTransition', folder, { value: 'backToProject' })
    await approve()
  }
  const [used] = await platform.database.sql<{ characters: number }[]>`
    SELECT characters::int AS characters FROM user_writes WHERE username = ${name}`
  expect(used?.characters).toBeLessThan(BUDGET)
})

test('a transition that checks out what it follows is refused before it writes', async () => {
  const { name, workspace, operation } = await writer('nils')
  const folder = await create(workspace.id, 'Folder', 'folder')
  const { id } = await largeDocument(folder, 'File')
  await run('Document.CreateVersion', { input: input({ id }), params: { increment: 'Minor' } })
  await untilRefused(() => operation('Document.Copy', folder, { target: workspace.path }), name)
  const place = async () =>
    (
      await platform.database
        .sql`SELECT xmax::text, is_checked_in AS "isCheckedIn" FROM documents WHERE id = ${id}`
    )[0]
  const before = await place()
  expect(before?.isCheckedIn).toBe(true)
  const approve = () => operation('Document.FollowLifecycleTransition', folder, { value: 'approve' })
  expect(await untilRefused(approve, name)).toBe(0)
  expect(await place()).toEqual(before)
})

test('copies of a collection count its members, whosever they are', async () => {
  const { name, workspace, operation } = await writer('lea')
  const foreign = await create('/', 'Workspace', 'foreign')
  await grant(foreign.id, name, ['Read'])
  const member = await largeDocument(foreign, 'Note')
  const collection = await create(workspace.id, 'Collection', 'collection')
  await run('Document.AddToCollection', { input: input(member), params: { collection: collection.id } })
  const copy = () => operation('Document.Copy', collection, { target: workspace.path })
  expect(await untilRefused(copy, name)).toBeOneOf([1, 2])
  const marks = (await read(member.id)).properties['collectionMember:collectionIds'] as string[]
  expect(await untilRefused(copy, name)).toBe(0)
  await operation('Document.Delete', await read(marks.at(-1)!))
  expect((await read(member.id)).properties['collectionMember:collectionIds']).toEqual(marks.slice(0, -1))
})

test('members that are held for too long are refused with what to do', async () => {
  const { workspace } = await writer('mona')
  const collection = await create(workspace.id, 'Collection', 'collection')
  const member = await create(workspace.id, 'Note', 'member', { 'note:note': text(4_000_000) })
  await run('Document.AddToCollection', { input: input(member), params: { collection: collection.id } })
  const account = { spend: async () => undefined, owe: () => undefined }
  const leaving = platform.database.transaction((sql) =>
    createCollections(sql, { principal: SYSTEM, writes: account, holdingMs: 1 }).leave(collection),
  )
  await expect(leaving).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('remove some from it first'),
  })
  const limit = await platform.database.transaction(async (sql) => {
    await createCollections(sql, { principal: SYSTEM, writes: account }).leave(collection)
    const [row] = await sql<{ limit: string }[]>`SELECT current_setting('statement_timeout') AS "limit"`
    return row?.limit
  })
  expect(limit).toBe('1min')
})

test('mails count when they are queued', async () => {
  const hans = principalOf('hans', [], false)
  const mail = { from: 'a@b.c', to: ['d@e.f'], subject: 's', text: text(60_000) }
  const send = () => platform.withSession(hans, ({ stores }) => stores.mail.enqueue(mail as never))
  expect(await untilRefused(send, 'hans')).toBe(1)
})

test('bulk commands count, also those that find nothing', async () => {
  const { name, operation } = await writer('bulky')
  const params = {
    action: 'setProperties',
    query: "SELECT * FROM File WHERE dc:title = 'nothing'",
    parameters: JSON.stringify({ 'dc:description': text(30_000) }),
  }
  const given = await untilRefused(() => operation('Bulk.RunAction', undefined, params), name)
  expect(given).toBeGreaterThanOrEqual(2)
  expect(given).toBeLessThan(4)
})
