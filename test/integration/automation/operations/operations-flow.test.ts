import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainStep, Value } from '../../../../core/automation/language/index.js'
import { getAcls } from '../../../../core/content/documents/index.js'
import type { BlobStore } from '../../../../core/files/blobs/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import {
  ADMINISTRATOR,
  ANN,
  createOperationBench,
  documentOf,
  idsOf,
  input,
  inputs,
  STRANGER,
  step,
} from '../../support/operations-support.js'

const bench = await createOperationBench()
afterAll(bench.close)

const { run, chain, read, storedBlob } = bench

let folder: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  ;({ folder, file, note } = await bench.filledWorkspace())
})

const textOf = async (blobs: BlobStore, value: Value): Promise<string> => {
  if (value.type !== 'blob') throw new Error(`Not a blob: ${value.type}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of await blobs.open(value.blob)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('files', () => {
  it('Document.SetBlob sets a file, Document.GetBlob gives it', async () => {
    const variables = { file: { type: 'blob', blob: await storedBlob('one') } } as const
    await run('Document.SetBlob', { input: input(file), variables })
    const found = await run('Document.GetBlob', { input: input(file) })
    expect(found).toMatchObject({ type: 'blob', blob: { name: 'a.txt' } })
    expect(await textOf(bench.platform.blobs, found)).toBe('one')
  })

  it('Blob.AttachOnDocument adds each file of a list to the end of a list', async () => {
    const blobs = [await storedBlob('one', '1.txt'), await storedBlob('two', '2.txt')]
    const params = { document: file.id, xpath: 'files:files' }
    const output = await run('Blob.AttachOnDocument', { input: { type: 'blobs', blobs }, params })
    expect(output).toEqual({ type: 'blobs', blobs })
    expect((await read(file.id)).properties['files:files']).toEqual(blobs.map((blob) => ({ file: blob })))
    const second = await run('Blob.Get', { input: input(file), params: { xpath: 'files:files/1/file' } })
    expect(second).toEqual({ type: 'blob', blob: blobs[1] })
  })

  it('Blob.AttachOnDocument without save changes nothing', async () => {
    const blob = await storedBlob('one')
    const params = { document: file.path ?? '', save: false }
    expect(await run('Blob.Attach', { input: { type: 'blob', blob }, params })).toEqual({
      type: 'blob',
      blob,
    })
    expect(await read(file.id)).toEqual(file)
  })

  it('Document.GetBlob falls back to the main file, then to an empty one', async () => {
    const params = { xpath: 'dc:source' }
    const ofNote = await run('Document.GetBlob', { input: input(note), params })
    expect(await textOf(bench.platform.blobs, ofNote)).toBe('Hello')
    const absent = await run('Document.GetBlob', { input: input(file) })
    expect(absent).toMatchObject({ blob: { name: 'file.null', length: 0, 'mime-type': 'text/plain' } })
  })

  it('passes on a file that is of the wanted type already', async () => {
    const blob = { ...(await storedBlob('%PDF-')), 'mime-type': 'application/pdf' }
    expect(await run('Blob.ToPDF', { input: { type: 'blob', blob } })).toEqual({ type: 'blob', blob })
    const list = { type: 'blobs', blobs: [blob] } as const
    expect(await run('Blob.Convert', { input: list, params: { mimeType: 'application/PDF' } })).toEqual(list)
  })

  it('converts files and the main file of a document', async () => {
    const { blobs } = bench.platform
    const params = { mimeType: 'text/html' }
    const html = await run('Blob.Convert', { input: input(note), params })
    expect(html).toMatchObject({ blob: { 'mime-type': 'text/html' } })
    expect(await textOf(blobs, html)).toContain('Hello')
    const source = { type: 'blob', blob: await storedBlob('one') } as const
    const converted = await run('Blob.RunConverter', { input: source, params: { converter: 'plain2html' } })
    expect(await textOf(blobs, converted)).toContain('one')
  })

  it.each<[ChainStep['params'], RegExp]>([
    [{}, /converter/],
    [{ converter: 'magic' }, /converter: .*magic is not registered/],
    [{ converter: 'plain2html', parameters: { width: [1] } }, /parameters: width/],
  ])('Blob.RunConverter %j is refused', async (params, message) => {
    const call = run('Blob.RunConverter', { input: { type: 'blob', blob: await storedBlob('one') }, params })
    await expect(call).rejects.toMatchObject({ code: 'badRequest', message: expect.stringMatching(message) })
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['Document.GetBlob', { xpath: 'x:y' }, /xpath: .*'x:y'/],
    ['Document.SetBlob', { xpath: 'dc:title' }, /xpath: 'dc:title'/],
    ['Document.SetBlob', { xpath: 'dc:subjects' }, /xpath: 'dc:subjects'/],
    ['Document.SetBlob', { xpath: 'note:note' }, /'note:note'/],
    ['Document.SetBlob', { file: 'text' }, /file/],
    ['Blob.ToPDF', {}, /No Blob found/],
    ['Blob.Convert', {}, /mimeType/],
  ])('%s %j is refused', async (operation, params, message) => {
    const variables = { file: { type: 'blob', blob: await storedBlob('one') } } as const
    const call = run(operation, { input: input(file), params, variables })
    await expect(call).rejects.toMatchObject({ code: 'badRequest', message: expect.stringMatching(message) })
  })
})

it.each(['Blob.ToPDF', 'Blob.Convert', 'Blob.RunConverter'])(
  '%s says that the document whose file a step before took has none',
  async (operation) => {
    const params = { mimeType: 'application/pdf', converter: 'any2pdf' }
    const blob = await run('Document.GetBlob', { input: input(file) })
    await expect(run(operation, { input: blob, params })).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining(`There is no file to convert: the document ${file.name} has none`),
    })
  },
)

describe('rights', () => {
  it.each<[string, ChainStep['params']]>([
    ['Document.Create', { type: 'File' }],
    ['Document.Update', { properties: { 'dc:title': 'x' } }],
    ['Document.SetProperty', { xpath: 'dc:title', value: 'x' }],
    ['Document.Copy', { target: '/default-domain/workspaces' }],
    ['Document.Move', { target: '/default-domain/workspaces' }],
    ['Document.Delete', {}],
    ['Document.Lock', {}],
    ['Document.FollowLifecycleTransition', { value: 'approve' }],
    ['Document.CheckIn', { version: 'major' }],
    ['Document.CheckOut', {}],
    ['Document.CreateVersion', { increment: 'Major' }],
    ['Document.AddPermission', { username: 'ann', permission: 'Write' }],
    ['Document.RemovePermission', { user: 'ann' }],
    ['Document.BlockPermissionInheritance', {}],
    ['Document.UnblockPermissionInheritance', {}],
    ['Document.ReplacePermission', { id: 'ann:Read:true', username: 'ann', permission: 'Write' }],
    ['Document.AddACE', { user: 'ann', permission: 'Write' }],
    ['Document.RemoveACL', { acl: 'local' }],
  ])('%s is forbidden to readers and hidden from others', async (operation, params) => {
    const call = { input: input(file), params }
    await expect(run(operation, { ...call, as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(run(operation, { ...call, as: STRANGER })).rejects.toMatchObject({ code: 'notFound' })
    expect(await read(file.id)).toEqual(file)
  })

  it('Document.AddPermission lets somebody in, for some time', async () => {
    const params = { user: 'sam', permission: 'ReadWrite', begin: '2020-01-01', end: '2999-01-01' }
    await run('Document.AddPermission', { input: input(file), params })
    const update = { input: input(file), params: { properties: { 'dc:title': 'x' } }, as: STRANGER }
    expect(documentOf(await run('Document.Update', update)).properties['dc:title']).toBe('x')
    const past = { user: 'ann', permission: 'ReadWrite', end: '2020-01-01' }
    await run('Document.AddACL', { input: input(file), params: past })
    await expect(run('Document.Update', { ...update, as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('Document.RemovePermission takes away one permission, or all of a user', async () => {
    const may = async (user: string) => {
      const acls = await getAcls(bench.platform.readSession(ADMINISTRATOR), await read(file.id))
      const aces = acls.flatMap((acl) => acl.aces)
      return aces.filter(({ username }) => username === user).map(({ permission }) => permission)
    }
    for (const username of ['ann', 'sam'])
      for (const permission of ['Write', 'Remove'])
        await run('Document.AddPermission', { input: input(file), params: { username, permission } })
    const one = { id: 'sam:Write:true:Administrator::', acl: 'local' }
    await run('Document.RemovePermission', { input: input(file), params: one })
    await run('Document.RemovePermission', { input: input(file), params: { user: 'ann' } })
    expect([await may('ann'), await may('sam')]).toEqual([[], ['Remove']])
    await run('Document.RemovePermission', { input: input(file), params: { user: 'sam', acl: 'other' } })
    expect(await may('sam')).toEqual(['Remove'])
    const nobody = run('Document.RemovePermission', { input: input(file) })
    await expect(nobody).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/id: either/),
    })
  })

  it('Document.BlockPermissionInheritance keeps out who came from above', async () => {
    await run('Document.BlockPermissionInheritance', { input: input(folder) })
    const params = { value: file.id }
    await expect(run('Repository.GetDocument', { params, as: ANN })).rejects.toMatchObject({
      code: 'notFound',
    })
    const shared = { username: 'ann', permission: 'Read', blockInheritance: true }
    await run('Document.AddPermission', { input: input(file), params: shared })
    expect(documentOf(await run('Repository.GetDocument', { params, as: ANN })).id).toBe(file.id)
  })

  it.each<[ChainStep['params'], string, RegExp]>([
    [{ username: 'ann', permission: 'Fly' }, 'badRequest', /permission: .*'Fly'/],
    [{ username: ' ', permission: 'Read' }, 'badRequest', /username/],
    [{ username: 'ann', permission: 'Read', begin: '2021-01-01', end: '2020-01-01' }, 'badRequest', /begin/],
    [{ username: 'ann', permission: 'Read', end: 'soon' }, 'badRequest', /end/],
    [{ username: 'nobody-knows', permission: 'Read' }, 'badRequest', /username: .*'nobody-knows'/],
    [{ users: ['ann', 'nobody-knows'], permission: 'Read' }, 'badRequest', /users: .*'nobody-knows'/],
    [{ permission: 'Read' }, 'badRequest', /username: .* is needed/],
    [
      { users: Array.from({ length: 1_001 }, (_, n) => `u${n}`), permission: 'Read' },
      'badRequest',
      /users: .* 1000/,
    ],
    [{ email: 'who@example.org', permission: 'Read' }, 'badRequest', /end: is needed/],
    [{ email: 'nobody', permission: 'Read', end: '2999-01-01' }, 'badRequest', /email/],
  ])('Document.AddPermission refuses %j', async (params, code, message) => {
    const call = run('Document.AddPermission', { input: input(file), params })
    await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })
})

describe('context', () => {
  it.each<[string, Value, string]>([
    ['Context.RestoreDocumentInput', { type: 'document', id: 'of the file' }, 'Context.RestoreBlobInput'],
    ['Context.RestoreDocumentsInput', { type: 'documents', ids: [] }, 'Context.RestoreDocumentInput'],
    ['Context.RestoreBlobsInput', { type: 'blobs', blobs: [] }, 'Context.RestoreDocumentInput'],
  ])('%s gives back what Context.SetInputAsVar kept', async (restore, value, wrong) => {
    const kept: Value = value.type === 'document' ? input(file) : value
    const keep = [step('Context.SetInputAsVar', { name: 'kept' }), step('Log', { message: 'kept' })]
    expect(await chain([...keep, step(restore, { name: 'kept' })], { input: kept })).toMatchObject(kept)
    const wrongly = chain([...keep, step(wrong, { name: 'kept' })], { input: kept })
    await expect(wrongly).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining("'kept'"),
    })
  })

  it('gives back a document as it is stored by then', async () => {
    const output = await chain(
      [
        step('Context.SetInputAsVar', { name: 'kept' }),
        step('Document.SetProperty', { xpath: 'dc:title', value: 'New' }),
        step('Context.RestoreDocumentInput', { name: 'kept' }),
        step('Document.SetProperty', { xpath: 'dc:source', value: 'Newer' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(output).properties).toMatchObject({ 'dc:title': 'New', 'dc:source': 'Newer' })
  })

  it('Context.SetVar makes a variable that expressions see', async () => {
    const output = await chain(
      [
        step('Context.SetVar', { name: 'title', value: 'By variable' }),
        step('Document.SetProperty', { xpath: 'dc:title', value: 'expr:@{title}!' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(output).properties['dc:title']).toBe('By variable!')
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['Context.SetVar', { name: '__proto__', value: 'x' }, /name: '__proto__'/],
    ['Context.SetVar', { name: ' ' }, /name/],
    ['Context.SetVar', {}, /name/],
    ['Context.RestoreDocumentInput', { name: 'constructor' }, /'constructor' holds void/],
    ['Log', { message: 'x', level: 'loud' }, /level: 'loud'/],
    ['Log', {}, /message/],
  ])('%s %j is refused', async (operation, params, message) => {
    const call = run(operation, { params })
    await expect(call).rejects.toMatchObject({ code: 'badRequest', message: expect.stringMatching(message) })
  })

  it('Context.FetchDocument passes documents on', async () => {
    expect(documentOf(await run('Context.FetchDocument', { input: input(file) })).id).toBe(file.id)
    expect(idsOf(await run('Context.FetchDocument', { input: inputs(file, note) }))).toEqual([
      file.id,
      note.id,
    ])
  })
})
