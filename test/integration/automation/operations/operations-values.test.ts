import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainStep, Value, Variables } from '../../../../core/automation/language/index.js'
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

let count = 0
let folder: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  folder = await bench.workspace()
  file = await bench.create(folder.id, 'File', 'file', {
    'dc:title': 'A file',
    'dc:subjects': ['a', 'b', 'a'],
  })
  note = await bench.create(folder.id, 'Note', 'note', { 'dc:title': folder.name })
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

describe('finding and filtering', () => {
  it.each<[string, (name: string) => Properties, string[]]>([
    ['a value', (name) => ({ property: 'dc:title', values: name }), ['note']],
    ['one of several', (name) => ({ property: 'dc:title', values: ['A file', name] }), ['file', 'note']],
    ['no value', () => ({ property: 'dc:title', values: [] }), []],
    [
      'a further condition',
      (name) => ({ property: 'dc:title', values: `A file,${name}`, query: "ecm:primaryType = 'Note'" }),
      ['note'],
    ],
    [
      'a condition that would reach beyond',
      (name) => ({ property: 'dc:title', values: name, query: "ecm:name = 'file' OR ecm:name = 'note'" }),
      ['note'],
    ],
  ])('Document.FetchByProperty finds documents by %s', async (_title, params, expected) => {
    const call = run('Document.FetchByProperty', { params: params(folder.name) })
    const found = await Promise.all(idsOf(await call).map(read))
    const here = found.filter(({ parentId }) => parentId === folder.id).map(({ name }) => name)
    expect(here.sort()).toEqual(expected)
  })

  it('Document.FetchByProperty finds nothing that its caller may not read', async () => {
    const params = { property: 'dc:title', values: folder.name }
    expect(idsOf(await run('Document.FetchByProperty', { params, as: STRANGER }))).toEqual([])
  })

  it.each<[Properties, RegExp]>([
    [{ values: 'a' }, /property/],
    [{ property: 'dc:title' }, /values/],
    [{ property: "dc:title = 'a' OR ecm:name", values: 'a' }, /property: .* is no name/],
    [{ property: 'no:such', values: 'a' }, /no:such/],
    [{ property: 'dc:title', values: 'a', query: 'ORDER' }, /./],
  ])('Document.FetchByProperty %j is refused', async (params, message) => {
    await expect(run('Document.FetchByProperty', { params })).rejects.toMatchObject(refused(message))
  })

  const kept = async (params: Properties): Promise<string[]> => {
    await run('Document.CheckIn', { input: input(file), params: { version: 'minor' } })
    const version = documentOf(await run('Document.GetLastVersion', { input: input(file) }))
    const section = await bench.create('/default-domain/sections', 'Section', `s-${count++}`)
    const published = documentOf(
      await run('Document.PublishToSection', { input: input(file), params: { target: section.id } }),
    )
    const live = documentOf(
      await run('Document.CreateLiveProxy', {
        input: input(note),
        params: { 'Destination Path': section.path ?? '' },
      }),
    )
    const list = { file, note, version, published, live }
    const ids = idsOf(await run('Document.Filter', { input: inputs(...Object.values(list)), params }))
    return Object.entries(list).flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []))
  }

  it.each<[Properties, string[]]>([
    [{}, ['file', 'note', 'version', 'published', 'live']],
    [{ types: 'Note' }, ['note', 'live']],
    [{ types: 'Note, Folder', class: 'Regular Document' }, ['note']],
    [{ facet: 'Folderish' }, []],
    [{ lifecycle: 'project', class: 'Regular Document' }, ['file', 'note']],
    [{ lifecycle: 'deleted' }, []],
    [{ pathStartsWith: '/default-domain/sections/' }, ['published', 'live']],
    [{ class: 'Any' }, ['file', 'note', 'version', 'published', 'live']],
    [{ class: 'Document Link' }, ['live']],
    [{ class: 'Published Document' }, ['published']],
    [{ class: 'Document Proxy' }, ['published', 'live']],
    [{ class: 'Document Version' }, ['version']],
    [{ class: 'Immutable Document' }, ['version', 'published']],
    [{ class: 'Mutable Document' }, ['file', 'note', 'live']],
    [{ condition: 'Document.name == "note"', class: 'Regular Document' }, ['note']],
    [{ condition: 'no.such.thing', class: 'Regular Document' }, ['file', 'note']],
    [{ condition: '"neither"' }, []],
  ])('Document.Filter %j keeps %j', async (params, expected) => {
    expect(await kept(params)).toEqual(expected)
  })

  it('Document.Filter refuses a class that there is none of, and expressions of a caller', async () => {
    const call = { input: inputs(file), params: { class: 'Best Document' } }
    await expect(run('Document.Filter', call)).rejects.toMatchObject(refused(/class: 'Best Document'/))
    const condition = { input: inputs(file), params: { condition: 'true' }, as: ANN }
    await expect(run('Document.Filter', condition)).rejects.toMatchObject({ code: 'forbidden' })
    const inChain = await chain([step('Document.Filter', { condition: 'true' })], {
      input: inputs(file),
      as: ANN,
    })
    expect(idsOf(inChain)).toEqual([file.id])
  })

  it('Document.Filter takes no condition of a caller by way of a variable, and gives one up that takes too long', async () => {
    const condition = { type: 'string', value: '1 == 2' } as const
    const call = { input: inputs(file), as: ANN, variables: { condition } }
    const ofVariable = await chain([step('Document.Filter', { class: 'Any' })], call)
    expect(idsOf(ofVariable)).toEqual([file.id])
    const parameters = { id: 'main', parameters: { condition: '1 == 2' } }
    const others = { main: [step('Document.Filter', { class: 'Any' })] }
    const ofParameter = await run('RunOperation', { ...call, params: parameters }, others)
    expect(idsOf(ofParameter)).toEqual([file.id])
    const endless = step('Document.Filter', { condition: '(function(){ while (true) {} })()' })
    const started = performance.now()
    await expect(chain([endless], { input: inputs(...Array(400).fill(file)) })).rejects.toMatchObject(
      refused(/runs longer than its time limit/),
    )
    // To ask for each of them takes minutes.
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  it('Repository.SaveSession passes its input on', async () => {
    expect(await run('Repository.SaveSession', { input: input(file) })).toMatchObject(input(file))
    expect(await run('Document.SaveSession')).toEqual({ type: 'void' })
  })
})

