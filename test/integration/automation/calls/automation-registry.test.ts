import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../../../api/engine.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { addUser, createClient, type Entity } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

/** Discovery by programs: reference: automation.md §1, §2 and the YAML view of §8. */

const platform = await createTestPlatform()
// Connects to nothing until something is run.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const AUTOMATION = '/site/automation'

const deploy = async (point: string, name: string, body: string, type = 'application/yaml') => {
  const headers = { 'Content-Type': type }
  const { status, text } = await call('PUT', `/api/v1/contributions/${point}/${name}`, { headers, body })
  expect(status, text).toBe(201)
}

/** The example of reference: automation.md §8. */
const DEMO = `<chain id="demo" replace="true"><description>Copies a note</description>
 <aliases><alias>demo.old</alias></aliases>
 <param type="string" name="folder" required="true"><value>/inbox</value></param>
 <operation id="Context.FetchDocument"/>
 <operation id="Document.Copy"><param type="document" name="target">expr:ChainParameters["folder"]</param></operation>
 <operation id="Document.Update"><param type="properties" name="properties"><property key="dc:source">x</property></param></operation>
</chain>`

const DEMO_VIEW = `description: Copies a note
params:
- folder:
    type: string
    values:
    - /inbox
operations:
- Context.FetchDocument
- Document.Copy:
    target: expr:ChainParameters["folder"]
- Document.Update:
    properties:
      dc:source: x
`

const SCRIPT = `label: Greeting
description: Greets
aliases: [Greet]
inputType: string
outputType: string
params:
- lang: { type: string }
- factor: { type: float, required: true }
script: 'function run(input, params) { return "Hi " + input }'
`

let registry: Entity
let byId: Map<string, Entity>
beforeAll(async () => {
  await addUser(platform, 'ann', ['members'])
  await deploy('chains', 'demo', DEMO, 'application/xml')
  await deploy('chains', 'plain', '- Context.FetchDocument\n')
  await deploy('chains', 'nothing', '{}\n')
  await deploy('chains', 'inline.one', 'execution: inline\noperations:\n- Context.FetchDocument\n')
  await deploy(
    'chains',
    'typed',
    'params:\n- zeta: {type: integer, required: true}\n- alpha: {type: float}\n- beta: {type: string}\noperations:\n- Context.FetchDocument\n',
  )
  await deploy('scripts', 'Demo.Greet', SCRIPT)
  registry = (await call('GET', AUTOMATION)).json
  byId = new Map(registry.operations.map((entry: Entity) => [entry.id, entry]))
})

describe('the registry', () => {
  test('has its parts in order', () => {
    expect(Object.keys(registry)).toEqual(['paths', 'codecs', 'operations', 'chains'])
    expect([registry.paths, registry.codecs]).toEqual([{ login: 'login' }, []])
  })

  test('has every operation and script once, and each chain in both lists', () => {
    const chains = registry.chains.map(({ id }: Entity) => id)
    expect(chains).toEqual(expect.arrayContaining(['demo', 'plain', 'nothing', 'typed']))
    expect(registry.operations.map(({ id }: Entity) => id).sort()).toEqual(
      [...operations.map(({ id }) => id), 'Demo.Greet', ...chains].sort(),
    )
    for (const { url, ...chain } of registry.chains) {
      expect(url).toBe(`Chain.${chain.id}`)
      expect(byId.get(chain.id)).toEqual({ ...chain, url: chain.id })
      expect(chain.category).toBe('Chain')
    }
  })

  test('sorts by label as Java does', () => {
    for (const list of [registry.operations, registry.chains]) {
      const labels = list.map(({ label }: Entity) => label)
      expect(labels).toEqual([...labels].sort())
    }
  })

  test('writes the fields of an entry in order, and leaves out those that are empty', () => {
    const order = [
      'id', 'aliases', 'label', 'category', 'requires', 'description', 'since', 'url', 'signature', 'params',
    ] // biome-ignore format: read as one line
    for (const entry of registry.operations) {
      expect(order.filter((key) => key in entry)).toEqual(Object.keys(entry))
      expect(entry.aliases ?? ['some']).not.toEqual([])
      expect(entry.since).not.toBe('')
      expect(entry).not.toHaveProperty('widgets')
      expect(entry.requires).toBeNull()
      for (const param of entry.params) {
        expect(Object.keys(param)).toEqual([
          'name', 'description', 'type', 'required', 'widget', 'order', 'values',
        ]) // biome-ignore format: read as one line
        for (const value of param.values) expect(typeof value).toBe('string')
      }
    }
    expect(byId.get('Document.Copy')).not.toHaveProperty('aliases')
    expect(byId.get('Repository.GetDocument').aliases).toEqual(['Document.Fetch'])
  })

  test('orders parameters: the required ones first, then by name', () => {
    for (const { params } of registry.operations) {
      const keys = params.map(({ name, required }: Entity) => `${required ? 0 : 1} ${name}`)
      expect(keys).toEqual([...keys].sort())
    }
    expect(byId.get('typed').params.map(({ name }: Entity) => name)).toEqual(['zeta', 'alpha', 'beta'])
  })

  test('advertises no type that a client does not know', () => {
    const known =
      'blob boolean date document documents int integer long list map object properties resource serializable string stringlist validationmethod'.split(
        ' ',
      )
    const types = registry.operations.flatMap(({ params }: Entity) => params.map(({ type }: Entity) => type))
    expect([...new Set<string>(types)].filter((type) => !known.includes(type))).toEqual([])
    expect(byId.get('typed').params.map(({ type }: Entity) => type)).toEqual(['integer', 'object', 'string'])
    expect(byId.get('Demo.Greet').params).toMatchObject([
      { name: 'factor', type: 'object' },
      { name: 'lang' },
    ])
  })

  test('reports types in and out in pairs, each once, with those of lists', () => {
    for (const { signature } of registry.operations) {
      expect(signature.length % 2).toBe(0)
      const pairs = signature.flatMap((type: string, at: number) =>
        at % 2 === 0 ? [`${type} ${signature[at + 1]}`] : [],
      )
      expect(new Set(pairs).size).toBe(pairs.length)
    }
    expect(byId.get('Document.Update').signature).toEqual(['document', 'document', 'documents', 'documents'])
    expect(byId.get('Document.GetBlobs').signature).toEqual(['document', 'bloblist', 'documents', 'bloblist'])
    expect(byId.get('User.Get').signature).toEqual(['void', 'document'])
    expect(byId.get('Context.FetchFile').signature).toEqual(['blob', 'blob', 'bloblist', 'bloblist'])
    expect(byId.get('plain').signature).toEqual(
      expect.arrayContaining(['document', 'document', 'documents', 'documents']),
    )
  })

  test('a loop in new transactions takes any input, and its item by either name', () => {
    const { id, aliases, params, signature } = byId.get('Context.RunOperationOnListInNewTx')
    expect([id, aliases]).toEqual(['Context.RunOperationOnListInNewTx', ['RunOperationOnListInNewTx']])
    const names = params.map(({ name }: Entity) => name)
    expect(names).toEqual(expect.arrayContaining(['item', 'itemName']))
    const inputs = signature.filter((_: string, at: number) => at % 2 === 0)
    expect(inputs).toEqual(['void', 'document', 'documents', 'blob', 'bloblist'])
  })

  test('hints at defaults as texts', () => {
    const { params } = byId.get('Document.Update')
    expect(params.find(({ name }: Entity) => name === 'save')).toEqual({
      name: 'save', description: expect.any(String), type: 'boolean', required: false, widget: null, order: 0,
      values: ['true'],
    }) // biome-ignore format: read as one line
  })

  test('is indented for who asks for it', async () => {
    const { text, headers } = await call('GET', `${AUTOMATION}?pretty=true`)
    expect(text).toBe(JSON.stringify(registry, null, 2))
    expect(headers.get('content-type')).toContain('application/json')
  })

  test('lists what the caller may not call', async () => {
    const { json } = await call('GET', AUTOMATION, { user: 'ann' })
    expect(json.operations.map(({ id }: Entity) => id)).toContain('RunScript')
    expect((await call('GET', AUTOMATION, { user: null })).status).toBe(401)
  })
})

