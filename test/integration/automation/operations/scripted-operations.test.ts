import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runOperation } from '../../../../core/automation/execution/index.js'
import {
  createRegistry,
  type ScriptDefinition,
  type Value,
  VOID,
} from '../../../../core/automation/language/index.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { scriptedOperation } from '../../../../core/automation/scripted-operations/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createAutomationRuntime } from '../../../../runtime/index.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  documentOf,
  idsOf,
  input,
} from '../../support/operations-support.js'

const bench = await createOperationBench()
const runtime = await createAutomationRuntime(bench.platform)
afterAll(async () => {
  await runtime.close()
  await bench.close()
})

const definition = (id: string, script: string, more: Partial<ScriptDefinition> = {}): ScriptDefinition => ({
  id,
  aliases: [],
  category: 'Scripting',
  params: [],
  script,
  ...more,
})

/** Runs a script as an operation, in one transaction. */
const run = async (
  script: string,
  { input: given = VOID, params = {}, variables = {}, as = ADMINISTRATOR }: Call = {},
  { more = {}, others = [] }: { more?: Partial<ScriptDefinition>; others?: readonly ScriptDefinition[] } = {},
): Promise<Value> => {
  const scripted = [definition('Test.Script', script, more), ...others].map(scriptedOperation)
  return runOperation(await runtime.segments(createRegistry([...operations, ...scripted], [])), {
    principal: as,
    call: { operation: 'Test.Script', input: given, params, variables },
    signal: new AbortController().signal,
  })
}

const plain = async (...args: Parameters<typeof run>): Promise<unknown> => {
  const value = await run(...args)
  return 'value' in value ? value.value : value.type
}

const body = (text: string): string => `function run(input, params) { ${text} }`

let folder: DocumentRecord
let file: DocumentRecord
beforeAll(async () => {
  folder = await bench.create('/', 'Folder', 'scripts')
  file = await bench.create('/scripts', 'File', 'one', { 'dc:title': 'One', 'dc:subjects': ['art'] })
  await bench.platform.withSession(ADMINISTRATOR, async ({ identities }) => {
    await identities.updateUser('ann', { email: 'ann@example.org', firstName: 'Ann' })
    await identities.insertGroup({ groupname: 'staff', label: null, description: null })
    await identities.addMember('staff', 'ann', 'user')
  })
})

describe('parameters', () => {
  test('that are not declared reach the script as they are given', async () => {
    const script = body(
      'return JSON.stringify([params.title, params.deep.list[1], Object.keys(params).sort()])',
    )
    const params = { title: 'a', deep: { list: [1, 2] } }
    const more = { params: [{ name: 'lang', type: 'string' as const, isRequired: false, values: ['en'] }] }
    const outcome = await plain(script, { params }, { more })
    expect(outcome).toBe('["a",2,["deep","lang","title"]]')
  })
})

