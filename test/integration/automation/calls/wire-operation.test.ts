import { createReadStream } from 'node:fs'
import Nuxeo from 'nuxeo'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWire, refusalOf, WORKSPACES } from '../../support/wire-support.js'

const { client, baseURL, newUser } = await createWire()
const nuxeo = client({ schemas: ['dublincore'] })
let ann: Nuxeo
let folder: Nuxeo.Document
let file: Nuxeo.Document
let count = 0

beforeAll(async () => {
  ann = await newUser('ann', ['members'])
})

beforeEach(async () => {
  folder = await nuxeo.repository().create(WORKSPACES, { type: 'Workspace', name: `ws-${count++}` })
  file = await nuxeo
    .repository()
    .create(folder.path, { type: 'File', name: 'file', properties: { 'dc:title': 'File' } })
})

const textBlob = (name: string, content: unknown = `text of ${name}`) => new Nuxeo.Blob({ content, name })

const attach = (input: unknown, xpath = 'file:content') =>
  nuxeo.operation('Blob.AttachOnDocument').params({ document: file.uid, xpath }).input(input)

describe('input', () => {
  test('of nothing', async () => {
    const found = await nuxeo.operation('Repository.GetDocument').param('value', folder.path).execute()
    expect([found.uid, found.get('dc:title')]).toEqual([folder.uid, null])
    expect(found.isFolder()).toBe(true)
  })

  test.each<[string, () => unknown]>([
    ['an id', () => folder.uid],
    ['a path', () => folder.path],
    ['doc: and an id', () => `doc:${folder.uid}`],
    ['doc: and a path', () => `doc:${folder.path}`],
    ['a document', () => folder],
    ['the entity of a document', () => ({ 'entity-type': 'document', uid: folder.uid })],
  ])('of %s', async (_case, input) => {
    const child = await nuxeo.operation('Document.GetChild').input(input()).param('name', 'file').execute()
    expect(child.uid).toBe(file.uid)
  })

  test.each<[string, () => unknown]>([
    ['ids', () => [file.uid, folder.uid]],
    ['paths', () => [file.path, folder.path]],
    ['documents', () => [file, folder]],
    ['docs: and references', () => `docs:${file.uid}, ${folder.path}`],
  ])('of a list of %s', async (_case, input) => {
    const properties = { 'dc:description': 'both' }
    const page = await nuxeo
      .operation('Document.Update')
      .input(input())
      .params({ properties })
      .execute<Nuxeo.Page>()
    expect(page.entries.map(({ uid }) => uid)).toEqual([file.uid, folder.uid])
    expect(page.entries.map((entry) => entry.get('dc:description'))).toEqual(['both', 'both'])
  })

  test.each<[unknown, string]>([
    ['just text', 'string'],
    [42, 'number'],
    [true, 'boolean'],
    [[1, 2], 'list'],
    [{ a: 1 }, 'map'],
  ])('of %j comes back from an operation that has nothing to say', async (input, type) => {
    const output = await nuxeo
      .operation('Context.SetVar')
      .input(input)
      .params({ name: 'x', value: 'y' })
      .execute<unknown>()
    expect(output).toEqual({ 'entity-type': type, value: input })
  })

  test.each<[string, () => unknown]>([
    ['text', () => 'text of café.txt'],
    ['bytes', () => Buffer.from('text of café.txt')],
  ])('of a blob of %s', async (_case, content) => {
    const answer = await attach(textBlob('café.txt', content())).execute<Nuxeo.Answer>()
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toBe('text of café.txt')
    const changed = await nuxeo.repository().fetch(file.uid, { schemas: ['file'] })
    expect(changed.get('file:content')).toMatchObject({ name: 'café.txt', 'mime-type': 'text/plain' })
    expect(await (await changed.fetchBlob()).text()).toBe('text of café.txt')
  })

  test('of a blob that streams from a file', async () => {
    const content = createReadStream(import.meta.filename)
    await attach(new Nuxeo.Blob({ content, name: 'test.ts' })).execute()
    const text = await (await file.fetchBlob()).text()
    expect(text).toContain('of a blob that streams from a file')
  })

  test('of a blob of JSON, which is not the JSON of the call', async () => {
    await attach(textBlob('data.json', '{"params":{"document":"/"}}')).execute()
    expect(await file.fetchBlob()).toEqual({ params: { document: '/' } })
    const stored = await nuxeo.repository().fetch(file.uid, { schemas: ['file'] })
    expect(stored.get('file:content')).toMatchObject({ name: 'data.json', 'mime-type': 'application/json' })
  })

  test('of a list of blobs', async () => {
    const blobs = [textBlob('one.txt'), textBlob('two.txt')]
    const answer = await attach(blobs, 'files:files').execute<Nuxeo.Answer>()
    expect(answer.headers.get('content-type')).toMatch(/^multipart\/mixed/)
    const parts = await answer.text()
    expect(parts).toContain('text of one.txt')
    expect(parts).toContain('text of two.txt')
    const changed = await nuxeo.repository().fetch(file.uid, { schemas: ['files'] })
    expect(changed.get('files:files')).toMatchObject([
      { file: { name: 'one.txt' } },
      { file: { name: 'two.txt' } },
    ])
  })
})

