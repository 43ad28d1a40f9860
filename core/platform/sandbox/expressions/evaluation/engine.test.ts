import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../../access/security/principal.js'
import { fail } from '../../../errors/index.js'
import { documentFixture } from '../document.fixture.js'
import { FUNCTION_NAMES } from '../prelude/functions.js'
import type { ExpressionEngine, ExpressionScope } from '../types.js'
import { createExpressionEngine } from './engine.js'

const properties: Record<string, unknown> = {
  'dc:title': 'Report',
  'dc:description': 'About',
  'dc:subjects': ['art', 'law'],
  'file:content': { name: 'a.pdf', length: 3 },
}
const documentOf = (id: string) => documentFixture(id, properties)
const document = documentOf('doc-1')
const scope: ExpressionScope = {
  document,
  documents: [document, documentOf('doc-2')],
  input: document,
  variables: {
    x: 5,
    s: 'Text',
    none: null,
    class: 1,
    true: 2,
    blank: '',
    list: ['a', 'b'],
    map: { k: 'v', size: 7 },
    when: new Date(0),
    other: documentOf('doc-3'),
    ChainParameters: { p: 1 },
  },
  principal: principalOf('bob', ['members'], false),
  now: new Date('2020-01-31T10:20:30.004Z'),
  env: { 'org.archivolt.home': '/srv' },
}

const limits = { memoryBytes: 16 * 1024 * 1024, valueLength: 100_000 }
let engine: ExpressionEngine
/** For expressions that end at this limit alone; others may meet it on a busy machine. */
let impatient: ExpressionEngine
beforeAll(async () => {
  engine = await createExpressionEngine({ ...limits, timeMs: 60_000 })
  impatient = await createExpressionEngine({ ...limits, timeMs: 150 })
})
afterAll(() => {
  engine.dispose()
  impatient.dispose()
})

test('the functions that checks know are those that there are', async () => {
  for (const [object, names] of Object.entries(FUNCTION_NAMES)) {
    const found = await engine.evaluate(`(function () { return Object.keys(${object}) })()`, scope)
    expect([...(found as string[])].sort()).toEqual([...names].sort())
  }
})

describe('names', () => {
  test.each<[string, unknown]>([
    ['Document["dc:title"]', 'Report'],
    ['Document.title + Document.description', 'ReportAbout'],
    ['[Document.id, Document.name, Document.path, Document.type]', ['doc-1', 'report', '/ws/report', 'File']],
    ['[Document.lifeCycle, Document.versionLabel, Document.ref]', ['project', '1.0', 'doc-1']],
    ['[Document.facets, Document.schemas]', [['Versionable'], ['dublincore']]],
    ['[Document.isFolder, Document.isLocked, Document.isProxy]', [false, true, false]],
    ['[Document.lockOwner, Document.getLockOwner()]', ['ann', 'ann']],
    ['[Document.isFolder(), Document.isLocked() ? 1 : 0, Document.?isProxy()]', [false, 1, false]],
    ['["isFolder": 5].isFolder + 1', 6],
    ['[Document.isVersion, Document.isImmutable]', [false, false]],
    ['[Document.hasFacet("Versionable"), Document.hasSchema("file")]', [true, false]],
    ['Document["file:content"].name', 'a.pdf'],
    ['Document["no:such"]', null],
    ['currentDocument', { documentRef: 'doc-1' }],
    ['Documents', [{ documentRef: 'doc-1' }, { documentRef: 'doc-2' }]],
    ['This', { documentRef: 'doc-1' }],
    ['other', { documentRef: 'doc-3' }],
    ['[Context.x, Context["s"], Context.get("x"), Context.none]', [5, 'Text', 5, null]],
    ['ChainParameters.p', 1],
    ['[true, { class: 3 }, Context.class]', [true, { class: 3 }, 1]],
    ['[CurrentUser.name, currentUser.groups]', ['bob', ['members']]],
    ['Env["org.archivolt.home"]', '/srv'],
    ['CurrentDate', new Date('2020-01-31T10:20:30.004Z')],
    ['"" + CurrentDate', "TIMESTAMP '2020-01-31 10:20:30.004'"],
    ['CurrentDate.months(1).date', new Date('2020-02-29T10:20:30.004Z')],
    ['CurrentDate.days(-1).weeks(1).seconds(5).format("yyyy-MM-dd\'T\'HH:mm:ss")', '2020-02-06T10:20:35'],
    ['CurrentDate.years(1).calendar', new Date('2021-01-31T10:20:30.004Z')],
    ['[CurrentDate.year, CurrentDate.day, CurrentDate.hour, CurrentDate.minute]', [2020, 31, 10, 20]],
    ['CurrentDate.time', Date.parse('2020-01-31T10:20:30.004Z')],
    ['Fn.htmlEscape("<a>") + Fn.escapeHtml("&")', '&lt;a&gt;&amp;'],
    ['Fn.nxqlEscape("it\'s")', "it\\'s"],
    ['Fn.concatenateIntoList(list, "c", null)', ['a', 'b', 'c']],
    ['Fn.concatenateValuesAsNewList("a", list)', ['a', 'a', 'b']],
    ['[Fn.date(0), Fn.calendar("1970-01-01")]', [new Date(0), new Date(0)]],
    ['when', new Date(0)],
  ])('%s', async (source, value) => expect(await engine.evaluate(source, scope)).toEqual(value))
})