describe('documents', () => {
  test('are made, read, changed and returned', async () => {
    const made = await run(
      body(`
        const doc = Document.Create(input, { type: "File", name: "made", properties: { "dc:title": "Made" } })
        doc["dc:description"] = doc["dc:title"] + " by a script"
        doc["dc:subjects"] = ["a", "b"]
        const saved = Document.Save(doc, {})
        return saved`),
      { input: input(folder) },
    )
    const { properties, path } = await bench.read(documentOf(made).id)
    expect(path).toBe('/scripts/made')
    expect(properties).toMatchObject({
      'dc:title': 'Made',
      'dc:description': 'Made by a script',
      'dc:subjects': ['a', 'b'],
    })
  })

  test('keep what was not saved to themselves', async () => {
    expect(
      await plain(body('input["dc:title"] = "Lost"; return input["dc:title"]'), { input: input(file) }),
    ).toBe('Lost')
    expect((await bench.read(file.id)).properties['dc:title']).toBe('One')
  })

  test('are what another operation made of them', async () => {
    const script = `
      const before = input["dc:title"]
      Document.Update(input, { properties: { "dc:title": "Two" } })
      const between = input["dc:title"]
      Document.SetProperty(input, { xpath: "dc:title", value: "One" })
      return [before, between, input["dc:title"]]`
    expect(await plain(body(script), { input: input(file) })).toEqual(['One', 'Two', 'One'])
  })

  test('are lists to walk', async () => {
    const script = `
      const found = Repository.Query(null, { query: "SELECT * FROM File WHERE ecm:path STARTSWITH '/scripts'" })
      const names = []
      for (let i = 0; i < found.size(); i++) names.push(found.get(i).name)
      return found.filter((doc) => doc.name === "one")`
    expect(idsOf(await run(body(script)))).toEqual([file.id])
  })

  test.each<[string, unknown]>([
    ['input.getTitle() + input.name + input.type + input.path', 'OneoneFile/scripts/one'],
    ['[input.isFolder(), input.hasFacet("Versionable"), input.hasSchema("dublincore")]', [false, true, true]],
    ['input.lifeCycle + input.getCurrentLifeCycleState()', 'projectproject'],
    ['input.parent.path + input.getParent("Folder").name', '/scriptsscripts'],
    ['input.workspace === null', true],
    ['input.resolvePath("../two")', '/scripts/two'],
    ['input["no:such"] === null', true],
    ['input["dc:subjects"].size()', 1],
    ['Session.getDocument(input.id).name + Session.exists("/nowhere")', 'onefalse'],
    ['Session.query("SELECT * FROM File WHERE ecm:name = \'one\'").map((doc) => doc.name)', ['one']],
    ['Session.getChildren("/scripts").filter((doc) => doc.name === "one").length', 1],
    ['Session.hasPermission(input, "Write")', true],
    ['CurrentUser.name + currentUser.isAdministrator', 'Administratortrue'],
    ['Fn.getEmail("ann") + Fn.getPrincipal("ann").firstName', 'ann@example.orgAnn'],
    ['Fn.getEmailsFromGroup("group:staff")', ['ann@example.org']],
    ['Fn.getPrincipalsFromGroup("staff").map((user) => user.name)', ['ann']],
    ['Fn.getEmails(["ann", "sam", "user:ann"])', ['ann@example.org']],
    ['Fn.getVocabularyLabel("continent", "europe")', 'Europe'],
    ['Fn.getNextId("invoice") + Fn.getNextId("invoice")', 3],
    ['Fn.documentExists("/scripts") && !Fn.documentExists("/none")', true],
    ['Env["archivolt.repository"]', 'default'],
    ['CurrentDate.year > 2000', true],
    ['CurrentDate.businessDays(1).time > CurrentDate.time', true],
    [
      'BusinessDaysService.getLimitDate(1, new Date("2026-11-20T15:00:00Z")).toISOString()',
      '2026-11-23T00:00:00.000Z',
    ],
  ])('%s', async (expression, value) => {
    expect(await plain(body(`return ${expression}`), { input: input(file) })).toEqual(value)
  })
})

describe('a call', () => {
  const more: Partial<ScriptDefinition> = {
    inputType: 'string',
    outputType: 'string',
    params: [
      { name: 'lang', type: 'string', isRequired: false, values: ['en'] },
      { name: 'target', type: 'document', isRequired: false, values: [] },
    ],
  }
  const greet = body(
    'return (params.lang === "fr" ? "Salut " : "Hi ") + input + (params.target ? params.target.name : "")',
  )
  const text: Value = { type: 'string', value: 'Ann' }

  test('has typed input and parameters with defaults', async () => {
    expect(await plain(greet, { input: text }, { more })).toBe('Hi Ann')
    expect(await plain(greet, { input: text, params: { lang: 'fr', target: '/scripts' } }, { more })).toBe(
      'Salut Annscripts',
    )
    expect(await plain(greet, {}, { more })).toBe('Hi null')
    await expect(plain(greet, { input: text, params: { target: '/none' } }, { more })).rejects.toThrow(
      '/none',
    )
  })

  test('reads and sets context variables', async () => {
    const script = body(
      'ctx.made = ctx.given + 1; ctx.doc = input; return ctx.doc.name + ctx.get("made") + ctx.none',
    )
    const variables: { [name: string]: Value } = { given: { type: 'number', value: 4 } }
    expect(await plain(script, { input: input(file), variables })).toBe('one5null')
  })

  test('of operations by alias, flat names and other scripts', async () => {
    const others = [
      definition('Test.Twice', body('return Test.Half(null, { n: params.n * 4 })'), {
        params: [{ name: 'n', type: 'integer', isRequired: true, values: [] }],
      }),
      definition('Test.Half', body('return params.n / 2'), {
        aliases: ['Halve-It'],
        params: [{ name: 'n', type: 'integer', isRequired: true, values: [] }],
      }),
    ]
    expect(await plain(body('return Test.Twice(null, { n: 5 })'), {}, { others })).toBe(10)
    expect(await plain(body('return Halve_It(null, { n: 5 })'), {}, { others })).toBe(2.5)
    const listed = await run(body('return Document.Fetch(null, { value: "/scripts" }).name'))
    expect(listed).toEqual({ type: 'string', value: 'scripts' })
    const nested = body('return RunOperation("x", { id: "Test.Half", parameters: { n: 8 } })')
    expect(await plain(nested, {}, { others })).toBe('x')
  })

  test('passes files on', async () => {
    const script = `
      Document.SetBlob(input, { file: ctx.file })
      return [Document.GetBlob(input, {}).getString(), Document.GetBlob(input, {}).filename]`
    const { platform } = bench
    const stored = await platform.blobs.write(Buffer.from('hello'))
    const blob = { name: 'h.txt', 'mime-type': 'text/plain', encoding: null, ...stored }
    const variables: { [name: string]: Value } = { file: { type: 'blob', blob } }
    expect(await plain(body(script), { input: input(file), variables })).toEqual(['hello', 'h.txt'])
    const assigned = `
      input["file:content"] = ctx.file
      input["dc:rights"] = "mine"
      const saved = Document.Save(input)
      return [saved["file:content"].filename, saved["file:content"].getString(), saved["dc:rights"]]`
    expect(await plain(body(assigned), { input: input(file), variables })).toEqual(['h.txt', 'hello', 'mine'])
  })
})

