import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainStep, Value } from '../../../../core/automation/language/index.js'
import { changeToken, createDocument } from '../../../../core/content/documents/index.js'
import type { DocumentRecord, Properties } from '../../../../core/model/properties/index.js'
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

const { run, chain, read } = bench
let folder: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  ;({ folder, file, note } = await bench.filledWorkspace())
})

const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

describe('setting properties', () => {
  it.each<[string, Properties | string, { [property: string]: unknown }]>([
    ['text', { 'dc:title': 'New' }, { 'dc:title': 'New' }],
    ['the lines of a text', 'dc:title=New\ndc:source=a=b', { 'dc:title': 'New', 'dc:source': 'a=b' }],
    ['a list as comma text', { 'dc:subjects': 'a\\,b,c' }, { 'dc:subjects': ['a,b', 'c'] }],
    ['a list as JSON', { 'dc:subjects': ['a', 'b'] }, { 'dc:subjects': ['a', 'b'] }],
    ['a number as text', { 'dc:title': 5 }, { 'dc:title': '5' }],
    ['nothing, which clears', { 'dc:title': null }, { 'dc:title': undefined }],
    ['an empty text, which clears', { 'dc:title': '' }, { 'dc:title': undefined }],
    ['a date', { 'dc:issued': '2020-02-03' }, { 'dc:issued': '2020-02-03T00:00:00.000Z' }],
    [
      'a complex list as JSON text',
      { 'files:files': '[{"file":{"content":"x","name":"x.txt"}}]' },
      { 'files:files': [{ file: expect.objectContaining({ name: 'x.txt', length: 1 }) }] },
    ],
  ])('Document.Update reads %s', async (_title, properties, expected) => {
    const updated = documentOf(await run('Document.Update', { input: input(file), params: { properties } }))
    const stored = (await read(file.id)).properties
    expect(updated.properties).toEqual(stored)
    for (const [name, value] of Object.entries(expected)) expect(stored[name] ?? undefined).toEqual(value)
  })

  it.each<[string, Properties, RegExp]>([
    ['an unknown property', { 'dc:nothing': 'x' }, /'dc:nothing'/],
    ['a property of another type', { 'note:note': 'x' }, /File have no property 'note:note'/],
    ['a bad date', { 'dc:issued': 'soon' }, /dc:issued/],
    ['JSON that is none', { 'file:content': '{' }, /file:content/],
    [
      'a stored file named by its digest',
      { 'file:content': { digest: 'a'.repeat(32), length: 1 } },
      /file:content/,
    ],
    [
      'a file that is elsewhere',
      { 'file:content': { 'upload-batch': 'b', 'upload-fileId': '0' } },
      /file:content/,
    ],
  ])('Document.Update refuses %s and changes nothing', async (_title, properties, message) => {
    const call = run('Document.Update', {
      input: input(file),
      params: { properties: { 'dc:title': 'New', ...properties } },
    })
    await expect(call).rejects.toEqual(refused('badRequest', message))
    expect((await read(file.id)).properties['dc:title']).toBe('A file')
  })

  it('Document.Update compares the change token', async () => {
    const token = changeToken(file)
    const params = { properties: { 'dc:title': 'One' }, changeToken: token }
    await run('Document.Update', { input: input(file), params })
    await expect(run('Document.Update', { input: input(file), params })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('Document.Save writes what earlier steps left unsaved', async () => {
    const output = await chain(
      [
        step('Document.Update', { properties: { 'dc:title': 'Unsaved' }, save: false }),
        step('Document.SetProperty', {
          xpath: 'dc:source',
          value: 'expr:Document["dc:title"]',
          save: 'false',
        }),
        step('Document.Save'),
      ],
      { input: input(file) },
    )
    expect(documentOf(output).properties).toMatchObject({ 'dc:title': 'Unsaved', 'dc:source': 'Unsaved' })
    expect((await read(file.id)).properties).toMatchObject({ 'dc:title': 'Unsaved', 'dc:source': 'Unsaved' })
  })

  it('leaves the store alone without a Document.Save', async () => {
    const params = { properties: { 'dc:title': 'Unsaved' }, save: false }
    const output = await run('Document.Update', { input: input(file), params })
    expect(documentOf(output).properties['dc:title']).toBe('Unsaved')
    expect(await read(file.id)).toEqual(file)
  })

  it.each<[string, ChainStep['params'], string | undefined]>([
    ['sets', { xpath: 'dc:title', value: 'X' }, 'X'],
    ['sets a number as text', { xpath: 'dc:title', value: 7 }, '7'],
    ['clears without a value', { xpath: 'dc:title' }, undefined],
  ])('Document.SetProperty %s', async (_title, params, expected) => {
    await run('Document.SetProperty', { input: input(file), params })
    expect((await read(file.id)).properties['dc:title'] ?? undefined).toBe(expected)
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['a list property', { xpath: 'dc:subjects', value: 'a' }, /: xpath: /],
    ['a file property', { xpath: 'file:content', value: 'a' }, /: xpath: /],
    ['a list value', { xpath: 'dc:title', value: ['a'] }, /: value: /],
    ['an unknown property', { xpath: 'dc:nothing', value: 'a' }, /dc:nothing/],
    ['no xpath', {}, /xpath/],
  ])('Document.SetProperty refuses %s', async (_title, params, message) => {
    await expect(run('Document.SetProperty', { input: input(file), params })).rejects.toEqual(
      refused('badRequest', message),
    )
  })

  it('Document.IncrementProperty adds to what is stored, unsaved changes included', async () => {
    const result = await chain(
      [
        step('Document.SetProperty', { xpath: 'common:size', value: 40, save: false }),
        step('Document.IncrementProperty', { xpath: 'common:size', by: 3 }),
        step('Document.IncrementProperty', { xpath: 'common:size' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(result).properties['common:size']).toBe(44)
    await expect(
      run('Document.IncrementProperty', { input: input(file), params: { xpath: 'dc:title' } }),
    ).rejects.toEqual(refused('badRequest', /dc:title: is not an integer property/))
  })
})

describe('making, placing and removing documents', () => {
  it('Document.Create makes a child, Untitled unless named', async () => {
    const params = { type: 'Note', properties: { 'dc:title': 'T', 'note:note': 'n' } }
    const created = documentOf(await run('Document.Create', { input: input(folder), params }))
    expect(created).toMatchObject({ name: 'Untitled', parentId: folder.id, type: 'Note' })
    expect((await read(created.id)).properties).toMatchObject(params.properties)
    const second = documentOf(await run('Document.Create', { input: input(folder), params }))
    expect(second.name).toMatch(/^Untitled\.\d+$/)
  })

  it('Document.Create makes one in each folder of a list', async () => {
    const other = await bench.create(folder.id, 'Folder', 'other')
    const output = await run('Document.Create', {
      input: inputs(folder, other),
      params: { type: 'Note', name: 'n' },
    })
    const created = await Promise.all(idsOf(output).map(read))
    expect(created.map(({ path }) => path)).toEqual([`${folder.path}/n`, `${other.path}/n`])
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['no type', {}, /type/],
    ['an unknown type', { type: 'Nothing' }, /: type: .*'Nothing'/],
    ['an unknown property', { type: 'File', properties: { 'x:y': 'z' } }, /'x:y'/],
    ['an illegal name', { type: 'File', name: '..' }, /name/],
  ])('Document.Create refuses %s', async (_title, params, message) => {
    await expect(run('Document.Create', { input: input(folder), params })).rejects.toEqual(
      refused('badRequest', message),
    )
  })

  it('Document.Copy and Document.Move take a target by id or path, and a name', async () => {
    const target = await bench.create(folder.id, 'Folder', 'target')
    const params = { target: target.path ?? '', name: 'renamed' }
    const copy = documentOf(await run('Document.Copy', { input: input(file), params }))
    expect(copy).toMatchObject({ path: `${target.path}/renamed`, properties: { 'dc:title': 'A file' } })
    const moved = documentOf(
      await run('Document.Move', { input: input(note), params: { target: target.id } }),
    )
    expect(moved).toMatchObject({ id: note.id, path: `${target.path}/note` })
    await expect(read(note.path ?? '')).rejects.toMatchObject({ code: 'notFound' })
  })

  it.each(['Document.Copy', 'Document.Move'])('%s refuses a target that is not there', async (operation) => {
    const call = run(operation, { input: input(file), params: { target: '/nowhere' } })
    await expect(call).rejects.toMatchObject({ code: 'notFound' })
  })

  it('Document.Delete gives nothing for one, an empty list for several', async () => {
    expect(await run('Document.Delete', { input: input(file) })).toEqual({ type: 'void' })
    const other = await bench.create(folder.id, 'File', 'other')
    expect(idsOf(await run('Document.Delete', { input: inputs(note, other) }))).toEqual([])
    expect(idsOf(await run('Document.GetChildren', { input: input(folder) }))).toEqual([])
  })
})

describe('reading documents', () => {
  it('finds by id, path, name and kinship', async () => {
    const deep = await bench.create(folder.id, 'Folder', 'deep')
    const found = async (operation: string, from: Value, params: ChainStep['params'] = {}) =>
      documentOf(await run(operation, { input: from, params })).id
    expect(await found('Repository.GetDocument', { type: 'void' }, { value: file.id })).toBe(file.id)
    expect(await found('Document.Fetch', { type: 'void' }, { value: file.path })).toBe(file.id)
    expect(await found('Document.GetChild', input(folder), { name: 'note' })).toBe(note.id)
    expect(await found('Document.GetParent', input(file))).toBe(folder.id)
    expect(await found('Document.GetParent', input(deep), { type: 'Workspace' })).toBe(folder.id)
    expect(await run('Document.GetParent', { input: input(file), params: { type: 'Note' } })).toEqual({
      type: 'void',
    })
    expect(idsOf(await run('Document.GetChildren', { input: input(folder) }))).toEqual(
      expect.arrayContaining([file.id, note.id, deep.id]),
    )
  })

  it('Document.GetChildren gives the children of all folders of a list as one list', async () => {
    const deep = await bench.create(folder.id, 'Folder', 'deep')
    const inside = await bench.create(deep.id, 'Note', 'inside')
    const output = idsOf(await run('Document.GetChildren', { input: inputs(folder, deep) }))
    expect(new Set(output)).toEqual(new Set([file.id, note.id, deep.id, inside.id]))
  })

  it.each(['nothing', 'deep/inside', '..', ''])('Document.GetChild has no child %j', async (name) => {
    const call = run('Document.GetChild', { input: input(folder), params: { name } })
    await expect(call).rejects.toMatchObject({ code: 'notFound' })
  })

  it('Repository.Query pages, sorts, binds and keeps to what the caller may read', async () => {
    const query = `SELECT * FROM Document WHERE ecm:parentId = ? AND ecm:primaryType IN :types`
    const params = {
      query,
      queryParams: [folder.id],
      namedParameters: { types: ['File', 'Note'] },
      sortBy: 'ecm:name',
      sortOrder: 'asc',
    }
    expect(idsOf(await run('Repository.Query', { params }))).toEqual([file.id, note.id])
    const second = await run('Repository.Query', { params: { ...params, pageSize: 1, page: 1 } })
    expect(second).toMatchObject({ ids: [note.id], page: { pageSize: 1, pageIndex: 1, resultsCount: 2 } })
    const capped = await run('Repository.Query', { params: { ...params, maxResults: 1 } })
    expect(capped).toMatchObject({ ids: [file.id], page: { resultsCount: -2, entries: { length: 1 } } })
    expect(idsOf(await run('Repository.Query', { params: { ...params, maxResults: -1 } }))).toHaveLength(2)
    const behind = { ...params, maxResults: 1, pageSize: 1, page: 1 }
    expect(await run('Repository.Query', { params: behind })).toMatchObject({
      ids: [note.id],
      page: { resultsCount: -2 },
    })
    expect(idsOf(await run('Repository.Query', { params, as: ANN }))).toEqual([file.id, note.id])
    expect(idsOf(await run('Repository.Query', { params, as: STRANGER }))).toEqual([])
  })

  it('Repository.Query without a page size passes on all that it finds, and shows the first page', async () => {
    await bench.platform.withSession(ADMINISTRATOR, async (session) => {
      for (let number = 0; number < 1_001; number++)
        await createDocument(session, { parent: folder.id, type: 'Note', name: `n${number}` })
    })
    const params = { query: `SELECT * FROM Note WHERE ecm:parentId = '${folder.id}'` }
    const found = await run('Repository.Query', { params })
    expect(new Set(idsOf(found)).size).toBe(1_002)
    expect(found).toMatchObject({ page: { pageIndex: 0, resultsCount: 1_002, entries: { length: 1_000 } } })
    const capped = await run('Repository.Query', { params: { ...params, maxResults: 1_001 } })
    expect(idsOf(capped)).toHaveLength(1_001)
    expect(capped).toMatchObject({ page: { resultsCount: -2 } })
  })

  it.each<[string, ChainStep['params'], RegExp]>([
    ['another language', { language: 'CMISQL' }, /: language: /],
    ['a negative page', { currentPageIndex: -1 }, /: currentPageIndex: /],
    ['a page size that is none', { pageSize: 'many' }, /pageSize/],
    ['a query that is none', { query: 'SELECT' }, /./],
  ])('Repository.Query refuses %s', async (_title, params, message) => {
    await expect(run('Repository.Query', { params })).rejects.toEqual(refused('badRequest', message))
  })
})

describe('locks, life cycles and versions', () => {
  it('Document.Lock locks for the caller, Document.Unlock frees', async () => {
    const locked = documentOf(await run('Document.Lock', { input: input(file), params: { owner: 'bob' } }))
    expect(locked.lockOwner).toBe('Administrator')
    await expect(run('Document.Lock', { input: input(file) })).rejects.toMatchObject({ code: 'conflict' })
    expect(documentOf(await run('Document.Unlock', { input: input(file) })).lockOwner).toBeNull()
  })

  it('Document.SetLifeCycle follows a transition that the state allows', async () => {
    const approve = () => run('Document.SetLifeCycle', { input: input(file), params: { value: 'approve' } })
    expect(documentOf(await approve()).lifecycleState).toBe('approved')
    await expect(approve()).rejects.toEqual(refused('badRequest', /approve/))
  })

  it('Document.CheckIn makes a version and names it in a variable', async () => {
    const output = await chain(
      [
        step('Document.Update', { properties: { 'dc:title': 'Versioned' }, save: false }),
        step('Document.CheckIn', { version: 'minor', comment: 'c', versionVarName: 'made' }),
        step('Context.RestoreDocumentInput', { name: 'made' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(output)).toMatchObject({
      isVersion: true,
      versionLabel: '0.1',
      versionDescription: 'c',
      properties: { 'dc:title': 'Versioned' },
    })
    expect(await read(file.id)).toMatchObject({ isCheckedIn: true, properties: { 'dc:title': 'Versioned' } })
    expect(documentOf(await run('Document.CheckOut', { input: input(file) })).isCheckedIn).toBe(false)
  })

  it.each<[string, ChainStep['params'], string[]]>([
    ['none by default', {}, []],
    ['a minor one', { increment: 'Minor' }, ['0.1']],
    ['a major one', { increment: 'MAJOR' }, ['1.0']],
  ])('Document.CreateVersion makes %s', async (_title, params, labels) => {
    await run('Document.CreateVersion', { input: input(file), params })
    const versions = await Promise.all(
      idsOf(await run('Document.GetVersions', { input: input(file) })).map(read),
    )
    expect(versions.map(({ versionLabel }) => versionLabel)).toEqual(labels)
  })

  it('Document.CreateVersion shows what is stored when unsaved changes are left out', async () => {
    const output = await chain(
      [
        step('Document.Update', { properties: { 'dc:title': 'Unsaved' }, save: false }),
        step('Document.CreateVersion', { increment: 'Major', saveDocument: false }),
        step('Document.GetVersions'),
      ],
      { input: input(file) },
    )
    const [version] = await Promise.all(idsOf(output).map(read))
    expect(version?.properties['dc:title']).toBe('A file')
  })

  it.each<[string, string, ChainStep['params'], RegExp]>([
    ['Document.CheckIn', 'file', { version: 'huge' }, /: version: 'huge'/],
    ['Document.CheckIn', 'file', { version: 'none' }, /: version: /],
    ['Document.CreateVersion', 'file', { increment: 'huge' }, /: increment: 'huge'/],
    ['Document.CreateVersion', '', { increment: 'None' }, /not versionable/],
  ])('%s of %j refuses %j', async (operation, name, params, message) => {
    const document = name === '' ? folder : file
    await expect(run(operation, { input: input(document), params })).rejects.toEqual(
      refused('badRequest', message),
    )
  })
})
