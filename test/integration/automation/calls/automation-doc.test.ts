import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf } from '../../../../api/automation/doc/index.js'
import { createEngine } from '../../../../api/engine.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { addUser, createClient, type Entity } from '../../support/rest-client.js'
import { createTestPlatform } from '../../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_TEMPORAL_UI: 'https://temporal.example/ui/' })
// Connects to nothing until something is run.
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)

const DOC = '/site/automation/doc'
const HOSTILE = '</p><script>alert(1)</script><img src=x onerror=alert(2)>" onfocus="alert(3)'

const deploy = async (point: string, name: string, body: string | object) => {
  const headers = { 'Content-Type': 'application/json' }
  const path = `/api/v1/contributions/${point}/${encodeURIComponent(name)}`
  const { status, text } = await call('PUT', path, { headers, body: JSON.stringify(body) })
  expect(status, text).toBe(201)
}

const page = async (query: string, user = 'Administrator'): Promise<string> =>
  (await call('GET', `${DOC}${query}`, { user })).text

/** What a reader sees of markup. */
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')

const parameterOf = (id: string, name: string) => operations.find((one) => one.id === id)?.params[name]

const namesOf = (id: string, name: string): string[] => {
  const { aliases = [] } = parameterOf(id, name) ?? {}
  return aliases.length > 0 ? [name, 'or', aliases.join(', ')] : [name]
}

/** The first value is marked where it is what holds when none is given. */
const shownValues = (id: string, name: string, values: string[]): string[] => {
  const isDefault = operations.some((one) => one.id === id)
    ? parameterOf(id, name)?.default !== undefined
    : ['hostile', 'Demo.Counting'].includes(id)
  const [first, ...others] = values
  return first !== undefined && isDefault ? [first, 'default', ...others] : values
}

let registry: Entity
beforeAll(async () => {
  await addUser(platform, 'ann', ['members'])
  await deploy('chains', 'one (a): b', [{ 'Context.FetchDocument': null }])
  await deploy('chains', 'hostile', {
    description: HOSTILE,
    params: [{ [`p${HOSTILE}`]: { type: 'string', description: HOSTILE, values: [HOSTILE] } }],
    operations: [{ Log: { message: HOSTILE } }],
  })
  await deploy('chains', 'committing', {
    aliases: ['older'],
    onError: [{ chain: 'one (a): b', rollback: true }],
    operations: [
      { 'Document.Query': { query: 'SELECT * FROM File' } },
      { 'Context.SetInputAsVar': { name: 'files' } },
      { RunOperationOnListInNewTx: { id: 'one (a): b', list: 'files' } },
      'Repository.SaveSession',
    ],
  })
  await deploy('scripts', 'Demo.Hostile', {
    label: HOSTILE,
    description: HOSTILE,
    script: `function run() { return "${HOSTILE.replaceAll('"', '')}" }`,
  })
  await deploy('scripts', 'Demo.Counting', {
    params: { count: { type: 'integer', values: ['50'] } },
    script: 'function run(input, params) { return input }',
  })
  registry = (await call('GET', '/site/automation')).json
})

