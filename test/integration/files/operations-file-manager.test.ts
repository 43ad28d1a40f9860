import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Value } from '../../../core/automation/language/index.js'
import { getUserWorkspace } from '../../../core/content/user-workspaces/index.js'
import { getVersions } from '../../../core/content/versioning/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord, Properties } from '../../../core/model/properties/index.js'
import {
  ADMINISTRATOR,
  ANN,
  createOperationBench,
  documentOf,
  idsOf,
  input,
  STRANGER,
} from '../support/operations-support.js'

const { platform, close, run, read, workspace } = await createOperationBench()
afterAll(close)

let folder: DocumentRecord

beforeEach(async () => {
  folder = await workspace()
})

const stored = async (content: string, name: string | null, mimeType?: string): Promise<BlobValue> =>
  createBlobValue({
    stored: await platform.blobs.write(Buffer.from(content)),
    name,
    mimeType: mimeType ?? null,
  })

const file = (blob: BlobValue): Value => ({ type: 'blob', blob })

const here = () => ({ currentDocument: input(folder) })

const importing = async (blob: BlobValue, params: Properties = {}): Promise<DocumentRecord> =>
  documentOf(await run('FileManager.Import', { input: file(blob), params, variables: here() }))

const contentOf = async (document: DocumentRecord): Promise<unknown> => {
  const note = document.properties['note:note']
  if (note) return note
  const blob = document.properties['file:content'] as BlobValue
  return text(await platform.blobs.open(blob))
}

const versionsOf = async (document: DocumentRecord) =>
  getVersions(platform.readSession(ADMINISTRATOR), document)

describe('FileManager.Import', () => {
  it.each<[string, string | undefined, string]>([
    ['report.pdf', undefined, 'File'],
    ['photo.JPG', undefined, 'Picture'],
    ['film.mp4', undefined, 'Video'],
    ['song.mp3', undefined, 'Audio'],
    ['memo.txt', undefined, 'Note'],
    ['page.html', undefined, 'Note'],
    ['read.md', undefined, 'Note'],
    ['unknown', undefined, 'File'],
    ['unknown', 'image/png', 'Picture'],
    ['report.pdf', 'image/png', 'File'],
  ])('%s, sent as %s, becomes a %s', async (name, mimeType, type) => {
    const document = await importing(await stored('content', name, mimeType))
    expect(document).toMatchObject({ type, name, parentId: folder.id })
    const kept = await read(document.id)
    expect(kept.properties['dc:title']).toBe(name)
    expect(await contentOf(kept)).toBe('content')
  })

  it('takes a list, in order', async () => {
    const blobs = [await stored('a', 'a.pdf'), await stored('b', 'b.txt')]
    const made = idsOf(
      await run('FileManager.Import', { input: { type: 'blobs', blobs }, variables: here() }),
    )
    const documents = await Promise.all(made.map(read))
    expect(documents.map(({ name, type }) => [name, type])).toEqual([
      ['a.pdf', 'File'],
      ['b.txt', 'Note'],
    ])
  })

  it.each(['report.pdf', 'memo.txt', "it's.pdf"])(
    'makes another %s, unless it is asked to overwrite',
    async (name) => {
      const first = await importing(await stored('one', name))
      const second = await importing(await stored('two', name))
      expect(second.id).not.toBe(first.id)
      const third = await importing(await stored('three', name), { overwite: true })
      expect(third.id).toBe(first.id)
      expect(await contentOf(await read(first.id))).toBe('three')
      expect(await contentOf(await read(second.id))).toBe('two')
      const versions = await versionsOf(await read(first.id))
      expect((await Promise.all(versions.map(contentOf)))[0]).toBe('one')
    },
  )

  it('leaves what has not changed alone', async () => {
    const first = await importing(await stored('one', 'same.pdf'))
    await importing(await stored('one', 'same.pdf'), { overwrite: 'true' })
    expect(await read(first.id)).toEqual(first)
    expect(await versionsOf(first)).toEqual([])
  })

  it('finds its folder by path or id too', async () => {
    for (const value of [folder.path!, folder.id, `doc:${folder.id}`]) {
      const made = await run('FileManager.Import', {
        input: file(await stored('x', 'x.pdf')),
        variables: { currentDocument: { type: 'string', value } },
      })
      expect(documentOf(made).parentId).toBe(folder.id)
    }
  })

  it.each<[string, Parameters<typeof run>[1], string]>([
    ['without a folder', {}, 'badRequest'],
    [
      'with a folder of another kind',
      { variables: { currentDocument: { type: 'boolean', value: true } } },
      'badRequest',
    ],
    [
      'with a folder that is not there',
      { variables: { currentDocument: { type: 'document', id: '/no' } } },
      'notFound',
    ],
  ])('is refused %s', async (_case, call, code) => {
    const blob = await stored('x', 'x.pdf')
    await expect(run('FileManager.Import', { ...call, input: file(blob) })).rejects.toMatchObject({ code })
  })

  it('refuses a file without a name, and all of a list with one', async () => {
    const blobs = [await stored('a', 'a.pdf'), await stored('b', null)]
    await expect(
      run('FileManager.Import', { input: { type: 'blobs', blobs }, variables: here() }),
    ).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('without a name') })
    expect(idsOf(await run('Document.GetChildren', { input: input(folder) }))).toEqual([])
  })

  it('asks for rights', async () => {
    const call = { input: file(await stored('x', 'x.pdf')), variables: here() }
    await importing(await stored('before', 'x.pdf'))
    for (const overwite of [false, true]) {
      const params = { overwite }
      await expect(run('FileManager.Import', { ...call, params, as: ANN })).rejects.toMatchObject({
        code: 'forbidden',
      })
      await expect(run('FileManager.Import', { ...call, params, as: STRANGER })).rejects.toMatchObject({
        code: 'notFound',
      })
    }
  })
})