describe('parameters', () => {
  test.each<[string, () => unknown]>([
    ['a path', () => folder.path],
    ['an id', () => folder.uid],
    ['a document', () => folder],
  ])('that name a document by %s', async (_case, target) => {
    const copy = await nuxeo
      .operation('Document.Copy')
      .input(file)
      .params({ target: target(), name: 'copy' })
      .execute()
    expect(copy.path).toBe(`${folder.path}/copy`)
  })

  test.each<[string, unknown]>([
    ['text', 'dc:title=Made\ndc:description=in=text\ndc:subjects=art,music\ndc:issued=2020-02-03'],
    [
      'an object',
      {
        'dc:title': 'Made',
        'dc:description': 'in=text',
        'dc:subjects': ['art', 'music'],
        'dc:issued': new Date('2020-02-03T00:00:00Z'),
      },
    ],
  ])('that are properties as %s', async (_case, properties) => {
    const made = await nuxeo
      .operation('Document.Create')
      .input(folder)
      .params({ type: 'File', name: 'made' })
      .param('properties', properties)
      .execute()
    expect(made.path).toBe(`${folder.path}/made`)
    expect(made.properties).toMatchObject({
      'dc:title': 'Made',
      'dc:description': 'in=text',
      'dc:subjects': ['art', 'music'],
      'dc:issued': '2020-02-03T00:00:00.000Z',
    })
  })

  test('are never expressions', async () => {
    const value = 'expr:1 + 1 @{Document.path}'
    const changed = await nuxeo
      .operation('Document.SetProperty')
      .input(file)
      .params({ xpath: 'dc:title', value })
      .execute()
    expect(changed.get('dc:title')).toBe(value)
  })
})

describe('context', () => {
  test('variables reach the operation', async () => {
    const output = await nuxeo
      .operation('RunOperationOnList')
      .input(`doc:${folder.uid}`)
      .context({ marked: ['art', 'music'] })
      .params({ id: 'Document.Create', list: 'marked', parameters: { type: 'Note' } })
      .execute()
    expect(output.uid).toBe(folder.uid)
    const children = await nuxeo.operation('Document.GetChildren').input(folder).execute<Nuxeo.Page>()
    expect(children.entries.filter(({ type }) => type === 'Note')).toHaveLength(2)
  })
})

describe('output', () => {
  test('of nothing, and of what shall not be shown', async () => {
    const nothing = await nuxeo
      .operation('Log')
      .params({ level: 'info', message: 'x' })
      .execute<Nuxeo.Answer>()
    expect([nothing.status, await nothing.text()]).toEqual([204, ''])
    const silent = await nuxeo
      .operation('Document.Update')
      .input(file)
      .params({ properties: { 'dc:title': 'Silent' } })
      .execute<Nuxeo.Answer>({ headers: { 'X-NXVoidOperation': 'true' } })
    expect([silent.status, await silent.text()]).toEqual([204, ''])
    expect((await nuxeo.repository().fetch(file.uid)).title).toBe('Silent')
  })

  test('of documents, with schemas and enrichers of the call', async () => {
    const children = await nuxeo
      .operation('Document.GetChildren')
      .input(folder)
      .schemas(['common'])
      .enricher('document', 'breadcrumb')
      .execute<Nuxeo.Page>()
    const [child] = children.entries
    expect(Object.keys(child?.properties ?? {}).every((name) => name.startsWith('common:'))).toBe(true)
    expect(child?.contextParameters.breadcrumb).toMatchObject({ 'entity-type': 'documents' })
  })

  test('of a query, by pages', async () => {
    const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.parentRef}' ORDER BY ecm:name`
    const page = await nuxeo
      .operation('Repository.Query')
      .params({ query, pageSize: 1, currentPageIndex: 1 })
      .execute<Nuxeo.Page>()
    expect(page.entries).toHaveLength(1)
    expect(page).toMatchObject({ pageSize: 1, currentPageIndex: 1, resultsCount: expect.any(Number) })
    expect(page.resultsCount).toBe(page.numberOfPages)
  })

  test('of a blob', async () => {
    await attach(textBlob('out.txt')).execute()
    const answer = await nuxeo.operation('Document.GetBlob').input(file).execute<Nuxeo.Answer>()
    expect(await answer.text()).toBe('text of out.txt')
    expect(answer.headers.get('content-disposition')).toContain('out.txt')
  })

  test('of a list that is deleted, and of one document that is', async () => {
    const other = await nuxeo.repository().create(folder.path, { type: 'File', name: 'other' })
    const none = await nuxeo.operation('Document.Delete').input([file, other]).execute<Nuxeo.Page>()
    expect(none.entries).toEqual([])
    expect((await nuxeo.operation('Document.Delete').input(folder).execute<Nuxeo.Answer>()).status).toBe(204)
    expect((await refusalOf(nuxeo.repository().fetch(folder.uid))).status).toBe(404)
  })
})