describe('the index', () => {
  test.each(['', '?browse=label'])('with %s shows all that can be called', async (query) => {
    const markup = await page(query)
    const links = [...markup.matchAll(/href="\?id=([^"]+)"/g)].map(([, id]) => decodeURIComponent(id ?? ''))
    expect([...links].sort()).toEqual(registry.operations.map(({ id }: Entity) => id).sort())
    if (query) expect(links).toEqual(registry.operations.map(({ id }: Entity) => id))
    const text = textOf(markup)
    for (const { description } of registry.operations)
      expect(text).toContain(description.replace(/\s+/g, ' ').trim())
  })

  test('has a heading for each category', async () => {
    const headings = [...(await page('')).matchAll(/<h2 id="[^"]*">([^<]*)</g)].map(([, name]) => name)
    const categories = registry.operations.map(({ category }: Entity) => category.replaceAll('&', '&amp;'))
    expect(headings).toEqual([...new Set(categories)].sort())
  })

  test('finds what has all words, without a script', async () => {
    const markup = await page('?q=collection%20REMOVE')
    expect(markup).toContain('?id=Collection.RemoveFromCollection"')
    expect(markup).not.toContain('?id=Document.Create"')
    expect(markup).toContain('value="collection REMOVE"')
    expect(await page('?q=xyzzy')).toContain('0 of')
  })

  test('escapes what was searched', async () => {
    const markup = await page(`?q=${encodeURIComponent(HOSTILE)}`)
    expect(markup).not.toContain('<script>alert')
    expect(markup).not.toContain('" onfocus=')
  })
})

describe('a page', () => {
  test('shows each operation and chain with everything the registry reports of it', async () => {
    expect(registry.operations.length).toBeGreaterThan(operations.length)
    for (const { id, label, category, description, aliases = [], params, signature } of registry.operations) {
      const markup = await page(`?id=${encodeURIComponent(id)}`)
      const text = textOf(markup)
      const expected = [id, label, category, description.replace(/\s+/g, ' ').trim(), ...aliases]
      for (const part of expected) expect(text, id).toContain(part)
      const isDelivered = operations.some((one) => one.id === id)
      if (isDelivered)
        for (const param of params) expect(param.description, `${id} ${param.name}`).not.toBe('')
      for (let at = 0; at < signature.length; at += 2)
        expect(text, id).toContain(`${signature[at]} → ${signature[at + 1]}`)
      const rows = [...markup.matchAll(/<tr>\s*<th scope="row">[\s\S]*?<\/tr>/g)].map(([row]) =>
        textOf(row).trim(),
      )
      expect(rows, id).toEqual(
        params.map(({ name, type, required, values, description: about }: Entity) =>
          [...namesOf(id, name), type, required ? 'required' : 'optional']
            .concat(shownValues(id, name, values), about.replace(/\s+/g, ' '))
            .join(' ')
            .replace(/\s+/g, ' ')
            .trim(),
        ),
      )
      expect(markup.match(/data-param=/g)?.length ?? 0, id).toBe(params.length)
      expect(markup).toContain(`href="./${encodeURIComponent(id)}"`)
    }
  })

  test('shows an example that a deployment accepts', async () => {
    for (const operation of operations) {
      const { status, text } = await call('PUT', '/api/v1/contributions/chains/example?dryRun=true', {
        headers: { 'Content-Type': 'application/yaml' },
        body: exampleOf(operation),
      })
      expect(status, `${operation.id} ${text}`).toBe(200)
    }
    expect(textOf(await page('?id=Document.Create'))).toContain('- Document.Create: type: text')
  })

  test('shows the transactions of a chain', async () => {
    const text = textOf(await page('?id=committing'))
    expect(text).toContain('Runs as a workflow, with 1 boundary, at which')
    expect(text).toContain(
      'When it fails, one of these runs: one (a): b , after the failed transaction is rolled back',
    )
    expect(text).toMatch(
      /One transaction Document\.Query Context\.SetInputAsVar Boundary: a transaction for each element Context\.RunOperationOnListInNewTx one \(a\): b RunOperationOnListInNewTx One transaction Repository\.SaveSession/,
    )
    expect(await page('?id=committing')).toContain('<a href="?id=Repository.Query">Document.Query</a>')
    expect(textOf(await page('?id=RunOperationOnList'))).toContain('with newTx: Commits the steps before it')
    expect(textOf(await page('?id=Blob.ToPDF'))).toContain('It may take long')
  })

  test('links to the runs in the Temporal UI', async () => {
    const markup = await page(`?id=${encodeURIComponent('one (a): b')}`)
    const query = encodeURIComponent('ChainId="one (a): b"')
    expect(markup).toContain(
      `href="https://temporal.example/ui/namespaces/default/workflows?query=${query}"`.replaceAll(
        "'",
        '&#39;',
      ),
    )
  })

  test('shows how a chain or a script is written to administrators alone', async () => {
    const mark = 'Context.SetInputAsVar: name: files'
    expect(textOf(await page('?id=committing'))).toContain(mark)
    expect(textOf(await page('?id=committing', 'ann'))).not.toContain(mark)
    expect(textOf(await page('?id=Demo.Hostile'))).toContain('function run()')
    expect(textOf(await page('?id=Demo.Hostile', 'ann'))).not.toContain('function run()')
  })

  test('shows what a deployment warns of, with its place in what is shown, to administrators alone', async () => {
    const path = '/api/v1/contributions/chains/odd'
    const odd = [{ Log: { message: `expr:Document["dc:titel"] + '${HOSTILE.replaceAll("'", '')}'` } }]
    const headers = { 'Content-Type': 'application/json' }
    const { status, json } = await call('PUT', path, { headers, body: JSON.stringify(odd) })
    expect([status, json.warnings], JSON.stringify(json)).toMatchObject([
      201,
      [{ message: expect.any(String) }],
    ])
    await deploy('scripts', 'Demo.Odd', {
      script: 'function run() {\n  return Document.NoSuchThing(null, {})\n}',
    })
    const markup = await page('?id=odd')
    const text = textOf(markup)
    expect(text).toContain('Warnings It can run, but')
    expect(text).toContain(`operations[0].message ${json.warnings[0].message} line 2, column`)
    expect(markup).not.toContain('<img')
    expect(textOf(await page('?id=odd', 'ann'))).not.toMatch(/Warnings|dc:titel/)
    expect(textOf(await page('?id=Demo.Odd'))).toContain(
      'script unknown operation "Document.NoSuchThing"; the script fails where it calls it line 2, column 10',
    )
    expect(textOf(await page(`?id=${encodeURIComponent('one (a): b')}`))).not.toContain('Warnings')
    for (const name of ['chains/odd', 'scripts/Demo.Odd'])
      expect((await call('DELETE', `/api/v1/contributions/${name}`)).status).toBe(204)
  })

  test('says who may call what is kept for administrators', async () => {
    expect(textOf(await page('?id=RunScript'))).toContain('Called by administrators, unless')
    expect(textOf(await page('?id=Document.Lock'))).not.toContain('Called by')
  })

  test('offers no form for what the caller may not call', async () => {
    expect(await page('?id=RunScript')).toContain('<form id="try"')
    const markup = await page('?id=RunScript', 'ann')
    expect(markup).not.toContain('<form id="try"')
    expect(markup).toContain('You may not call it')
  })

  test.each(['No.Such', HOSTILE, 'Document.Fetch', 'Chain.committing', 'older', ''])(
    'of %s is not there',
    async (id) => {
      const { status, text, headers } = await call('GET', `${DOC}?id=${encodeURIComponent(id)}`)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
      expect(text).not.toContain('<script>alert')
    },
  )

  test.each([
    ['Document.Creat', 'Document.Create'],
    ['Document.Fetsh', 'Repository.GetDocument'],
  ])('of %s that there is none of leads to %s', async (id, meant) => {
    expect(await page(`?id=${id}`)).toContain(`<p>Did you mean <a href="?id=${meant}">`)
  })

  test.each([
    ['RunOperationOnList', 'list: documents'],
    ['Demo.Counting', 'count: 50'],
  ])('of %s has an example that is written as it is read', async (id, line) => {
    expect(textOf(await page(`?id=${id}`))).toContain(line)
  })

  test('of another name leads to its own', async () => {
    expect(await page('?id=Document.Fetch')).toContain('href="?id=Repository.GetDocument"')
  })
})

describe('what is foreign', () => {
  test.each(['', '?browse=label', '?id=hostile', '?id=Demo.Hostile'])('is text on %s', async (query) => {
    const markup = await page(query)
    expect(markup.match(/<script/g)).toHaveLength(1)
    expect(markup).not.toContain('<img')
    expect(markup).not.toContain('" onfocus=')
    expect(textOf(markup)).toContain(HOSTILE)
  })

  test('cannot run: a policy allows the page nothing but its own script and style', async () => {
    const { headers, text } = await call('GET', `${DOC}?id=hostile`)
    const policy = headers.get('content-security-policy') ?? ''
    const nonce = /script-src 'nonce-([\w+/=]{24,})'/.exec(policy)?.[1]
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toContain('unsafe')
    expect([...text.matchAll(/<(?:script|style) nonce="([^"]+)"/g)].map(([, own]) => own)).toEqual([
      nonce,
      nonce,
    ])
    expect((await call('GET', DOC)).headers.get('content-security-policy')).not.toContain(nonce)
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!temporal\.example)/)
  })

  test('is for those who are authenticated', async () => {
    expect((await call('GET', DOC, { user: null })).status).toBe(401)
  })
})