describe('habits', () => {
  test.each<[string, unknown]>([
    ['blank == empty && none == empty and s != empty', true],
    ['isdef x', true],
    ['isdef nothing', false],
    ['not isdef nothing or false', true],
    ["list == ['a', 'b']", true],
    ["list != ['a', 'c']", true],
    ['when == new Date(0)', true],
    ['Document == This', true],
    ["1 + 1 == 2 ? 'yes' : 'no'", 'yes'],
    ["x == '5'", true],
    ['none.?size()', null],
    ['none.?a.?b', null],
    ['s.length() + s.length + list.size()', 10],
    ["s.equals('Text') && !s.equals('text') && s.equalsIgnoreCase('text')", true],
    ["list.contains('a') && s.contains('ex') && !list.isEmpty() && blank.isEmpty()", true],
    ['s.toUpperCase() + s.substring(1)', 'TEXText'],
    ["'a b c'.replace(' ', '_') + 'a.b'.replace('.', '$&')", 'a_b_ca$&b'],
    ["'a1b22'.replaceAll('[0-9]+', '-') + 'ab'.replaceAll('(a)(b)', '$2$1')", 'a-b-ba'],
    ["'a1b22c,,'.split('[0-9]+|(,)')", ['a', 'b', 'c']],
    [
      "['a,b,c'.split(',', 2), 'abc'.split(''), ''.split(','), 'a,,'.split(',', -1)]",
      [['a', 'b,c'], ['a', 'b', 'c'], [''], ['a', '', '']],
    ],
    [
      "'a b c'.replace(/ /, '_') + 'a.b'.replaceAll(/[.]/g, '!') + 'a1b'.split(/([0-9])/).join('|')",
      'a_b ca!ba|1|b',
    ],
    ["'aa'.replace('a', (found) => found + '1')", 'a1a'],
    ['({ replace: (text) => text + 1 }).replace("own")', 'own1'],
    ['list.get(1)', 'b'],
    ["['k': 'v', 'n': [1, 2]]", { k: 'v', n: [1, 2] }],
    ["['and': x == 5 ? 1 : 2]", { and: 1 }],
    ['[:]', {}],
    ['map.size', 7],
    ['list contains "a" && !(s contains "zz")', true],
    ['s ~= "T.*" and not (s ~= "T")', true],
    ['{ contains: 1 }.contains', 1],
    ['map.containsKey("k") && map.get("no") == null', true],
    ['list.map((item) => item + 1).join("-")', 'a1-b1'],
    ['(function () { const a = 1\n return a == 1 })()', true],
    ['new java.util.Date() > when', true],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template literal is the sandbox's.
    ['`${x}-${s}`', '5-Text'],
    ['/^T.x/.test(s)', true],
    ['x / 5 / 1', 1],
    ["'a\\u0000b'", 'a\0b'],
  ])('%s', async (source, value) => expect(await engine.evaluate(source, scope)).toEqual(value))
})

