import { setTimeout as sleep } from 'node:timers/promises'
import type Nuxeo from 'nuxeo'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../support/platform.js'
import { createWire, deploy, WORKSPACES } from '../../support/wire-support.js'

const GREET = `<scriptedOperation id="Wire.Greet"><inputType>string</inputType><outputType>string</outputType>
 <category>Scripting</category><description>Greets</description><aliases><alias>Greet</alias></aliases>
 <param name="lang" type="string"/>
 <script><![CDATA[function run(input, params) { return params.lang === "fr" ? "Salut " + input : "Hi " + input; }]]></script>
</scriptedOperation>`

const { baseURL, client, newUser } = await createWire()
const nuxeo = client({ schemas: ['dublincore'] })
const authorization = `Basic ${Buffer.from(`Administrator:${ADMIN_PASSWORD}`).toString('base64')}`

const request = async (method: string, path: string, body?: string, type = 'application/json') => {
  const response = await fetch(`${baseURL}api/v1/${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text }
}

const deployScript = async (id: string, script: string, more = ''): Promise<void> => {
  const yaml = `${more}script: |\n${script.replace(/^/gm, '  ')}\n`
  const { status, json } = await request('PUT', `contributions/scripts/${id}`, yaml, 'application/yaml')
  expect([status, json]).toEqual([expect.toSatisfy((code: number) => code < 300), json])
}

const call = (id: string, body: object = {}) => request('POST', `automation/${id}`, JSON.stringify(body))

/** The documents that an operation answers with. */
const entriesOf = async (answer: Promise<unknown>): Promise<Nuxeo.Document[]> =>
  ((await answer) as { entries: Nuxeo.Document[] }).entries

let folder: Nuxeo.Document
beforeAll(async () => {
  folder = await nuxeo.repository().create(WORKSPACES, { type: 'Workspace', name: 'scripts' })
  await request('PUT', 'contributions/scripts/Wire.Greet', GREET, 'application/xml')
  await deployScript(
    'Wire.MakeMany',
    `function run(input, params) {
  const made = []
  for (let n = 0; n < params.count; n++) {
    const doc = Document.Create(input, { type: "File", name: "f" + n, properties: { "dc:title": Wire.Greet("f" + n) } })
    doc["dc:source"] = "script"
    made.push(Document.Save(doc))
  }
  return made
}`,
    'inputType: document\noutputType: documents\nparams:\n- count:\n    type: integer\n    required: true\n',
  )
})

describe('a deployed scripted operation', () => {
  test('is in the registry, and called by id and alias', async () => {
    const { json } = await request('GET', 'automation/Wire.Greet')
    expect(json).toMatchObject({
      id: 'Wire.Greet',
      aliases: ['Greet'],
      category: 'Scripting',
      url: 'Wire.Greet',
      signature: ['string', 'string', 'void', 'string'],
      params: [{ name: 'lang', type: 'string', required: false }],
    })
    const registry = await request('GET', 'automation')
    expect(registry.json.operations.map(({ id }: { id: string }) => id)).toContain('Wire.Greet')
    const greeted = await nuxeo.operation('Greet').input('Ann').params({ lang: 'fr' }).execute()
    expect(greeted).toMatchObject({ 'entity-type': 'string', value: 'Salut Ann' })
  })

  test('makes documents with others, by way of the client', async () => {
    const made = await entriesOf(
      nuxeo.operation('Wire.MakeMany').input(folder).params({ count: 3 }).execute(),
    )
    expect(
      made.map(({ properties }: Nuxeo.Document) => [properties['dc:title'], properties['dc:source']]),
    ).toEqual([
      ['Hi f0', 'script'],
      ['Hi f1', 'script'],
      ['Hi f2', 'script'],
    ])
  })

  test('is a step of chains, which are planned with it', async () => {
    await deploy(
      nuxeo,
      'wireScripts',
      '- Wire.MakeMany:\n    count: 2\n- Document.SetProperty:\n    xpath: dc:rights\n    value: mine\n',
    )
    const plan = await request(
      'PUT',
      'contributions/chains/wirePlanned?dryRun=true',
      '- Wire.MakeMany:\n    count: 2\n',
      'application/yaml',
    )
    expect(plan.json).toMatchObject({
      signatures: expect.arrayContaining([{ input: 'document', output: 'documents' }]),
    })
    const bad = await request(
      'PUT',
      'contributions/chains/wireBad',
      '- Wire.MakeMany:\n    count: many\n',
      'application/yaml',
    )
    expect(bad.status).toBe(422)
    const chained = await call('wireScripts', { input: `doc:${folder.uid}` })
    expect([chained.status, chained.json.message]).toEqual([200, undefined])
    const made = await entriesOf(nuxeo.operation('wireScripts').input(folder).execute())
    expect(made.map(({ properties }: Nuxeo.Document) => properties['dc:rights'])).toEqual(['mine', 'mine'])
  })

  test('is replaced for the next call, and removed when nothing calls it', async () => {
    await deployScript('Wire.Changing', 'function run() { return 1 }')
    expect((await call('Wire.Changing')).json.value).toBe(1)
    await deployScript('Wire.Changing', 'function run() { return 2 }')
    expect((await call('Wire.Changing')).json.value).toBe(2)
    await deploy(nuxeo, 'wireCaller', '- Wire.Changing\n')
    expect((await request('DELETE', 'contributions/scripts/Wire.Changing')).status).toBe(409)
    await request('DELETE', 'contributions/chains/wireCaller')
    expect((await request('DELETE', 'contributions/scripts/Wire.Changing')).status).toBe(204)
    expect((await call('Wire.Changing')).status).toBe(404)
  })

  test('a run keeps the script that it began with', async () => {
    await deployScript(
      'Wire.Version',
      'function run(input) { return Document.SetProperty(input, { xpath: "dc:source", value: "old" }) }',
    )
    await deployScript(
      'Wire.Slow',
      'function run(input) { const end = Date.now() + 300; while (Date.now() < end); return input }',
    )
    await deploy(
      nuxeo,
      'wireItem',
      '- Context.RestoreDocumentInput:\n    name: item\n- Wire.Slow\n- Wire.Version\n',
    )
    await deploy(
      nuxeo,
      'wireLoop',
      '- Document.GetChildren\n- Context.SetInputAsVar:\n    name: list\n- Context.RunOperationOnListInNewTx:\n    id: wireItem\n    list: list\n',
    )
    const parent = await nuxeo.repository().create(WORKSPACES, { type: 'Workspace', name: 'versions' })
    for (const name of ['a', 'b', 'c']) await nuxeo.repository().create(parent.path, { type: 'File', name })
    const sources = async () => {
      const children = await entriesOf(nuxeo.operation('Document.GetChildren').input(parent).execute())
      return children.map(({ properties }: Nuxeo.Document) => properties['dc:source'])
    }
    const running = nuxeo.operation('wireLoop').input(parent).execute()
    await expect.poll(sources).toContain('old')
    await deployScript(
      'Wire.Version',
      'function run(input) { return Document.SetProperty(input, { xpath: "dc:source", value: "new" }) }',
    )
    await running
    expect(await sources()).toEqual(['old', 'old', 'old'])
  })

  test('is deployed by administrators alone, and runs with the rights of its caller', async () => {
    const ann = await newUser('ann')
    const refused = ann
      .request('contributions/scripts/Wire.Ann')
      .put({ body: { script: 'function run() {}' } })
    await expect(refused).rejects.toMatchObject({ response: { status: 403 } })
    await expect(
      ann.operation('Wire.MakeMany').input(folder.uid).params({ count: 1 }).execute(),
    ).rejects.toMatchObject({
      response: { status: expect.toSatisfy((status: number) => status === 403 || status === 404) },
    })
    for (const id of ['RunScript', 'RunInputScript', 'RunScriptFile'])
      await expect(ann.operation(id).params({ script: '1' }).execute()).rejects.toMatchObject({
        response: { status: 404 },
      })
  })
})

describe('scripts that misbehave', () => {
  test('hold up nobody else, and leave nothing behind', async () => {
    await deployScript(
      'Wire.Endless',
      'function run(input) { Document.Create(input, { type: "File", name: "left" }); for (;;); }',
    )
    let isRunning = true
    const endless = [1, 2, 3].map(() => call('Wire.Endless', { input: `doc:${folder.uid}` }))
    const first = Promise.race(endless).finally(() => {
      isRunning = false
    })
    let answered = 0
    while (isRunning) {
      expect((await request('GET', `path${WORKSPACES}/scripts`)).status).toBe(200)
      if (isRunning) answered++
      await sleep(20)
    }
    await first
    // A script computes for seconds: whoever asks meanwhile is answered as ever.
    expect(answered).toBeGreaterThan(5)
    for (const { status, json } of await Promise.all(endless)) {
      expect(status).toBe(500)
      expect(json.message).toContain('time limit')
    }
    expect((await request('GET', `path${WORKSPACES}/scripts/left`)).status).toBe(404)
    expect((await call('Greet', { input: 'Bob' })).json.value).toBe('Hi Bob')
  })
})
