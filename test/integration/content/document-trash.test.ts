import { beforeEach, describe, expect, it } from 'vitest'
import { getDocument } from '../../../core/content/documents/index.js'
import { trashDocument, untrashDocument } from '../../../core/content/trash/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createDocumentBench, namesOf } from '../support/document-support.js'
import { ADMINISTRATOR, ANN, documentOf, idsOf, input, inputs } from '../support/operations-support.js'

const { platform, run, read, create, as, events, grant, workspace } = await createDocumentBench('trash')

let folder: DocumentRecord
let sub: DocumentRecord
let deep: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
  sub = await create(folder.id, 'Folder', 'sub')
  deep = await create(sub.id, 'File', 'deep')
  file = await create(folder.id, 'File', 'file')
})

const trash = async (document: { id: string }, options = {}) =>
  documentOf(await run('Document.Trash', { input: input(document), ...options }))
const untrash = async (document: { id: string }, options = {}) =>
  documentOf(await run('Document.Untrash', { input: input(document), ...options }))
const flags = (...documents: { id: string }[]) =>
  Promise.all(documents.map(async ({ id }) => (await read(id)).isTrashed))

describe('Document.Trash', () => {
  it('renames the document, flags what is below, keeps state, and emits one event', async () => {
    await events()
    const trashed = await trash(sub)
    expect(trashed).toMatchObject({ id: sub.id, isTrashed: true, lifecycleState: 'project' })
    expect(trashed.name).toMatch(/^sub\._\d{13}_\.trashed$/)
    expect(await read(deep.id)).toMatchObject({ isTrashed: true, path: `${trashed.path}/deep` })
    expect(await flags(folder, file)).toEqual([false, false])
    const reported = await events()
    expect(reported.map(({ event, documentId }) => [event, documentId])).toEqual([
      ['documentTrashed', sub.id],
    ])
    expect(reported[0]?.payload).toMatchObject({ from: sub.path, path: trashed.path })
  })

  it('frees the name', async () => {
    await trash(file)
    expect((await create(folder.id, 'File', 'file')).name).toBe('file')
  })

  it('leaves alone what is there already', async () => {
    const once = await trash(file)
    await events()
    expect(await trash(file)).toEqual(once)
    expect(await events()).toEqual([])
  })

  it('removes proxies and versions at once', async () => {
    await run('Document.CreateVersion', { input: input(file), params: { increment: 'Minor' } })
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    const proxy = documentOf(
      await run('Document.PublishToSection', {
        input: input(file),
        params: { target: '/default-domain/sections' },
      }),
    )
    await run('Document.Update', { input: input(file), params: { properties: 'dc:title=Later' } })
    expect((await run('Document.Trash', { input: input(proxy) })).type).toBe('void')
    expect((await run('Document.Trash', { input: input(version) })).type).toBe('void')
    for (const gone of [proxy, version])
      await expect(read(gone.id)).rejects.toMatchObject({ code: 'notFound' })
    expect(await flags(file)).toEqual([false])
  })

  it('writes each document once, and so does the way back', async () => {
    for (const name of ['x', 'y', 'z']) await create(sub.id, 'File', name)
    const written = (work: typeof trashDocument | typeof untrashDocument) =>
      platform.withSession(ADMINISTRATOR, async (session, sql) => {
        // What earlier transactions of the connection have not reported yet is counted, too.
        const counted = async () => {
          const [row] = await sql<{ rows: number }[]>`
            SELECT n_tup_upd::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'documents'`
          return row?.rows ?? 0
        }
        const before = await counted()
        await work(session, await getDocument(session, sub.id))
        return (await counted()) - before
      })
    expect(await written(trashDocument)).toBe(5)
    expect(await written(untrashDocument)).toBe(5)
  })

  it('may take its time with a subtree that is large, and with no other', async () => {
    await platform.database.sql`
      INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
      SELECT gen_random_uuid(), d.id, 'n' || n, d.path || '/n' || n, 'File', 'project', d.scope_id, '{}'
      FROM documents d, generate_series(1, 5000) AS n WHERE d.id = ${sub.id}`
    const limitAfter = (document: DocumentRecord) =>
      platform.withSession(ADMINISTRATOR, async (session, sql) => {
        await trashDocument(session, await getDocument(session, document.id))
        const [row] = await sql<{ statement_timeout: string }[]>`SHOW statement_timeout`
        return row?.statement_timeout
      })
    expect(await limitAfter(file)).toBe('1min')
    expect(await limitAfter(sub)).toBe('0')
    const { id } = await create(folder.id, 'Folder', 'texts')
    await platform.database.sql`
      INSERT INTO documents (id, parent_id, name, path, type, lifecycle_state, scope_id, properties)
      SELECT gen_random_uuid(), d.id, 'n' || n, d.path || '/n' || n, 'File', 'project', d.scope_id,
             jsonb_build_object('x:long', (SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 60000 + n)))
      FROM documents d, generate_series(1, 12) AS n WHERE d.id = ${id}`
    expect(await limitAfter(await read(id))).toBe('0')
  })

  it('takes a list, of which one may be below another', async () => {
    const trashed = idsOf(await run('Document.Trash', { input: inputs(sub, deep, file) }))
    expect(trashed).toEqual([sub.id, deep.id, file.id])
    expect(await flags(sub, deep, file)).toEqual([true, true, true])
    expect((await read(deep.id)).name).toBe('deep')
  })

  it.each([
    ['without Remove on all below', ['ReadWrite'], ['Read']],
    ['without Remove at all', ['Read'], undefined],
  ])('is refused %s, with nothing changed', async (_title, onFolder, onDeep) => {
    await grant(folder.id, 'ann', onFolder)
    if (onDeep) await grant(deep.id, 'ann', onDeep, true)
    await expect(trash(sub, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await flags(sub, deep)).toEqual([false, false])
    expect((await read(sub.id)).name).toBe('sub')
  })

  it('is refused while somebody else has locked something of it', async () => {
    await grant(folder.id, 'ann', ['Everything'])
    await run('Document.Lock', { input: input(deep) })
    await expect(trash(sub, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is not for the root', async () => {
    await expect(trash(await read('/'))).rejects.toMatchObject({ code: 'badRequest' })
  })
})

describe('Document.Untrash', () => {
  it('brings everything back under its name', async () => {
    await trash(sub)
    await events()
    expect(await untrash(sub)).toMatchObject({ isTrashed: false, name: 'sub', path: sub.path })
    expect(await read(deep.id)).toMatchObject({ isTrashed: false, path: deep.path })
    expect(namesOf(await events())).toEqual(['documentUntrashed'])
  })

  it('gives another name when the former one is taken', async () => {
    await trash(file)
    await create(folder.id, 'File', 'file')
    expect((await untrash(file)).name).toMatch(/^file\.\d{13}$/)
  })

  it('brings back what is above, without the rest below it', async () => {
    const other = await create(sub.id, 'File', 'other')
    await trash(folder)
    await events()
    const back = await untrash(deep)
    expect(back).toMatchObject({ isTrashed: false, path: deep.path })
    expect(await flags(folder, sub, deep, other, file)).toEqual([false, false, false, true, true])
    expect((await events()).map(({ event, documentId }) => [event, documentId])).toEqual([
      ['documentUntrashed', folder.id],
      ['documentUntrashed', sub.id],
      ['documentUntrashed', deep.id],
    ])
  })

  it('leaves in the trash what had been trashed by itself', async () => {
    const early = await trash(deep)
    await trash(sub)
    await untrash(sub)
    expect(await read(deep.id)).toMatchObject({ isTrashed: true, name: early.name })
    expect(await untrash(deep)).toMatchObject({ isTrashed: false, path: deep.path })
  })

  it('leaves alone what is not there, and is refused without the right', async () => {
    expect(await untrash(file)).toEqual(file)
    await trash(file)
    await grant(folder.id, 'ann', ['Read'])
    await expect(untrash(file, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await flags(file)).toEqual([true])
  })
})

describe('Document.EmptyTrash', () => {
  const empty = (parent: { id: string }, options = {}) =>
    run('Document.EmptyTrash', { params: { parent: parent.id }, ...options })

  it('removes what is in the trash of a folder, and nothing else', async () => {
    const kept = await create(folder.id, 'File', 'kept')
    await trash(sub)
    await trash(file)
    await empty(folder)
    for (const gone of [sub, deep, file])
      await expect(read(gone.id)).rejects.toMatchObject({ code: 'notFound' })
    expect(await flags(folder, kept)).toEqual([false, false])
  })

  it('removes nothing when one of it may not be removed', async () => {
    await grant(folder.id, 'ann', ['Everything'])
    await trash(sub)
    await trash(file)
    await grant(file.id, 'ann', ['Read'], true)
    await expect(empty(folder, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await flags(sub, file)).toEqual([true, true])
  })

  it('is for folders', async () => {
    await expect(empty(file)).rejects.toMatchObject({ code: 'badRequest' })
  })
})

describe('places in the trash', () => {
  it('flag what is made in them', async () => {
    const trashed = await trash(sub)
    expect(await create(trashed.id, 'File', 'late')).toMatchObject({ isTrashed: true })
  })

  it('let go of what is moved out of them, but for what was trashed by itself', async () => {
    const own = await create(sub.id, 'File', 'own')
    await trash(own)
    await trash(sub)
    const move = async (document: { id: string }) =>
      documentOf(await run('Document.Move', { input: input(document), params: { target: folder.id } }))
    expect(await move(deep)).toMatchObject({ isTrashed: false, name: 'deep' })
    expect(await move(own)).toMatchObject({ isTrashed: true })
    expect(await flags(deep, own)).toEqual([false, true])
  })

  it('stay behind when what is above is copied', async () => {
    await trash(deep)
    const copy = documentOf(await run('Document.Copy', { input: input(sub), params: { target: folder.id } }))
    expect(await as((session) => session.stores.children.list(copy.id))).toEqual([])
  })

  it('give a copy the former name and no flag', async () => {
    await trash(sub)
    const copy = documentOf(await run('Document.Copy', { input: input(sub), params: { target: folder.id } }))
    expect(copy).toMatchObject({ name: 'sub', isTrashed: false })
    const [below] = await as((session) => session.stores.children.list(copy.id))
    expect(below).toMatchObject({ name: 'deep', isTrashed: false })
  })
})