describe('FileManager.ImportWithProperties', () => {
  const imports = (blob: BlobValue, params: Properties) =>
    run('FileManager.ImportWithProperties', { input: file(blob), params, variables: here() })

  it('sets properties, of what it overwrites too', async () => {
    const properties = 'dc:title=Named\ndc:subjects=art,music'
    const first = documentOf(await imports(await stored('one', 'a.pdf'), { properties }))
    expect((await read(first.id)).properties).toMatchObject({
      'dc:title': 'Named',
      'dc:subjects': ['art', 'music'],
    })
    const again = await imports(await stored('two', 'a.pdf'), {
      properties: { 'dc:source': 'mail' },
      overwrite: true,
    })
    expect(documentOf(again).id).toBe(first.id)
    expect((await read(first.id)).properties).toMatchObject({ 'dc:title': 'Named', 'dc:source': 'mail' })
  })

  it.each<[Properties, string]>([
    [{}, 'File'],
    [{ mimeTypeCheck: false }, 'Picture'],
  ])('with %j', async (params, type) => {
    const blob = { ...(await stored('x', 'a.pdf')), 'mime-type': 'image/png' }
    expect(documentOf(await imports(blob, { properties: {}, ...params })).type).toBe(type)
  })

  it.each<[Properties, RegExp]>([
    [{}, /properties/],
    [{ properties: { 'no:such': 'x' } }, /no:such/],
    [{ properties: 'no equals sign' }, /=/],
  ])('refuses %j, and imports nothing', async (params, message) => {
    await expect(imports(await stored('x', 'a.pdf'), params)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(message),
    })
    expect(idsOf(await run('Document.GetChildren', { input: input(folder) }))).toEqual([])
  })
})

describe('UserWorkspace.CreateDocumentFromBlob', () => {
  it('makes documents where the caller is at home', async () => {
    const one = await run('UserWorkspace.CreateDocumentFromBlob', {
      input: file(await stored('x', 'a.pdf')),
      as: ANN,
    })
    const home = await getUserWorkspace(platform.readSession(ANN))
    expect(documentOf(one).parentId).toBe(home.id)
    const blobs = [await stored('y', 'b.pdf'), await stored('z', 'a.pdf')]
    const more = await run('UserWorkspace.CreateDocumentFromBlob', {
      input: { type: 'blobs', blobs },
      as: ANN,
    })
    expect(idsOf(more)).toHaveLength(2)
    expect(idsOf(await run('Document.GetChildren', { input: input(home), as: ANN }))).toHaveLength(3)
  })
})

describe('FileManager.CreateFolder', () => {
  const make = async (params: Properties) =>
    documentOf(await run('FileManager.CreateFolder', { input: input(folder), params }))

  it('makes a folder, and another one of the same title unless asked otherwise', async () => {
    const first = await make({ title: 'Letters', properties: { 'dc:source': 'mail' } })
    expect(await read(first.id)).toMatchObject({
      type: 'Folder',
      name: 'Letters',
      parentId: folder.id,
      properties: { 'dc:title': 'Letters', 'dc:source': 'mail' },
    })
    expect((await make({ title: 'Letters' })).id).not.toBe(first.id)
    const same = await make({ title: 'Letters', overwrite: true, properties: 'dc:source=post' })
    expect(same.id).toBe(first.id)
    expect((await read(first.id)).properties['dc:source']).toBe('post')
    expect((await make({ title: 'Letters', overwrite: true })).id).toBe(first.id)
    expect((await make({ title: 'Other', overwrite: true })).properties['dc:title']).toBe('Other')
  })

  it.each<[Properties, RegExp]>([
    [{}, /title/],
    [{ title: ' ' }, /title/],
    [{ title: 'x', properties: { 'no:such': 1 } }, /no:such/],
  ])('refuses %j', async (params, message) => {
    await expect(make(params)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(message),
    })
  })
})

it('GetRepositories', async () => {
  expect(await run('GetRepositories', { as: STRANGER })).toEqual({ type: 'json', value: ['default'] })
})
