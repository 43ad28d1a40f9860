import { setTimeout as sleep } from 'node:timers/promises'
import Nuxeo from 'nuxeo'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWire, deploy, refusalOf, WORKSPACES } from '../../support/wire-support.js'

const CHAINS = {
  mark: `
params:
- mark:
    type: string
operations:
- Document.SetProperty:
    xpath: dc:source
    value: expr:ChainParameters["mark"]
- Document.FollowLifecycleTransition:
    value: approve
`,
  markItem: `
operations:
- Context.RestoreDocumentInput:
    name: item
- mark:
    mark: expr:ChainParameters["mark"]
`,
  markAll: `
params:
- mark:
    type: string
operations:
- Document.GetChildren
- Context.SetInputAsVar:
    name: children
- Context.RunOperationOnListInNewTx:
    id: markItem
    list: children
`,
  markListed: `
operations:
- Context.RunOperationOnListInNewTx:
    id: markItem
    list: chosen
`,
  fileOf: '- Document.GetBlob\n',
  attachTo: `
- Blob.Attach:
    document: expr:target
    xpath: files:files
`,
  fail: `
- Document.SetProperty:
    xpath: dc:source
    value: never
- Document.FollowLifecycleTransition:
    value: fly
`,
  say: '- Log:\n    message: said\n',
}

const { client, newUser } = await createWire()
const nuxeo = client({ schemas: ['dublincore'] })
let folder: Nuxeo.Document
let count = 0

beforeAll(async () => {
  for (const [id, yaml] of Object.entries(CHAINS)) await deploy(nuxeo, id, yaml)
})

beforeEach(async () => {
  folder = await nuxeo.repository().create(WORKSPACES, { type: 'Workspace', name: `ws-${count++}` })
  for (const name of ['a', 'b', 'c'])
    await nuxeo.repository().create(folder.path, { type: 'File', name, properties: { 'dc:title': name } })
})

const children = async (): Promise<Nuxeo.Document[]> =>
  (await nuxeo.operation('Document.GetChildren').input(folder).execute<Nuxeo.Page>()).entries

const marks = async () => (await children()).map((child) => `${child.get('dc:source')} ${child.state}`)

describe('a chain', () => {
  test.each(['mark', 'Chain.mark'])('is called as %s', async (id) => {
    const [first] = await children()
    const marked = await nuxeo.operation(id).input(first).params({ mark: 'red' }).execute()
    expect([marked.uid, marked.state, marked.get('dc:source')]).toEqual([first?.uid, 'approved', 'red'])
    expect(marked.isFolder()).toBe(false)
  })

  test('takes a list of documents, and gives one', async () => {
    const page = await nuxeo
      .operation('mark')
      .input(await children())
      .params({ mark: 'red' })
      .execute<Nuxeo.Page>()
    expect(page.entries.map((entry) => entry.get('dc:source'))).toEqual(['red', 'red', 'red'])
  })

  test('takes files, and gives one', async () => {
    const [first] = await children()
    const blobs = ['one', 'two'].map(
      (name) => new Nuxeo.Blob({ content: `text of ${name}`, name: `${name}.txt` }),
    )
    await nuxeo.operation('attachTo').input(blobs).context({ target: first?.path }).execute()
    const changed = await nuxeo.repository().fetch(first?.uid ?? '', { schemas: ['files'] })
    expect(changed.get('files:files')).toMatchObject([
      { file: { name: 'one.txt' } },
      { file: { name: 'two.txt' } },
    ])

    await nuxeo.operation('Blob.Attach').input(blobs[0]).param('document', first?.path).execute()
    const answer = await nuxeo.operation('fileOf').input(first).execute<Nuxeo.Answer>()
    expect(await answer.text()).toBe('text of one')
  })

  test('loops over documents in new transactions', async () => {
    const page = await nuxeo.operation('markAll').input(folder).params({ mark: 'blue' }).execute<Nuxeo.Page>()
    expect(page.entries.map(({ title }) => title)).toEqual(['a', 'b', 'c'])
    expect(await marks()).toEqual(['blue approved', 'blue approved', 'blue approved'])
  })

  test('loops over a list that the caller gives, by path', async () => {
    const chosen = (await children()).slice(0, 2).map(({ path }) => path)
    await nuxeo
      .operation('markListed')
      .context({ chosen: `docs:${chosen.join(',')}` })
      .params({ mark: 'green' })
      .execute()
    expect(await marks()).toEqual(['green approved', 'green approved', 'null project'])
  })

  test('with nothing to show answers with nothing, and reports its workflow', async () => {
    const answer = await nuxeo.operation('say').execute<Nuxeo.Answer>()
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('Archivolt-Workflow-Id')).toContain('say')
  })

  test('that is called again with the same key is the same run', async () => {
    const headers = { 'Idempotency-Key': `wire-${folder.uid}` }
    const call = () =>
      nuxeo
        .operation('markAll')
        .input(folder)
        .params({ mark: 'once' })
        .execute<Nuxeo.Answer>({ headers, resolveWithFullResponse: true })
    const runs = [await call(), await call()].map((answer) => answer.headers.get('Archivolt-Workflow-Id'))
    expect(runs[1]).toBe(runs[0])
  })
})