describe('pages', () => {
  const members = async (size: number): Promise<DocumentRecord> => {
    const home = await bench.create(folder.id, 'Folder', `pages-${count++}`)
    for (let index = 0; index < size; index++)
      await bench.create(home.id, 'Note', `n${index}`, { 'dc:source': 'todo' })
    return home
  }
  const query = (home: DocumentRecord, condition: string) =>
    step('Repository.Query', {
      query: `SELECT * FROM Note WHERE ecm:parentId = '${home.id}' AND ${condition} ORDER BY ecm:name`,
      pageSize: 2,
    })
  const sources = async (home: DocumentRecord) =>
    (await Promise.all(idsOf(await run('Document.GetChildren', { input: input(home) })).map(read))).map(
      ({ properties }) => properties['dc:source'],
    )
  const body: ChainStep[] = [
    step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{Document["dc:source"]}!' }),
  ]

  it('RunOperationOnProvider runs once for each page, and gives nothing', async () => {
    const home = await members(5)
    const steps = [query(home, "dc:source LIKE 'todo%'"), step('RunOperationOnProvider', { id: 'body' })]
    expect(await chain(steps, {}, { body })).toEqual({ type: 'void' })
    expect(await sources(home)).toEqual(Array(5).fill('todo!'))
  })

  it('RunOperationOnProvider leaves none out when what it runs takes documents off the list', async () => {
    const home = await members(5)
    const steps = [query(home, "dc:source = 'todo'"), step('RunOperationOnProvider', { id: 'body' })]
    await chain(steps, {}, { body })
    expect(await sources(home)).toEqual(Array(5).fill('todo!'))
  })

  it('RunOperationOnProvider hands variables on unless they are isolated', async () => {
    const home = await members(3)
    const counting = [step('Context.SetVar', { name: 'pages', value: 'expr:@{pages}+' })]
    const counted = async (isolate: ChainStep['params']) =>
      documentOf(
        await chain(
          [
            step('Context.SetVar', { name: 'pages', value: 'p' }),
            query(home, "dc:source LIKE 'todo%'"),
            step('RunOperationOnProvider', { id: 'counting', ...isolate }),
            step('Repository.GetDocument', { value: file.id }),
            step('Document.SetProperty', { xpath: 'dc:source', value: 'expr:@{pages}' }),
          ],
          {},
          { counting },
        ),
      ).properties['dc:source']
    expect([await counted({}), await counted({ isolate: false })]).toEqual(['p', 'p++'])
  })

  it('RunOperationOnProvider takes a list that came from no query as one page', async () => {
    const call = { input: inputs(file, note), params: { id: 'Document.RemoveProperty', parameters: {} } }
    await expect(run('RunOperationOnProvider', call)).rejects.toMatchObject(refused(/xpath/))
    await chain([step('RunOperationOnProvider', { id: 'body' })], { input: inputs(file, note) }, { body })
    expect((await read(note.id)).properties['dc:source']).toBe('!')
    await expect(run('RunOperationOnProvider', { input: inputs(file) })).rejects.toMatchObject(refused(/id/))
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