describe('one entry', () => {
  test.each([
    ['Document.Update', 'Document.Update'],
    ['Document.Fetch', 'Repository.GetDocument'],
    ['demo', 'demo'],
    ['demo.old', 'demo'],
    ['Chain.demo', 'demo'],
    ['Greet', 'Demo.Greet'],
  ])('of %s is that of %s', async (name, id) => {
    expect((await call('GET', `${AUTOMATION}/${name}`)).json).toEqual(byId.get(id))
    expect((await call('GET', `/nuxeo/api/v1/automation/${name}`)).json).toEqual(byId.get(id))
  })

  test.each(['No.Such', 'No.Such/yaml'])('of %s is not there', async (name) => {
    const { status, json } = await call('GET', `${AUTOMATION}/${name}`)
    expect([status, json['entity-type']]).toEqual([404, 'exception'])
  })
})

describe('JSON Schema for editors', () => {
  test('of chains knows scripted operations, executions, error chains and expressions', async () => {
    const { json } = await call('GET', '/api/v1/contributions/chains/schema.json', { user: 'ann' })
    const { properties } = json.$defs.chain
    expect(properties.execution.enum).toEqual(['workflow', 'inline'])
    expect(properties.onError.items.properties).toHaveProperty('chain')
    expect(
      json.$defs.step.allOf.find((one: Entity) => one.if.type === 'object').then.properties,
    ).toMatchObject({
      'Demo.Greet': { $ref: '#/$defs/call.Demo.Greet' },
      Greet: { $ref: '#/$defs/call.Demo.Greet' },
    })
    const { lang, factor } = json.$defs['call.Demo.Greet'].properties
    expect(lang.type).toContain('string')
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    expect(factor.allOf).toEqual([{ if: { type: 'string' }, then: { $ref: '#/$defs/expression' } }])
    expect(json.$defs['call.Demo.Greet'].required).toEqual(['factor'])
  })

  test('of scripts says what one is made of', async () => {
    const { json } = await call('GET', '/api/v1/contributions/scripts/schema.json')
    expect(Object.keys(json.properties)).toEqual(
      expect.arrayContaining(['label', 'category', 'inputType', 'outputType', 'params', 'script']),
    )
  })
})

describe('YAML', () => {
  test.each([
    ['demo', DEMO_VIEW],
    ['demo.old', DEMO_VIEW],
    ['Chain.demo', DEMO_VIEW],
    ['plain', '- Context.FetchDocument\n'],
    ['inline.one', '- Context.FetchDocument\n'],
    ['nothing', '{}\n'],
    ['Document.Update', '{}\n'],
    ['Demo.Greet', '{}\n'],
  ])('of %s', async (name, expected) => {
    const { status, headers, text } = await call('GET', `${AUTOMATION}/${name}/yaml`)
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/yaml', expected])
  })

  test('of chains is for administrators', async () => {
    const statusFor = async (name: string) =>
      (await call('GET', `${AUTOMATION}/${name}/yaml`, { user: 'ann' })).status
    expect([await statusFor('demo'), await statusFor('Document.Update')]).toEqual([403, 200])
  })
})
