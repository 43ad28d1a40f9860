import { describe, expect, test } from 'vitest'
import type { Deployed } from '../../../platform/contributions/index.js'
import { createRegistry } from '../../language/index.js'
import { scriptedOperation } from '../../scripted-operations/index.js'
import { createChainRegistry } from '../chain-registry.js'
import { createScriptHandler } from './handler.js'
import { definitionOf, scriptContent } from './scripts-point.js'

const SCRIPT = 'function run(input, params) { return "Hi " + input }'

const deployed = { of: () => new Map() } as unknown as Deployed
const operation = scriptedOperation({
  id: 'Test.Taken',
  aliases: ['Taken'],
  category: 'Test',
  params: [],
  script: SCRIPT,
})
const { script: _, ...builtIn } = operation
const registry = createChainRegistry({
  operations: [builtIn],
  defaults: [],
  feed: { current: async () => deployed, latest: () => deployed },
})
const handler = createScriptHandler(registry)

const examine = async (text: string, format: 'yaml' | 'json' | 'xml' = 'yaml') =>
  (await handler.examine({ name: 'Demo.Greet', text, format }, deployed)).content

const YAML = `
label: Greet
description: Greets somebody
aliases: [Greet]
inputType: string
outputType: string
params:
- lang:
    type: string
    required: true
    values: [en, fr]
script: |
  function run(input, params) {
    return params.lang === "fr" ? "Salut " + input : "Hi " + input
  }
`

test.each(['Void', 'VOID', 'void', 'Document', 'Blobs'])(
  'the type %s is known in any case of letters',
  (type) => {
    const content = scriptContent.parse({ script: SCRIPT, inputType: type })
    const { inputType } = definitionOf('Demo.Any', content)
    expect(inputType).toBe(type === 'Blobs' ? 'bloblist' : type.toLowerCase())
  },
)

const XML = `<scriptedOperation id="Demo.Greet"><inputType>string</inputType><outputType>string</outputType>
 <category>Scripting</category><label>Greet</label><description>Greets somebody</description>
 <aliases><alias>Greet</alias></aliases>
 <param name="lang" type="string" required="true"><value>en</value><value>fr</value></param>
 <script><![CDATA[function run(input, params) {
  return params.lang === "fr" ? "Salut " + input : "Hi " + input
}
]]></script></scriptedOperation>`

const CALLING = (call: string): string =>
  `script: |\n  function run(input, params) {\n    return ${call}\n  }\n`

const problemsIn = async (text: string, format: 'yaml' | 'json' | 'xml' = 'yaml') =>
  handler.examine({ name: 'Demo.Greet', text, format }, deployed).then(
    ({ warnings = [] }) => ({ warnings }),
    ({ details }) => ({ details }),
  )

describe('what a script calls', () => {
  const details = (line: number, column: number) => [
    {
      line,
      column,
      field: 'script',
      message: 'unknown operation "Test.Takn", did you mean "Test.Taken"?',
    },
  ]

  test('must be there, with the place in the text', async () => {
    expect(await problemsIn(CALLING('Test.Takn(input)'))).toEqual({ details: details(3, 12) })
    const xml = XML.replace('"Salut "', 'Test.Takn(input) + "Salut "')
    expect(await problemsIn(xml, 'xml')).toEqual({ details: details(6, 33) })
    const json = JSON.stringify({ script: 'function run(input) {\n return Test.Takn(input) }' })
    expect(await problemsIn(json, 'json')).toEqual({
      details: [
        {
          field: 'script',
          message: 'unknown operation "Test.Takn", did you mean "Test.Taken"? (line 2 of the script)',
        },
      ],
    })
  })

  test('is warned of where it might still be deployed', async () => {
    expect(await problemsIn(CALLING('Test.Frobnicate(input)'))).toEqual({
      warnings: [
        {
          line: 3,
          column: 12,
          field: 'script',
          message: 'unknown operation "Test.Frobnicate"; the script fails where it calls it',
        },
      ],
    })
  })

  test('may be itself, and what is known', async () => {
    const body = 'Demo.Greet(input) + Taken(input) + Test.Taken(input)'
    expect(await problemsIn(CALLING(body))).toEqual({ warnings: [] })
  })
})