test.each<[string, unknown]>([
  ['plain @{x}', 'plain @{x}'],
  ['expr:x + 1', 6],
  ['expr:x &lt; 6 &amp;&amp; true', true],
  ['expr:@{x}', '5'],
  [
    'expr:[@{none}] @{list} @{ {a: "}"}.a } @{CurrentDate}',
    "[] [a, b] } TIMESTAMP '2020-01-31 10:20:30.004'",
  ],
])('the parameter %s', async (text, value) => expect(await engine.evaluateValue(text, scope)).toEqual(value))

test.each<[string, string]>([
  ['x ==', 'has no operand to compare'],
  ['(x', 'No closing bracket'],
  ['map.q.z', 'column 6'],
  ['nothing', 'nothing'],
  ['s.nope()', 'not a function'],
  ['1]}); globalThis.leak = 1; (function () { return [2', 'Unexpected ]'],
  ['1)}); let leak = 1; (function () { return (2', 'Unexpected )'],
  ['globalThis.leak = 1', 'not extensible'],
  ['Array.prototype.map = 1', 'read-only'],
  ['Object.prototype.leak = 1', 'not extensible'],
  ['Fn.date.leak = 1', 'not extensible'],
  ['$mvel.equal.leak = 1', 'not extensible'],
  ['Document.title = "x"', 'read-only'],
  ['Object.setPrototypeOf(globalThis, {})', 'not extensible'],
  ['(() => {}).constructor("return 1")()', 'not a function'],
  ['(function* () {}).constructor("return 1")()', 'not a function'],
  ['(async () => {}).constructor("return 1")()', 'not a function'],
  ['eval("1")', "'eval' is not defined"],
  ['new Proxy({}, {})', "'Proxy' is not defined"],
  ['(async () => 1)()', 'not plain data'],
  ['arguments.callee', 'invalid property access'],
  ['({ ["__proto__"]: 1 })', 'key that is not allowed'],
  ['() => 1', 'has a function'],
])('%s is refused with its reason', async (source, reason) => {
  await expect(engine.evaluate(source, scope)).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining(reason),
  })
  expect(await engine.evaluate('[typeof leak, list.map((i) => i).size()]', scope)).toEqual(['undefined', 2])
})

test.each<[string, string]>([
  ['(() => { for (;;); })()', 'timeMs'],
  ['(() => { for (;;) { try { for (;;); } catch {} } })()', 'timeMs'],
  ['/^(a+)+$/.test("a".repeat(40) + "b")', 'timeMs'],
  ['"a".repeat(1e6).indexOf("a".repeat(5e5) + "b")', 'timeMs'],
  ['new Array(2 ** 28).join("abc")', 'timeMs'],
  ['Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)', 'timeMs'],
  ['(() => { throw { get message() { for (;;); } } })()', 'timeMs'],
  ['(function f() { return f() + 1 })()', 'stackBytes'],
  ['JSON.parse("[".repeat(1e6))', 'stackBytes'],
  ['"a".repeat(2 ** 29)', 'memoryBytes'],
  ['"a".repeat(200000)', 'valueLength'],
  [`"${'a'.repeat(70_000)}"`, 'sourceLength'],
])('%s meets its limit and leaves the engine whole', async (source, limit) => {
  const used = limit === 'timeMs' ? impatient : engine
  const started = performance.now()
  await expect(used.evaluate(source, scope)).rejects.toThrow(`archivolt.expressions.${limit}`)
  // The machine may be busy; what must not happen is the minutes that some of these take unwatched.
  expect(performance.now() - started).toBeLessThan(30_000)
  expect(await used.evaluateValue('expr:x + 1', scope)).toBe(6)
  expect(await used.evaluate('x + 1', scope)).toBe(6)
})

test('a document is read one property at a time and its own error comes through', async () => {
  const reads: string[] = []
  const failure = new Error('no access')
  const get = (property: string) => {
    reads.push(property)
    if (property === 'bad:one') throw failure
    return 1
  }
  const watched = { ...scope, document: { ...document, get } }
  expect(await engine.evaluate('Document["a:b"] + Document.id', watched)).toBe('1doc-1')
  expect(reads).toEqual(['a:b'])
  await expect(engine.evaluate('Document["bad:one"]', watched)).rejects.toThrow(failure)
})