describe('the first page', () => {
  test.each(['', '/nuxeo'])('at %s/ leads to what people read', async (context) => {
    const { status, text } = await call('GET', `${context}/`, { headers: { Accept: 'text/html' } })
    const links = [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href ?? '')
    expect([status, links.length]).toEqual([200, 4])
    expect(links).toContain('https://temporal.example/ui/')
    for (const link of links.filter((href) => !href.includes('temporal')))
      expect((await call('GET', new URL(link).pathname)).status, link).toBe(200)
  })
})

describe('the API reference', () => {
  const REFERENCE = '/api/v1/reference'
  const at = async (query: string) => (await call('GET', `${REFERENCE}${query}`)).text

  test('lists every address of the OpenAPI document, and finds some by words', async () => {
    const { json } = await call('GET', '/api/v1/openapi.json')
    const expected = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
      ['get', 'post', 'put', 'delete'].flatMap((method) =>
        method in methods ? `${method.toUpperCase()} ${path}` : [],
      ),
    )
    const named = [...(await at('')).matchAll(/href="\?at=([^"]+)"/g)].map(([, name]) =>
      decodeURIComponent(name ?? ''),
    )
    expect(named.sort()).toEqual(expected.sort())
    expect(textOf(await at(''))).not.toContain('`')
    expect(textOf(await at('?q=trash%20bulk'))).toContain(`of ${expected.length} shown`)
  })

  test('shows parameters, bodies, responses and the schemas that they name', async () => {
    const text = await at(`?at=${encodeURIComponent('GET /automation/doc')}`)
    expect(textOf(text)).toContain('browse query optional string label: by label, else by category')
    const called = await at(`?at=${encodeURIComponent('POST /automation/Document.Create')}`)
    expect(textOf(called)).toMatch(/Body application\/json/)
    const schema = /href="\?schema=([^"]+)"/.exec(await at(`?at=${encodeURIComponent('GET /capabilities')}`))
    expect(await at(`?schema=${schema?.[1]}`)).toContain('distributionName')
  })

  test.each(['?at=GET%20/nothing', '?schema=constructor'])('has no page for %s', async (query) => {
    expect((await call('GET', `${REFERENCE}${query}`)).status).toBe(404)
  })
})

test('no runs are linked where the address of the Temporal UI is not known', async () => {
  const other = await createTestPlatform()
  const its = await createEngine(other)
  const { text } = await createClient(other, its)('GET', `${DOC}?id=Document.Create`)
  await its.close()
  expect(text).toContain('Document.Create')
  expect(text).not.toContain('Temporal')
})