describe('a chain is refused', () => {
  test('with what its failing step says, and leaves nothing behind', async () => {
    const [first] = await children()
    const { status, entity } = await refusalOf(nuxeo.operation('fail').input(first).execute())
    expect([status, entity['entity-type']]).toEqual([400, 'exception'])
    expect(entity.message).toContain('fly')
    expect((await marks())[0]).toBe('null project')
  })

  test('with the rights of its caller', async () => {
    const ann = await newUser('ann', ['members'])
    const [first] = await children()
    const call = ann.operation('mark').input(first?.uid).params({ mark: 'red' }).execute()
    expect((await refusalOf(call)).status).toBe(403)
    expect((await marks())[0]).toBe('null project')
  })

  test('on documents that are not there', async () => {
    const call = nuxeo.operation('mark').input([folder.path, '/no/such']).params({ mark: 'red' }).execute()
    expect((await refusalOf(call)).status).toBe(404)
  })
})

describe('a call that is not waited for', () => {
  const start = async (id: string, input: unknown, params: object): Promise<string> => {
    const call = nuxeo
      .operation(`${id}/@async`)
      .input(input)
      .params({ ...params })
    const answer = await call.execute<Nuxeo.Answer>({ resolveWithFullResponse: true })
    expect(answer.status).toBe(202)
    return answer.headers.get('location') ?? ''
  }

  /** The client follows the redirect of a run that is done to its result. */
  const untilDone = async <Result>(url: string): Promise<Result> => {
    for (;;) {
      const answer = await nuxeo.http<Result | 'RUNNING'>({ url, schemas: ['dublincore'] })
      if (answer !== 'RUNNING') return answer
      await sleep(50)
    }
  }

  test('is polled for until its result is there', async () => {
    const page = await untilDone<Nuxeo.Page>(await start('markAll', folder, { mark: 'later' }))
    expect(page.entries.map((entry) => entry.title)).toEqual(['a', 'b', 'c'])
    expect(await marks()).toEqual(['later approved', 'later approved', 'later approved'])
  })

  test('may be a single operation', async () => {
    const [first] = await children()
    const properties = { 'dc:title': 'Later' }
    const changed = await untilDone<Nuxeo.Document>(await start('Document.Update', first, { properties }))
    expect([changed.uid, changed.get('dc:title')]).toEqual([first?.uid, 'Later'])
  })

  test('that fails answers its result with what went wrong', async () => {
    const [first] = await children()
    const { status, entity } = await refusalOf(untilDone(await start('fail', first, {})))
    expect(status).toBe(400)
    expect(entity.message).toContain('fly')
  })
})

describe('chains as contributions', () => {
  test('are listed, read and taken away', async () => {
    await deploy(nuxeo, 'shortLived', '- Log:\n    message: short\n')
    const registry = await nuxeo.request('automation').get<{ chains: { id: string; url: string }[] }>()
    expect(registry.chains).toContainEqual(
      expect.objectContaining({ id: 'shortLived', url: 'Chain.shortLived' }),
    )
    expect(await nuxeo.request('contributions/chains/shortLived').get()).toMatchObject({ id: 'shortLived' })
    await nuxeo.request('contributions/chains/shortLived').delete()
    expect((await refusalOf(nuxeo.operation('shortLived').execute())).status).toBe(404)
  })

  test('that name an unknown operation are refused with a suggestion', async () => {
    const { status, entity } = await refusalOf(
      deploy(nuxeo, 'wrong', '- Document.Updat:\n    properties: x=y\n'),
    )
    expect(status).toBe(422)
    expect(JSON.stringify(entity)).toContain('Document.Update')
  })
})