describe('a scripted operation', () => {
  test('means the same in every notation', async () => {
    const content = await examine(YAML)
    expect(content).toMatchObject({
      id: 'Demo.Greet',
      label: 'Greet',
      category: 'Scripting',
      aliases: ['Greet'],
      inputType: 'string',
      params: [{ name: 'lang', type: 'string', isRequired: true, values: ['en', 'fr'] }],
    })
    expect(await examine(XML, 'xml')).toEqual(content)
    const version = { content } as Parameters<typeof handler.write>[0]
    for (const format of ['yaml', 'json', 'xml'] as const)
      expect(await examine(handler.write(version, format), format)).toEqual(content)
  })

  test('is planned with what it calls', async () => {
    const text = 'script: function run(input) { return Test.Taken(input, {}) }'
    const { plan } = await handler.examine({ name: 'Demo.Greet', text, format: 'yaml' }, deployed)
    expect(plan).toMatchObject({
      boundaries: 0,
      calls: ['Test.Taken'],
      signatures: [{ input: 'object', output: 'object' }],
    })
  })

  test('may name characters that cannot be stored, which it does not hold', async () => {
    const script = String.raw`function run() { return "\u0000\ud800".replace(/[\u0000-\u001f]/g, '') }`
    expect((await examine(`script: |\n  ${script}\n`)).script.trim()).toBe(script)
    expect((await examine(JSON.stringify({ script }), 'json')).script).toBe(script)
  })

  test.each<[string, object]>([
    ['script: |\n  function run() {\n    return x y\n  }\n', { line: 3, column: 14 }],
    ['script: |\n  function run() {\n    return (1\n', { line: 3, column: 14 }],
    [JSON.stringify({ script: 'function run() {\n return x y }' }), { message: /line 2 of the script/ }],
  ])(
    'that cannot be read is reported with its place: %s',
    async (text, { message, ...place }: { message?: RegExp }) => {
      const format = text.startsWith('{') ? 'json' : 'yaml'
      const found = expect.stringMatching(message ?? /^the script of Demo.Greet cannot be read: /)
      expect(await problemsIn(text, format)).toEqual({
        details: [{ field: 'script', ...place, message: found }],
      })
    },
  )

  test.each<[string, string]>([
    ['script: function run( {', 'cannot be read'],
    ['script: var x = 1', 'declares no function run'],
    ['label: x', 'script'],
    [`script: ${SCRIPT}\ninputType: nonsense`, 'inputType'],
    [`script: ${SCRIPT}\nscrpt: x`, 'did you mean'],
    [`script: ${SCRIPT}\naliases: [Taken]`, '"Taken" is taken by the operation Test.Taken'],
    [`script: ${SCRIPT}\naliases: [Chain.x]`, 'must not begin with'],
    [`script: ${SCRIPT}\naliases: [A, A]`, 'given twice'],
    [`script: ${SCRIPT}\nparams: [{ a: { type: nope } }]`, 'params'],
    [`script: ${SCRIPT}\nparams: [{ a: {} }, { a: {} }]`, 'declared twice'],
    ['script: "x\\0run"', 'NUL'],
    ['script: "function run() { /* \\ud800 */ }"', 'half a surrogate pair'],
    [`script: ${SCRIPT}\ndescription: "\\0"`, 'NUL'],
    ['- a', 'expected object'],
  ])('%s is refused', async (text, message) => {
    await expect(examine(text)).rejects.toMatchObject({ code: 'invalid' })
    await expect(examine(text)).rejects.toThrow(message)
  })

  test('an alias that is taken is refused where it stands', async () => {
    await expect(examine(`script: ${SCRIPT}\naliases: [Free, Taken]`)).rejects.toMatchObject({
      details: [{ field: 'aliases[1]', line: 2, column: 17 }],
    })
  })

  test.each<[string, string]>([
    ['<chain id="x"/>', 'expected the element <scriptedOperation>'],
    [
      '<scriptedOperation id="Other"><script>function run() {}</script></scriptedOperation>',
      'calls itself "Other"',
    ],
    ['<scriptedOperation><scrpt/></scriptedOperation>', 'unexpected element <scrpt>'],
    ['<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><scriptedOperation/>', 'DOCTYPE'],
    ['<scriptedOperation><script>', 'unclosed'],
  ])('%s is refused', async (text, message) => {
    await expect(examine(text, 'xml')).rejects.toThrow(message)
  })

  test('of the configuration must not take names of the product', () => {
    const create = (id: string) =>
      createChainRegistry({
        operations: [builtIn],
        defaults: [],
        scripts: [{ id, aliases: [], category: 'x', params: [], script: SCRIPT }],
        feed: { current: async () => deployed, latest: () => deployed },
      })
    expect(() => create('Taken')).toThrow('taken by Test.Taken')
    expect(create('Free').latest().find('Free')).toMatchObject({ kind: 'operation' })
    expect(createRegistry([builtIn], []).find('Free')).toBeUndefined()
  })
})
