import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainStep } from '../../../../core/automation/language/index.js'
import type { DocumentRecord, Properties } from '../../../../core/model/properties/index.js'
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

const { run, chain, read } = bench

let count = 0
let folder: DocumentRecord
let file: DocumentRecord
let note: DocumentRecord

beforeEach(async () => {
  ;({ folder, file, note } = await bench.describedWorkspace())
})

const refused = (message: RegExp) => ({ code: 'badRequest', message: expect.stringMatching(message) })

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