describe('a failure', () => {
  const child = (name: string) => `Document.Create(input, { type: "File", name: "${name}" })`

  test('takes everything back, with its status and place', async () => {
    const script = body(`${child('gone')};\n  Document.Fetch(null, { value: "/none" })`)
    await expect(run(script, { input: input(folder) })).rejects.toMatchObject({ code: 'notFound' })
    await expect(run(body(`${child('gone')};\n null.x`), { input: input(folder) })).rejects.toThrow(
      /Script Test.Script fails at line 2, column \d+: TypeError/,
    )
    await expect(bench.read('/scripts/gone')).rejects.toThrow()
  })

  test.each([
    ['a call', 'var x = null\n  input["dc:nowhere"] = "a"\n  Console.log("hi")', 'line 3, column \\d+: '],
    ['its end', 'input["dc:nowhere"] = "a"', ''],
  ])(
    'of what was set is said at %s, and of no operation that the script does not call',
    async (_, text, place) => {
      const failed = run(body(text), { input: input(file) })
      await expect(failed).rejects.toMatchObject({ status: 400 })
      await expect(failed).rejects.toThrow(
        new RegExp(`${place}what the script has set on a document before this is refused: .*'dc:nowhere'`),
      )
      await expect(failed).rejects.not.toThrow('Document.Update')
    },
  )

  test('of looking for a document may be caught', async () => {
    const script = body(`
      let doc
      try { doc = Document.Fetch(null, { value: "/scripts/caught" }) } catch (e) { doc = ${child('caught')} }
      return doc.path`)
    expect(await plain(script, { input: input(folder) })).toBe('/scripts/caught')
  })

  test('of another kind fails the script that catches it', async () => {
    const script = body(
      `${child('kept')}; try { Document.Create(input, { type: "Nope" }) } catch (e) {} return 1`,
    )
    await expect(run(script, { input: input(folder) })).rejects.toMatchObject({ status: 400 })
    await expect(bench.read('/scripts/kept')).rejects.toThrow()
  })

  test.each([
    ['for (;;) ctx.x', 'more often than the limit'],
    ['for (let i = 0; i < 1e6; i++) Console.log("x".repeat(1000))', 'more to the log'],
    ['return Test.Script(input, {})', 'deeper'],
    ['(function f() { f() })()', 'stack limit'],
  ])('%s', async (script, message) => {
    const spoiled = body(`${child('limit')}; ${script}`)
    await expect(run(spoiled, { input: input(folder) })).rejects.toThrow(message)
    await expect(bench.read('/scripts/limit')).rejects.toThrow()
  })

  test('scripts have the rights of their caller', async () => {
    await expect(run(body(child('no')), { input: input(folder), as: ANN })).rejects.toMatchObject({
      status: 403,
    })
    expect(
      await plain(body('return Session.hasPermission(input, "Write")'), { input: input(folder), as: ANN }),
    ).toBe(false)
  })
})
