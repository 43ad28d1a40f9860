import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Value, Variables } from '../../../../core/automation/language/index.js'
import type { DocumentRecord, Properties, PropertyValue } from '../../../../core/model/properties/index.js'
import {
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
  ;({ folder, file, note } = await bench.describedWorkspace())
})

const refused = (message: RegExp) => ({ code: 'badRequest', message: expect.stringMatching(message) })

describe('values of lists', () => {
  const ADD = 'DocumentMultivaluedProperty.addItem'
  const REMOVE = 'Document.RemoveEntryOfMultivaluedProperty'

  it.each<[string, Properties, readonly PropertyValue[]]>([
    [ADD, { value: 'c' }, ['a', 'b', 'a', 'c']],
    [ADD, { value: 'x, \\y' }, ['a', 'b', 'a', 'x, \\y']],
    [ADD, { value: 'a' }, ['a', 'b', 'a']],
    [ADD, { value: 'a', checkExists: false }, ['a', 'b', 'a', 'a']],
    [ADD, { value: 'c', save: false }, ['a', 'b', 'a']],
    [REMOVE, { value: 'a' }, ['b']],
    [REMOVE, { value: 'a', 'is Remove All': false }, ['b', 'a']],
    [REMOVE, { value: 'z' }, ['a', 'b', 'a']],
    [REMOVE, { value: 'z', 'is Remove All': false }, ['a', 'b', 'a']],
    [REMOVE, { value: 'a', save: false }, ['a', 'b', 'a']],
  ])('%s %j leaves %j', async (operation, params, expected) => {
    const output = await run(operation, { input: input(file), params: { xpath: 'dc:subjects', ...params } })
    expect(documentOf(output).id).toBe(file.id)
    expect((await read(file.id)).properties['dc:subjects']).toEqual(expected)
  })

  it.each<[string, Properties, RegExp]>([
    [ADD, { xpath: 'dc:title', value: 'a' }, /xpath: 'dc:title'/],
    [ADD, { xpath: 'files:files', value: 'a' }, /xpath: 'files:files'/],
    [ADD, { xpath: 'x:y', value: 'a' }, /'x:y'/],
    [ADD, { xpath: 'dc:subjects', value: ['a'] }, /value: 'dc:subjects'/],
    [ADD, { xpath: 'dc:subjects' }, /value/],
    [REMOVE, { value: 'a' }, /xpath/],
    [REMOVE, { xpath: 'dc:title', value: 'a' }, /xpath: 'dc:title'/],
  ])('%s %j is refused', async (operation, params, message) => {
    await expect(run(operation, { input: input(file), params })).rejects.toMatchObject(refused(message))
  })

  it.each([
    ['dc:title', { 'dc:title': undefined }],
    ['dc:subjects', { 'dc:subjects': undefined }],
    ['dc:subjects/1', { 'dc:subjects': ['a', 'a'] }],
  ])('Document.RemoveProperty clears %s', async (xpath, expected) => {
    await run('Document.RemoveProperty', { input: inputs(file), params: { xpath } })
    const { properties } = await read(file.id)
    for (const [name, value] of Object.entries(expected)) expect(properties[name] ?? undefined).toEqual(value)
  })

  it.each([
    [{}, /xpath/],
    [{ xpath: 'x:y' }, /'x:y'/],
    [{ xpath: 'dc:subjects/7' }, /dc:subjects\/7/],
  ])('Document.RemoveProperty %j is refused', async (params, message) => {
    const call = run('Document.RemoveProperty', { input: input(file), params })
    await expect(call).rejects.toMatchObject(refused(message))
  })

  it('Document.Reload forgets what was not saved', async () => {
    const output = await chain(
      [
        step('Document.RemoveProperty', { xpath: 'dc:title', save: false }),
        step('Document.Reload'),
        step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{Document["dc:title"]}' }),
      ],
      { input: input(file) },
    )
    expect(documentOf(output).properties).toMatchObject({ 'dc:title': 'A file', 'dc:source': 'A file' })
  })

  it.each([
    [ADD, { xpath: 'dc:subjects', value: 'new' }],
    [REMOVE, { xpath: 'dc:subjects', value: 'a' }],
    ['Document.RemoveProperty', { xpath: 'dc:title' }],
  ])('%s is forbidden to readers and hidden from others', async (operation, params) => {
    const call = { input: input(file), params }
    await expect(run(operation, { ...call, as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(run(operation, { ...call, as: STRANGER })).rejects.toMatchObject({ code: 'notFound' })
    expect(await read(file.id)).toEqual(file)
  })
})

describe('a document parameter that begins with a point', () => {
  it.each<[string, () => Value, string]>([
    ['./file', () => ({ type: 'document', id: folder.id }), 'file'],
    ['./file', () => ({ type: 'string', value: folder.path ?? '' }), 'file'],
    ['./file', () => ({ type: 'string', value: `doc:${folder.id}` }), 'file'],
    ['../note', () => ({ type: 'document', id: file.path ?? '' }), 'note'],
    ['../file/.', () => input(note), 'file'],
  ])('%s is relative to the input', async (value, from, name) => {
    expect(documentOf(await run('Document.Fetch', { input: from(), params: { value } })).name).toBe(name)
  })

  it('stands in lists of documents, too, which say what is not there', async () => {
    const targets = (target: PropertyValue) =>
      run('Document.PublishToSections', { input: input(file), params: { target } })
    await expect(targets(['./gone'])).rejects.toMatchObject({
      code: 'notFound',
      message: expect.stringMatching(/target: \S+\/file\/gone does not exist, or may not be seen$/),
    })
    expect(idsOf(await targets([`doc:${folder.id}`, '..']))).toHaveLength(2)
  })

  it('is read once, however often it is named, and not for more than may be named', async () => {
    const targets = (count: number) => ({ target: Array.from({ length: count }, () => './gone') })
    await expect(
      run('Document.PublishToSections', { input: input(folder), params: targets(10_001) }),
    ).rejects.toMatchObject({ code: 'tooLarge', message: expect.stringContaining('Parameter target: 10001') })
    const path = file.path ?? ''
    const named: Value = { type: 'documents', ids: [path, note.path ?? '', path], mustExist: true }
    const kept = await run('Document.Save', { input: named })
    expect(idsOf(kept)).toEqual([file.id, note.id, file.id])
  })

  it('leads nowhere without an input', async () => {
    await expect(run('Document.Fetch', { params: { value: './file' } })).rejects.toMatchObject(
      refused(/value: '\.\/file' is relative/),
    )
  })
})

describe('stacks', () => {
  it('keep what a text names, and pass it on', async () => {
    const path: Value = { type: 'string', value: file.path ?? '' }
    expect(documentOf(await run('Context.PushDocument', { input: path })).id).toBe(file.id)
    expect(idsOf(await run('Context.PushDocumentList', { input: path }))).toEqual([file.id])
    const swapped = [
      step('Context.PushDocument'),
      step('Repository.GetDocument', { value: note.id }),
      step('Context.PopDocument'),
    ]
    expect(documentOf(await chain(swapped, { input: path })).id).toBe(file.id)
  })

  const KINDS: readonly [string, string, () => Promise<Value[]>][] = [
    ['Document', 'Document.', async () => [input(file), input(note)]],
    ['DocumentList', 'Document.List', async () => [inputs(file), inputs(note, file)]],
    [
      'Blob',
      'Blob.',
      async () => [
        { type: 'blob', blob: await storedBlob('1') },
        { type: 'blob', blob: await storedBlob('2') },
      ],
    ],
    [
      'BlobList',
      'Blob.List',
      async () => [
        { type: 'blobs', blobs: [await storedBlob('1')] },
        { type: 'blobs', blobs: [] },
      ],
    ],
  ]

  it.each(KINDS)('Context.Push%s, Pop and Pull', async (kind, alias, values) => {
    const [first, second] = await values()
    const variables = { second } as Variables
    const restore = { Document: 'Document', DocumentList: 'Documents', Blob: 'Blob', BlobList: 'Blobs' }[kind]
    const pushed = [
      step(`Context.Push${kind}`),
      step(`Context.Restore${restore}Input`, { name: 'second' }),
      step(alias.replace('.', '.Push')),
    ]
    const call = { input: first!, variables }
    expect(await chain(pushed, call)).toMatchObject(second!)
    expect(await chain([...pushed, step(`Context.Pop${kind}`)], call)).toMatchObject(second!)
    expect(await chain([...pushed, step(`Context.Pull${kind}`)], call)).toMatchObject(first!)
    const both = [step(`Context.Pop${kind}`), step(alias.replace('.', '.Pop'))]
    expect(await chain([...pushed, ...both], call)).toMatchObject(first!)
    const once = [step(`Context.Pull${kind}`), step(alias.replace('.', '.Pull'))]
    expect(await chain([...pushed, ...once], call)).toMatchObject(second!)
    const empty = chain([...pushed, ...both, step(`Context.Pop${kind}`)], call)
    await expect(empty).rejects.toMatchObject(refused(/was pushed/))
  })

  it('keeps the stacks of kinds apart, and what is popped inside of a call is gone behind it', async () => {
    const blob: Value = { type: 'blob', blob: await storedBlob('1') }
    const apart = [step('Context.PushDocument'), step('Context.PopBlob')]
    await expect(chain(apart, { input: input(file) })).rejects.toMatchObject(refused(/blob was pushed/))
    const popping = [
      step('Context.PushBlob'),
      step('RunOperationOnList', { id: 'Context.PopBlob', list: 'once', isolate: false }),
      step('Context.PopBlob'),
    ]
    const call = { input: blob, variables: { once: { type: 'json', value: [1] } } satisfies Variables }
    await expect(chain(popping, call)).rejects.toMatchObject(refused(/blob was pushed/))
    const isolated = popping.with(1, step('RunOperationOnList', { id: 'Context.PopBlob', list: 'once' }))
    expect(await chain(isolated, call)).toEqual(blob)
  })

  it('does not let a loop push for ever', async () => {
    const list = { type: 'json', value: Array.from({ length: 1_001 }, () => 1) } as const
    const call = chain(
      [step('RunOperationOnList', { id: 'Context.PushDocument', list: 'list', isolate: false })],
      { input: input(file), variables: { list: { ...list, value: [...list.value] } } },
    )
    await expect(call).rejects.toMatchObject(refused(/More than 1000 values/))
  })
})

describe('inputs from a script', () => {
  it.each<[string, string, () => Promise<Value>]>([
    ['Document', 'Document', async () => input(file)],
    ['Document', 'Context["kept"]', async () => input(file)],
    ['Documents', 'kept', async () => inputs(file, note)],
    ['Blob', 'kept', async () => ({ type: 'blob', blob: await storedBlob('1') })],
    [
      'Blobs',
      'kept',
      async () => ({ type: 'blobs', blobs: [await storedBlob('1'), await storedBlob('2', 'b.txt')] }),
    ],
  ])('Context.Restore%sInputFromScript takes %s', async (kind, script, value) => {
    const kept = await value()
    const steps = [step(`Context.Restore${kind}InputFromScript`, { script })]
    expect(await chain(steps, { input: input(file), variables: { kept }, as: ANN })).toMatchObject(kept)
  })

  it.each<[string, string]>([
    ['Document', '"not a document"'],
    ['Documents', '1 + 1'],
    ['Blob', 'Document'],
    ['Blobs', '[1]'],
  ])('Context.Restore%sInputFromScript refuses %s', async (kind, script) => {
    const call = chain([step(`Context.Restore${kind}InputFromScript`, { script })], { input: input(file) })
    await expect(call).rejects.toMatchObject(refused(/script: it gives/))
  })

  it('opens no file that somebody writes the digest of, and runs no expression of a caller', async () => {
    const { digest, length, digestAlgorithm } = await storedBlob('secret')
    const forged = JSON.stringify({ digest, length, digestAlgorithm, name: null })
    const call = chain([step('Context.RestoreBlobInputFromScript', { script: forged })])
    await expect(call).rejects.toMatchObject(refused(/script: it gives/))
    const direct = run('Context.RestoreDocumentInputFromScript', { params: { script: 'Document' }, as: ANN })
    await expect(direct).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a parameter that is null', () => {
  it.each<PropertyValue>([null, 'expr:null', 'expr:Document["dc:description"]'])(
    'has its default: %j',
    async (increment) => {
      const made = await chain([step('Document.CreateVersion', { increment })], { input: input(file) })
      expect(documentOf(made)).toMatchObject({ id: file.id, isVersion: false, versionLabel: null })
    },
  )
})
