import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '../../../../core/automation/language/index.js'
import { createBlobValue } from '../../../../core/files/blobs/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import {
  ADMINISTRATOR,
  createOperationBench,
  documentOf,
  input,
  inputs,
} from '../../support/operations-support.js'

const bench = await createOperationBench()
afterAll(bench.close)

let folder: DocumentRecord
let file: DocumentRecord
beforeAll(async () => {
  folder = await bench.create('/', 'Workspace', 'run-script')
  file = await bench.create('/run-script', 'File', 'one', {
    'dc:title': 'One',
    'dc:subjects': ['art', 'law'],
  })
  await bench.platform.withSession(ADMINISTRATOR, async ({ identities }) => {
    await identities.updateUser('ann', { email: 'ann@example.org' })
  })
})

const blobOf = async (text: string): Promise<Value> => ({
  type: 'blob',
  blob: createBlobValue({ stored: await bench.platform.blobs.write(Buffer.from(text)), name: 's.mvel' }),
})

const textOf = async (value: Value): Promise<string> => {
  if (value.type !== 'blob') return value.type
  const chunks: Buffer[] = []
  for await (const chunk of await bench.platform.blobs.open(value.blob)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** The value of a variable, by way of a property that nobody saves. */
const shown = (name: string) => ({
  operation: 'Document.SetProperty',
  params: { xpath: 'dc:description', value: `expr:@{${name}}`, save: false },
})
const described = (value: Value): unknown => documentOf(value).properties['dc:description'] ?? null

describe('RunScript', () => {
  const after = async (script: string): Promise<unknown> => {
    const steps = [{ operation: 'RunScript', params: { script } }, shown('Context["result"]')]
    return described(await bench.chain(steps, { input: input(file) }))
  }

  test.each<[string, string]>([
    ['Context["result"] = Document["dc:title"] + "!"', 'One!'],
    ['x = Document.title.toUpperCase(); Context["result"] = x == "ONE" ? x : empty;', 'ONE'],
    ['Context["result"] = Document["dc:subjects"].size() > 1 && !(Document["no:x"] != empty)', 'true'],
    ['Context["result"] = Document.isFolder || This.isVersion ? "folder" : "file"', 'file'],
    ['if (Document.isFolder()) { Context["result"] = "folder" } else { Context["result"] = "file" }', 'file'],
    [
      'Context["result"] = Session.getChildren("/run-script").size() + " " + CurrentUser.name',
      '1 Administrator',
    ],
    ['Context["result"] = ["a": 1, "b": [2]].?b.get(0)', '2'],
    ['n = 0; for (item : Document["dc:subjects"]) { n = n + 1; } Context["result"] = n', '2'],
    ['foreach (s : Document["dc:subjects"]) { Context["result"] = s }', 'law'],
    ['Context.l = ["a"]; Context.l.add("b"); Context["result"] = Context.l.size() + Context.l[1]', '2b'],
    ['Context["result"] = ["k": 1]; Context.result.put("k", Document.title)', '{"k":"One"}'],
    ['Context["result"] = Document["dc:subjects"] contains "art" && "abc" ~= "a.c"', 'true'],
  ])('%s', async (script, text) => {
    expect(await after(script)).toBe(text)
  })

  test('passes its input on, with what it has set of it', async () => {
    const script = 'Document["dc:title"] = "Two"; Document["dc:description"] = Document["dc:title"]'
    const saved = await bench.chain(
      [
        { operation: 'RunScript', params: { script } },
        { operation: 'Document.Save', params: {} },
      ],
      { input: input(file) },
    )
    expect(documentOf(saved).properties).toMatchObject({ 'dc:title': 'Two', 'dc:description': 'Two' })
    await bench.run('Document.SetProperty', {
      input: input(file),
      params: { xpath: 'dc:title', value: 'One' },
    })
    const many = await bench.run('RunScript', {
      input: inputs(file, folder),
      params: { script: 'Context["n"] = Documents.size()' },
    })
    expect(many).toMatchObject({ type: 'documents', ids: [file.id, folder.id] })
  })

  test('changes lists of the context in place, by both of their names, for the steps that follow', async () => {
    const steps = [
      { operation: 'RunScript', params: { script: 'Context.l = [Document]; Context.l.add(Document)' } },
      { operation: 'RunScript', params: { script: 'Context.m = ["k": [1]]; Context.m.k.add(2)' } },
      { operation: 'RunScript', params: { script: 'm.j = l.size(); Context.m.k.add(m.j)' } },
      shown('l.size() + l[1].title + m.k + m.j'),
    ]
    expect(described(await bench.chain(steps, { input: input(file) }))).toBe('2One1,2,22')
  })

  test('finds its input by the path that it is given by, and passes on what it has set of it', async () => {
    const byPath: Value = { type: 'document', id: '/run-script/one' }
    const steps = [
      { operation: 'RunScript', params: { script: 'Context["t"] = Document.title + Document.path' } },
      shown('Context["t"]'),
    ]
    expect(described(await bench.chain(steps, { input: byPath }))).toBe('One/run-script/one')
    const script = 'Context["n"] = Documents.size() + Document.title'
    const many: Value = { type: 'documents', ids: ['/run-script/one'] }
    expect(await bench.run('RunScript', { input: many, params: { script } })).toMatchObject(many)
    const gone: Value = { type: 'document', id: '/run-script/gone' }
    await expect(bench.run('RunScript', { input: gone, params: { script: '1' } })).rejects.toThrow(
      'The input /run-script/gone does not exist, or may not be seen',
    )
  })

  test.each<[string, string]>([
    ['Context["x"] = nothing.z', "cannot read property 'z' of undefined"],
    ['for (;;);', 'time limit'],
    ['(1', 'No closing bracket'],
    ['Document["dc:nope"] = 1', 'dc:nope'],
    ['java.lang.System.exit(0)', "cannot read property 'lang'"],
    ['Runtime.getRuntime().exec("ls")', 'cannot read property'],
  ])('%s is refused', async (script, message) => {
    await expect(bench.run('RunScript', { input: input(file), params: { script } })).rejects.toThrow(message)
  })
})

describe('RunInputScript', () => {
  test.each<[string, string]>([
    ['1 + 2', '3'],
    ['x = "a"; x + CurrentUser.name', 'aAdministrator'],
    ['["a": 1]', '{"a":1}'],
    ['null', 'void'],
  ])('%s', async (script, text) => {
    const result = await bench.run('RunInputScript', { input: await blobOf(script) })
    expect(await textOf(result)).toBe(text)
    if (result.type === 'blob') expect(result.blob.name).toBe('result')
  })

  test('of another language is refused', async () => {
    const call = { input: await blobOf('1'), params: { type: 'groovy' } }
    await expect(bench.run('RunInputScript', call)).rejects.toThrow("type: 'groovy'")
  })
})

describe('other servers', () => {
  const server = createServer((_, response) => response.end('Context["result"] = 1'))
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.mvel`

  test('of a private address are not reached, by a file of a script or from inside one', async () => {
    await expect(bench.run('RunScriptFile', { params: { script: address() } })).rejects.toThrow(
      'private address',
    )
    await expect(
      bench.run('RunScriptFile', { params: { script: 'http://example.org/x.groovy' } }),
    ).rejects.toThrow('no file of MVEL')
    const script = `HTTP.call("", "", "GET", "${address()}")`
    await expect(bench.run('RunScript', { params: { script } })).rejects.toThrow('private address')
    const text = `expr:@{HTTP.get("${address()}")}`
    await expect(
      bench.chain([{ operation: 'Context.SetVar', params: { name: 'x', value: text } }]),
    ).rejects.toThrow('private address')
  })
})

describe('expressions', () => {
  const evaluated = async (expression: string, given: Value = input(file)): Promise<unknown> => {
    const steps = [
      { operation: 'Context.SetVar', params: { name: 'result', value: `expr:${expression}` } },
      shown('result'),
    ]
    return described(await bench.chain(steps, { input: given }))
  }

  test.each<[string, string]>([
    ['Fn.getEmail("ann")', 'ann@example.org'],
    ['@{Fn.getNextId("expressions")}/@{Fn.getNextId("expressions")}', '1/2'],
    ['Fn.getVocabularyLabel("continent", "europe")', 'Europe'],
    [
      'BusinessDaysService.getLimitDate(1, Fn.date("2026-11-20T15:00:00Z")).toISOString()',
      '2026-11-23T00:00:00.000Z',
    ],
    ['Fn.getLimitDate("nothing", CurrentDate.date) == null', 'true'],
    ['CurrentDate.businessDays(1).time > CurrentDate.time', 'true'],
    ['Fn.documentExists("/run-script") && !Fn.documentExists("/no")', 'true'],
    ['Document.parent.path + Document.workspace.name', '/run-scriptrun-script'],
    ['Document.getParent("Workspace").getTitle()', 'run-script'],
    ['Document.resolvePath("../two")', '/run-script/two'],
    ['Document.domain == null', 'true'],
    ['Session.query("SELECT * FROM File WHERE ecm:parentId = \'" + Document.parent.id + "\'").size()', '1'],
    ['Session.getDocument("/run-script").name', 'run-script'],
    ['Env["archivolt.repository"] + Env["DATABASE_URL"]', 'defaultnull'],
    ['CurrentUser.email == null ? CurrentUser.name : "x"', 'Administrator'],
  ])('%s', async (expression, text) => {
    expect(await evaluated(expression)).toBe(text)
  })

  test('say which value failed, of what expression, and where', async () => {
    await expect(evaluated('Document["dc:nothing"].size()')).rejects.toThrow(
      /Expression "Document\[\\"dc:nothing\\"\]\.size\(\)" fails at line 1, column \d+ .*; Document\["dc:nothing"\] is null/,
    )
  })
})