describe('versions', () => {
  test('are made, listed and left by checking out', async () => {
    const versionOf = (document: Nuxeo.Document) => document.fetchProperty('document', 'versionLabel')
    const fetched = { fetchProperties: { document: ['versionLabel'] } }
    const checkedIn = await nuxeo
      .operation('Document.CheckIn')
      .input(file)
      .params({ version: 'major' })
      .execute(fetched)
    expect(versionOf(checkedIn).versionLabel).toBe('1.0')
    const checkedOut = await nuxeo.operation('Document.CheckOut').input(file).execute(fetched)
    expect(checkedOut.versionLabel).toBe('1.0+')
    await nuxeo.operation('Document.CreateVersion').input(file).params({ increment: 'Minor' }).execute()
    const versions = await nuxeo.operation('Document.GetVersions').input(file).execute<Nuxeo.Page>(fetched)
    expect(versions.entries.map(({ versionLabel }) => versionLabel).sort()).toEqual(['1.0', '1.1'])
  })
})

describe('a call is refused', () => {
  const update = (input: unknown, params: object) =>
    nuxeo
      .operation('Document.Update')
      .input(input)
      .params({ ...params })

  test.each<[string, () => Promise<unknown>, number, RegExp]>([
    ['of an operation that is not there', () => nuxeo.operation('No.Such').execute(), 404, /No\.Such/],
    [
      'on a document that is not there',
      () => nuxeo.operation('Document.Lock').input('/no/such').execute(),
      404,
      /no\/such/,
    ],
    ['on no document at all', () => nuxeo.operation('Document.Lock').execute(), 400, /input/],
    [
      'without a parameter that it needs',
      () => nuxeo.operation('Document.GetChild').input(folder).execute(),
      400,
      /name/,
    ],
    [
      'with a property that is not there',
      () => update(file, { properties: { 'dc:nothing': 'x' } }).execute(),
      400,
      /dc:nothing/,
    ],
    [
      'with a value of a wrong type',
      () => update(file, { properties: { 'dc:issued': 'soon' } }).execute(),
      400,
      /dc:issued/,
    ],
    [
      'with a stale change token',
      () => update(file, { properties: {}, changeToken: '9-9' }).execute(),
      409,
      /change token/,
    ],
    [
      'without the right to',
      () =>
        ann
          .operation('Document.Update')
          .input(file.uid)
          .params({ properties: { 'dc:title': 'x' } })
          .execute(),
      403,
      /WriteProperties/,
    ],
    [
      'with a body that is no JSON',
      () => nuxeo.http({ method: 'POST', url: `${baseURL}api/v1/automation/Log`, body: '{' }),
      400,
      /JSON/,
    ],
  ])('%s', async (_case, call, expected, message) => {
    const { status, entity } = await refusalOf(call())
    expect([status, entity['entity-type'], entity.status]).toEqual([expected, 'exception', expected])
    expect(entity.message).toMatch(message)
    expect((await nuxeo.repository().fetch(file.uid)).title).toBe('File')
  })
})

describe('a list of documents with one that is not there', () => {
  test.each<[string, () => unknown[]]>([
    ['by id', () => [file.uid, '00000000-0000-0000-0000-000000000000']],
    ['by path', () => [file.path, `${folder.path}/nothing`]],
  ])('%s is refused whole', async (_case, input) => {
    const { status } = await refusalOf(nuxeo.operation('Document.Delete').input(input()).execute())
    expect(status).toBe(404)
    expect((await nuxeo.repository().fetch(file.uid)).uid).toBe(file.uid)
  })
})

describe('registry', () => {
  test('reports each operation, in the form that clients check calls by', async () => {
    const registry = await nuxeo.request('automation').get<{ operations: { id: string }[]; paths: unknown }>()
    expect(registry.paths).toEqual({ login: 'login' })
    expect(registry.operations).toContainEqual(
      expect.objectContaining({
        id: 'Document.Update',
        url: 'Document.Update',
        signature: expect.arrayContaining(['document', 'documents']),
      }),
    )
    const one = await nuxeo.request('automation/Blob.Attach').get()
    expect(one).toMatchObject({ id: 'Blob.AttachOnDocument', aliases: ['Blob.Attach'] })
  })
})