describe('questions', () => {
  const asked: [string, readonly unknown[]][] = []
  const parent = documentOf('parent-1')
  const asking: ExpressionScope = {
    ...scope,
    ask: async (question, args) => {
      asked.push([question, args])
      if (question === 'Fn.getNextId') return asked.filter(([name]) => name === question).length
      if (question === 'Fn.getEmail') return args[0] === 'bob' ? 'bob@example.org' : null
      if (question === 'document.parent') return parent
      if (question === 'Session.query') return [documentOf('found-1'), documentOf('found-2')]
      throw new Error('no such thing')
    },
  }

  test.each<[string, unknown, string[]]>([
    ['expr:Fn.getEmail("bob")', 'bob@example.org', ['Fn.getEmail']],
    ['expr:Fn.getEmail("sue") == null', true, ['Fn.getEmail']],
    ['expr:@{Fn.getNextId("k")}-@{Fn.getNextId("k")}', '1-2', ['Fn.getNextId', 'Fn.getNextId']],
    ['expr:Document.parent.title', 'Report', ['document.parent']],
    ['expr:Document.getParent("Folder").getTitle()', 'Report', ['document.parent']],
    ['expr:Session.query("SELECT * FROM File").size()', 2, ['Session.query']],
    [
      'expr:(() => { try { return Fn.getEmail("bob") } catch (e) { return "caught" } })()',
      'bob@example.org',
      ['Fn.getEmail'],
    ],
  ])('%s', async (text, value, questions) => {
    asked.length = 0
    expect(await engine.evaluateValue(text, asking)).toEqual(value)
    expect(asked.map(([question]) => question)).toEqual(questions)
  })

  test('an answer that fails is the failure of the expression', async () => {
    await expect(engine.evaluateValue('expr:Fn.getPrincipal("x")', asking)).rejects.toThrow('no such thing')
    await expect(engine.evaluateValue('expr:Fn.getEmail("x")', scope)).rejects.toThrow(
      'Fn.getEmail cannot be used here',
    )
  })

  test.each([
    [
      'expr:Document.title + Session.getDocument("/nope")',
      'Expression "Document.title + Session.getDocument(\\"/nope\\")" fails at line 1, column 37 ("(\\"/nope\\")"): /nope is not there',
    ],
    [
      'expr:@{Document.title} of\n@{Session.getDocument("/nope")}',
      'Expression "@{Document.title} of\\n@{Session.getDocument(\\"/nope\\")}" fails at line 2, column 22 ("(\\"/nope\\")}"): /nope is not there',
    ],
  ])('an answer that fails keeps its code, and names the place that asked: %s', async (text, message) => {
    const ask = () => Promise.reject(fail('notFound', '/nope is not there'))
    await expect(engine.evaluateValue(text, { ...scope, ask })).rejects.toMatchObject({
      code: 'notFound',
      status: 404,
      message,
    })
  })

  test('no expression asks without end', async () => {
    const text = 'expr:(() => { for (let n = 0; n < 1000; n++) Fn.getEmail("u" + n) })()'
    await expect(engine.evaluateValue(text, asking)).rejects.toThrow('asks more than')
  })
})

test('a list of documents that is not the input is said to be missing, not to be a typo', async () => {
  const { documents: _, ...single } = scope
  await expect(engine.evaluate('Documents.size()', single)).rejects.toThrow(
    "'Documents' is not defined, which is there where the input is a list of documents",
  )
})

test('a document that the input does not have is said to be missing, not to be a typo', async () => {
  const { document: _, documents: __, ...without } = scope
  await expect(engine.evaluate('Document.name', without)).rejects.toThrow(
    "'Document' is not defined, which is there where the input has a document",
  )
})

test.each<[string, string]>([
  ['map.q.z', 'line 1, column 6 (".z"): TypeError: cannot read property \'z\' of undefined; map.q is null'],
  ['s.nope(1)', 'not a function; s.nope is null'],
  ['1 + list.get(5).x', 'list.get(5) is null'],
  ['x.y.z', 'x.y is null'],
  ['p + 1', '\'p\' is not defined, did you mean ChainParameters["p"]?'],
  ['CurentUser.name', '\'CurentUser\' is not defined, did you mean "CurrentUser"?'],
  ['liste.size()', '\'liste\' is not defined, did you mean "list"?'],
])('%s says which value failed', async (source, message) => {
  await expect(engine.evaluate(source, scope)).rejects.toThrow(message)
})
