import { afterAll, describe, expect, inject, test } from 'vitest'
import { createEngine } from '../../../api/engine.js'
import { routeDocs } from '../../../api/route-docs.js'
import { uniqueName } from '../../support/template.js'
import { type Answer, addUser, type Call, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
})
const engine = await createEngine(platform)
afterAll(() => engine.close())
const call = createClient(platform, engine)
const { sql } = platform.database
await addUser(platform, 'ann', ['administrators'])
await addUser(platform, 'bob', ['members'])

const API = '/api/v1'
const DOMAIN = `${API}/path/default-domain`
const own = uniqueName('key')
const keyed = (key: string, more: Call = {}): Call => ({
  ...more,
  headers: { ...more.headers, 'Idempotency-Key': `${own}-${key}` },
})
const folder = (name: string, title = name) => ({
  'entity-type': 'document',
  type: 'Folder',
  name,
  properties: { 'dc:title': title },
})
const make = async (name: string, path = DOMAIN): Promise<string> => {
  const { status, json, text } = await call('POST', path, { json: folder(name) })
  expect(status, text).toBe(201)
  return json.uid
}
const childrenOf = async (path: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM documents WHERE path LIKE ${`${path}/%`}`
  return row?.count ?? 0
}
const many = (count: number, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, ask))

describe('a document that is made under a key', () => {
  test('is made once, however often and however fast it is asked for', async () => {
    await make('raced')
    const ask = () => call('POST', `${DOMAIN}/raced`, keyed('raced', { json: folder('one') }))
    const answers = await many(20, ask)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ json }) => json.uid)).size).toBe(1)
    // All but the one that made it say so.
    const replayed = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')
    expect(replayed).toHaveLength(19)
    expect((await ask()).json.uid).toBe(answers[0]?.json.uid)
    expect(await childrenOf('/default-domain/raced')).toBe(1)
  })

  test('is reported as it is by now, to whom may see it by now', async () => {
    const uid = await make('later')
    const ask = () => call('POST', `${API}/id/${uid}`, keyed('later', { json: folder('one') }))
    const { json } = await ask()
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'changed' } }
    expect((await call('PUT', `${API}/id/${json.uid}`, { json: change })).status).toBe(200)
    expect((await ask()).json).toMatchObject({ uid: json.uid, title: 'changed' })
    expect((await call('DELETE', `${API}/id/${json.uid}`)).status).toBe(204)
    expect((await ask()).status).toBe(404)
    expect(await childrenOf('/default-domain/later')).toBe(0)
  })

  test('is another one for another body, place or user', async () => {
    await make('other')
    const place = `${DOMAIN}/other`
    const first = await call('POST', place, keyed('other', { json: folder('one') }))
    expect(first.status).toBe(201)
    for (const [path, body, headers] of [
      [place, folder('one', 'another title'), {}],
      [place, folder('one'), { 'X-Versioning-Option': 'MAJOR' }],
      [DOMAIN, folder('one'), {}],
    ] as const) {
      const answer = await call('POST', path, keyed('other', { json: body, headers }))
      expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining('Idempotency-Key')])
    }
    const asOperation = await call('POST', `${API}/automation/Document.Create`, {
      ...keyed('other', {
        json: { input: '/default-domain/other', params: { type: 'Folder', name: 'two' } },
      }),
    })
    expect(asOperation.status).toBe(409)
    const others = await call('POST', place, keyed('other', { user: 'ann', json: folder('one') }))
    expect(others.status).toBe(201)
    expect(others.json.uid).not.toBe(first.json.uid)
    expect(await childrenOf('/default-domain/other')).toBe(2)
  })

  test('may come with files', async () => {
    await make('filed')
    const form = (content: string) => {
      const body = new FormData()
      body.append(
        'doc',
        new Blob([JSON.stringify({ ...folder('f'), type: 'File' })], { type: 'application/json' }),
      )
      body.append('file', new Blob([content]), 'a.txt')
      return keyed('filed', { body })
    }
    const [first, again, other] = [
      await call('POST', `${DOMAIN}/filed`, form('one')),
      await call('POST', `${DOMAIN}/filed`, form('one')),
      await call('POST', `${DOMAIN}/filed`, form('two')),
    ]
    expect([first.status, again.status, other.status]).toEqual([201, 201, 409])
    expect(again.json.uid).toBe(first.json.uid)
  })

  test('is made when the connection was lost before the commit, and once', async () => {
    await make('cut')
    await sql.unsafe(`
      CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
      CREATE TRIGGER cut BEFORE INSERT ON receipts FOR EACH ROW EXECUTE FUNCTION cut()`)
    const ask = () => call('POST', `${DOMAIN}/cut`, keyed('cut', { json: folder('one') }))
    expect((await ask()).status).toBe(503)
    expect(await childrenOf('/default-domain/cut')).toBe(0)
    await sql.unsafe('DROP TRIGGER cut ON receipts')
    expect((await ask()).status).toBe(201)
    expect((await ask()).status).toBe(201)
    expect(await childrenOf('/default-domain/cut')).toBe(1)
  })

  test('that was refused is tried again', async () => {
    const ask = () => call('POST', `${DOMAIN}/not-yet`, keyed('refused', { json: folder('one') }))
    expect((await ask()).status).toBe(404)
    await make('not-yet')
    expect((await ask()).status).toBe(201)
  })
})

test('versions, comments and saved searches are made once for a key', async () => {
  const uid = await make('kept')
  const twice = async (method: string, path: string, more: Call): Promise<string> => {
    const [first, again] = [
      await call(method, path, keyed(path, more)),
      await call(method, path, keyed(path, more)),
    ]
    expect(first.status, first.text).toBeLessThan(300)
    expect(again.status, again.text).toBe(first.status)
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true'])
    const id = (answer: Answer): string => answer.json.uid ?? answer.json.id
    expect(id(again)).toBe(id(first))
    return id(first)
  }
  const change = { 'entity-type': 'document', properties: { 'dc:title': 'x' } }
  const headers = { 'X-Versioning-Option': 'MAJOR' }
  const note = await call('POST', `${API}/id/${uid}`, {
    json: { ...folder('note'), type: 'File' },
  })
  await twice('PUT', `${API}/id/${note.json.uid}`, { json: change, headers })
  const [versions] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM documents WHERE is_version AND version_series_id = ${note.json.uid}`
  expect(versions?.count).toBe(1)
  await twice('POST', `${API}/id/${uid}/@comment`, { json: { 'entity-type': 'comment', text: 'hello' } })
  const comments = await call('GET', `${API}/id/${uid}/@comment`)
  expect(comments.json.totalSize).toBe(1)
  await twice('POST', `${API}/search/saved`, {
    json: {
      'entity-type': 'savedSearch',
      title: 'all',
      query: 'SELECT * FROM Document',
      queryLanguage: 'NXQL',
    },
  })
})

describe('a bulk command under a key', () => {
  const give = (key: string, query: string, more: Call = {}): Promise<Answer> =>
    call(
      'POST',
      `${API}/search/bulk/setProperties?${new URLSearchParams({ query })}`,
      keyed(key, { json: { 'dc:source': 'x' }, ...more }),
    )
  const commands = async (principal: string): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM bulk_commands WHERE principal = ${principal}`
    return row?.count ?? 0
  }
  const NOTES = 'SELECT * FROM Note'

  test.each(['Administrator', 'bob'])('of %s is given once', async (user) => {
    const before = await commands(user)
    const answers = await many(20, () => give('bulk', NOTES, { user }))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    expect(new Set(answers.map(({ json }) => json.commandId)).size).toBe(1)
    expect(await commands(user)).toBe(before + 1)
    for (const other of [
      give('bulk', 'SELECT * FROM File', { user }),
      give('bulk', NOTES, { user, json: { 'dc:source': 'y' } }),
    ])
      expect((await other).status).toBe(409)
  })

  test('is answered also while its user may give no more', async () => {
    const first = await give('full', NOTES, { user: 'bob' })
    let status = 202
    for (let index = 0; status === 202 && index < 20; index++)
      ({ status } = await give(`full ${index}`, NOTES, { user: 'bob' }))
    expect(status).toBe(429)
    const again = await give('full', NOTES, { user: 'bob' })
    expect([again.status, again.json.commandId]).toEqual([202, first.json.commandId])
  })
})

describe('what a call has read under a key', () => {
  const ask = (
    id: string,
    key: string,
    json: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => call('POST', `${API}/automation/${id}`, keyed(key, { user: 'bob', json, headers }))

  const withFile = async (name: string): Promise<{ uid: string; input: string }> => {
    const body = new FormData()
    const document = { ...folder(name), type: 'File' }
    body.append('doc', new Blob([JSON.stringify(document)], { type: 'application/json' }))
    body.append('file', new Blob([`bytes of ${name}`]), 'a.txt')
    const { status, json, text } = await call('POST', DOMAIN, { body })
    expect(status, text).toBe(201)
    await permit(json.uid, true)
    return { uid: json.uid, input: `doc:${json.uid}` }
  }
  const permit = async (uid: string, granted: boolean): Promise<void> => {
    const params = { user: 'bob', permission: 'Read', grant: granted, acl: 'local', overwrite: true }
    const answer = await call('POST', `${API}/automation/Document.SetACE`, {
      json: { input: `doc:${uid}`, params },
    })
    expect(answer.status, answer.text).toBe(200)
  }
  const lost: readonly [string, (uid: string) => Promise<unknown>][] = [
    ['may not be seen any more', (uid) => permit(uid, false)],
    ['is deleted', (uid) => call('DELETE', `${API}/id/${uid}`)],
  ]
  const deployInline = async (id: string, steps: string): Promise<void> => {
    const answer = await call('PUT', `${API}/contributions/chains/${id}`, {
      body: `execution: inline\noperations:\n${steps}`,
      headers: { 'Content-Type': 'application/yaml' },
    })
    expect(answer.status, answer.text).toBeLessThan(300)
  }

  test.each(lost)('is no file of a document that %s', async (about, lose) => {
    const { uid, input } = await withFile(uniqueName('file'))
    for (const id of ['Blob.Get', 'Blob.GetAll']) {
      const read = () => ask(id, `${id} ${about}`, { input })
      const [first, again] = [await read(), await read()]
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.text).toContain('bytes of')
      expect((await ask(id, `${id} ${about}`, { input: 'doc:/' })).status).toBe(409)
    }
    await lose(uid)
    for (const id of ['Blob.Get', 'Blob.GetAll'])
      expect((await ask(id, `${id} ${about}`, { input })).status).toBe(404)
  })

  test.each(lost)('is no file that an inline chain took of a document that %s', async (about, lose) => {
    await deployInline('give-file', '- Document.GetBlob\n')
    const { uid, input } = await withFile(uniqueName('file'))
    const first = await ask('give-file', about, { input })
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('bytes of')])
    await lose(uid)
    const again = await ask('give-file', about, { input })
    expect([again.status, again.json.message]).toEqual([
      409,
      'Idempotency-Key: the file of this earlier call is not stored; send another key to run the call again',
    ])
    const nothing = await ask('give-file', about, { input }, { 'X-NXVoidOperation': 'true' })
    expect(nothing.status).toBe(204)
  })

  test('counts what may be seen by now', async () => {
    const { uid } = await withFile(uniqueName('file'))
    const query = `SELECT * FROM Document WHERE ecm:uuid = '${uid}'`
    await deployInline('find', `- Repository.Query: {query: "${query}"}\n`)
    const find = async () => [
      (await ask('Repository.Query', 'count', { params: { query } })).json,
      (await ask('find', 'count chain', {})).json,
    ]
    for (const found of await find()) expect(found).toMatchObject({ resultsCount: 1, entries: [{ uid }] })
    await permit(uid, false)
    const [alone, inChain] = await find()
    expect(alone).toMatchObject({ resultsCount: 0, entries: [] })
    expect(inChain).toEqual({ 'entity-type': 'documents', entries: [] })
  })
})

describe('a key', () => {
  test('of no or too many characters is refused', async () => {
    for (const key of [' ', 'x'.repeat(256)])
      expect(
        (await call('POST', DOMAIN, { json: folder('never'), headers: { 'Idempotency-Key': key } })).status,
      ).toBe(400)
  })

  const posts = routeDocs({ hasEngine: true }).filter(({ method }) => method === 'POST')

  test.each(posts.map((doc) => [doc.operationId, doc] as const))(
    'is honoured or refused by %s as it is described',
    async (_, { path, parameters }) => {
      const address = path.replace(/\{\w+\}/g, 'none')
      const { json, text } = await call(
        'POST',
        path.startsWith('//') ? address.slice(1) : `${API}${address}`,
        keyed('k', { json: {} }),
      )
      const isRefused = /^Idempotency-Key: is not supported by POST /.test(json?.message ?? text)
      expect(isRefused).toBe(!parameters?.header?.shape['Idempotency-Key'])
    },
  )
})
