import { beforeEach, describe, expect, test } from 'vitest'
import { principalOf, type SecurityPolicy } from '../../../core/access/security/index.js'
import { getComments } from '../../../core/content/comments/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { eventsOf, setAces } from '../support/collaboration-support.js'
import { createCommentBench, NOBODY, textsOf } from '../support/comments-support.js'

const bench = await createCommentBench()
const { call, platform, comment, made, list } = bench

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  ;({ folder, file } = await bench.documents())
})

describe('POST @comment', () => {
  test('makes a comment of the caller, who need only read the document', async () => {
    const answer = await comment(file.id, 'First!', 'rita', { author: 'Administrator', id: 'x' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('Content-Type')).toBe('application/json; nuxeo-entity=comment')
    expect(answer.json).toEqual({
      'entity-type': 'comment',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      parentId: file.id,
      ancestorIds: [file.id],
      author: 'rita',
      text: 'First!',
      creationDate: expect.stringMatching(/^\d{4}-.*Z$/),
      modificationDate: null,
      entityId: null,
      origin: null,
      entity: null,
      permissions: expect.arrayContaining(['Read', 'Browse']),
    })
    expect(answer.json.permissions).not.toContain('Write')
    expect((await eventsOf(platform, file.id)).at(-1)).toMatchObject({
      event: 'commentAdded',
      principal: 'rita',
      payload: { commentId: answer.json.id, text: 'First!', author: 'rita' },
    })
  })

  test('leaves the document as it is', async () => {
    await made(file.id, 'x')
    expect(await bench.read(file.id)).toEqual(file)
  })

  test('replies to a comment, by its address or from the document', async () => {
    const first = await made(file.id, 'first')
    const reply = await made(first.id, 'reply', 'ruth')
    const answer = await made(file.id, 'answer', 'rita', { parentId: reply.id })
    expect([reply.parentId, reply.ancestorIds]).toEqual([first.id, [first.id, file.id]])
    expect([answer.parentId, answer.ancestorIds]).toEqual([reply.id, [reply.id, first.id, file.id]])
    expect(textsOf(await list(first.id))).toEqual(['reply'])
    expect(textsOf(await list(reply.id))).toEqual(['answer'])
    expect(textsOf(await list(file.id))).toEqual(['first'])
    expect((await eventsOf(platform, file.id)).filter(({ event }) => event === 'commentAdded')).toHaveLength(
      3,
    )
  })

  test.each<[string, object, number, RegExp]>([
    ['without a text', { 'entity-type': 'comment' }, 400, /text/],
    ['with an empty text', { 'entity-type': 'comment', text: '  ' }, 400, /text/],
    [
      'longer than 64 Ki characters',
      { 'entity-type': 'comment', text: 'x'.repeat(65_537) },
      400,
      /^text: longer than 65536 characters/,
    ],
    [
      'with an entity longer than 64 Ki characters',
      { 'entity-type': 'comment', text: 'x', entity: 'x'.repeat(65_537) },
      400,
      /^entity: longer than/,
    ],
    ['with NUL in its text', { 'entity-type': 'comment', text: 'a\0b' }, 400, /^text: .*cannot be stored/],
    [
      'with half a character in its origin',
      { 'entity-type': 'comment', text: 'x', origin: '\ud800' },
      400,
      /origin/,
    ],
    ['with a number for a text', { 'entity-type': 'comment', text: 7 }, 400, /text/],
    ['of another entity type', { 'entity-type': 'document', text: 'x' }, 400, /entity-type/],
    ['in reply to nothing', { 'entity-type': 'comment', text: 'x', parentId: 'nothing' }, 400, /parentId/],
    ['with a list for an entity', { 'entity-type': 'comment', text: 'x', entity: [] }, 400, /entity/],
  ])('%s is refused', async (_kind, json, status, message) => {
    const answer = await call('POST', `/api/v1/id/${file.id}/@comment`, { user: 'rita', json })
    expect([answer.status, answer.json['entity-type']]).toEqual([status, 'exception'])
    expect(answer.json.message).toMatch(message)
    expect((await list(file.id)).totalSize).toBe(0)
  })

  test('in reply to a comment on another document is refused', async () => {
    const other = await bench.create(folder.id, 'File', 'other')
    const elsewhere = await made(other.id, 'elsewhere')
    expect((await comment(file.id, 'x', 'rita', { parentId: elsewhere.id })).status).toBe(400)
  })

  test('several first comments at once are all kept', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => `t${index}`)
    const answers = await Promise.all(texts.map((text) => comment(file.id, text)))
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201))
    expect(textsOf(await list(file.id)).sort()).toEqual(texts)
    const folders = await platform.database.sql`
      SELECT FROM documents WHERE parent_id = ${file.id} AND type = 'Comments'`
    expect(folders.count).toBe(1)
  })

  test("a document's own child may be called as the folder of comments is", async () => {
    const own = await bench.create(folder.id, 'Folder', 'Comments')
    await made(folder.id, 'on the folder')
    expect(textsOf(await list(folder.id))).toEqual(['on the folder'])
    expect((await bench.read(own.id)).type).toBe('Folder')
  })
})

describe('GET @comment', () => {
  test('gives all, oldest first, or pages', async () => {
    for (const text of ['one', 'two', 'three']) await made(file.id, text)
    const all = await list(file.id, '?pageSize=0')
    expect(all).toMatchObject({ 'entity-type': 'comments', totalSize: 3 })
    expect(textsOf(all)).toEqual(['one', 'two', 'three'])
    const second = await list(file.id, '?pageSize=2&currentPageIndex=1')
    expect([second.totalSize, textsOf(second)]).toEqual([3, ['three']])
    const beyond = await list(file.id, '?pageSize=2&currentPageIndex=9')
    expect([beyond.totalSize, beyond.entries]).toEqual([3, []])
    expect((await call('GET', `/api/v1/id/${file.id}/@comment?pageSize=x`)).status).toBe(400)
  })

  test('gives pages of 50 by default', async () => {
    const first = await made(file.id, 'first')
    const { sql } = platform.database
    await sql`
      INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
        'name', 'n' || n, 'path', d.path || n))).* FROM documents d, generate_series(1, 54) AS n WHERE d.id = ${first.id}`
    const pages = [await list(file.id), await list(file.id, '?currentPageIndex=1')]
    expect(pages.map(({ entries, totalSize }) => [entries.length, totalSize])).toEqual([
      [50, 55],
      [5, 55],
    ])
    expect((await list(file.id, '?pageSize=0')).entries).toHaveLength(55)
    expect((await list(file.id, '?pageSize=-1')).entries).toHaveLength(50)
  })

  test('counts and pages what a security policy leaves', async () => {
    const first = await made(file.id, 'first')
    const { sql } = platform.database
    await sql`
      INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(),
        'name', 'n' || n, 'path', d.path || n, 'lifecycle_state', CASE WHEN n % 5 = 0 THEN 'deleted' ELSE 'project' END))).*
      FROM documents d, generate_series(1, 449) AS n WHERE d.id = ${first.id}`
    const session = platform.readSession(principalOf('rita', ['Everyone'], false))
    const policy: SecurityPolicy = {
      ...{ name: 'deleted', decision: 'deny', query: null },
      ...{ permissions: new Set(['Browse', 'Read']), when: { lifecycleStates: ['deleted'] } },
    }
    const restricted = { ...session, permissions: { ...session.permissions, policies: [policy] } }
    const page = async (pageSize: number, currentPageIndex: number) => {
      const { comments, total } = await getComments(restricted, file, { pageSize, currentPageIndex })
      return [comments.length, total, new Set(comments.map(({ id }) => id)).size]
    }
    expect(await page(0, 0)).toEqual([361, 361, 361])
    expect(await page(50, 7)).toEqual([11, 361, 11])
    expect(await page(50, 8)).toEqual([0, 361, 0])
  })

  /** Five comments with a property as it could be written before there was a limit. @returns what removes them. */
  const heavyComments = async (property: string): Promise<() => Promise<unknown>> => {
    const comments = await Promise.all(Array.from({ length: 5 }, () => made(file.id, 'heavy')))
    const ids = comments.map(({ id }) => id)
    const { sql } = platform.database
    await sql`
      UPDATE documents SET properties = properties || jsonb_build_object(${property}::text, repeat(chr(1), 2500000))
      WHERE id = ANY (${ids}::uuid[])`
    return async () => sql`DELETE FROM documents WHERE id = ANY (${ids}::uuid[])`
  }

  test('refuses more than a list may hold', async () => {
    const remove = await heavyComments('comment:text')
    const all = await call('GET', `/api/v1/id/${file.id}/@comment?pageSize=0`, { user: 'ruth' })
    expect([all.status, all.json.message]).toEqual([413, expect.stringMatching(/pageSize/)])
    expect((await list(file.id, '?pageSize=2')).entries).toHaveLength(2)
    await remove()
  })

  test('reads nothing of a comment but what is one', async () => {
    const remove = await heavyComments('dc:source')
    expect((await list(file.id, '?pageSize=0')).entries).toHaveLength(5)
    await remove()
  })

  test('works by path, and on what has none', async () => {
    expect((await call('GET', `/api/v1/path${file.path}/@comment`)).json).toEqual({
      'entity-type': 'comments',
      totalSize: 0,
      entries: [],
    })
  })

  test.each(['fetch.comment', 'fetch-comment', 'X-NXfetch.comment'])(
    '%s=repliesSummary counts replies',
    async (name) => {
      const first = await made(file.id, 'first')
      await made(first.id, 'early')
      const late = await made(first.id, 'late')
      const asked = await call('GET', `/api/v1/id/${file.id}/@comment`, {
        headers: { [name]: 'repliesSummary' },
      })
      expect(asked.json.entries).toMatchObject([{ numberOfReplies: 2, lastReplyDate: late.creationDate }])
      const single = `/api/v1/id/${file.id}/@comment/${late.id}?fetch.comment=repliesSummary`
      expect((await call('GET', single)).json).toMatchObject({ numberOfReplies: 0, lastReplyDate: null })
      expect((await list(file.id)).entries[0]).not.toHaveProperty('numberOfReplies')
    },
  )

  test('X-NXfetch.Comment among the parameters does too', async () => {
    await made(file.id, 'first')
    const { entries } = await list(file.id, '?X-NXfetch.Comment=repliesSummary')
    expect(entries).toMatchObject([{ numberOfReplies: 0 }])
  })

  test('one comment by its id, in its own thread alone', async () => {
    const first = await made(file.id, 'first')
    const reply = await made(first.id, 'reply')
    const other = await bench.create(folder.id, 'File', 'other')
    const get = async (id: string, commentId: string) =>
      (await call('GET', `/api/v1/id/${id}/@comment/${commentId}`, { user: 'rita' })).status
    expect(await get(file.id, first.id)).toBe(200)
    expect(await get(file.id, reply.id)).toBe(200)
    expect(await get(first.id, reply.id)).toBe(200)
    expect(await get(other.id, first.id)).toBe(404)
    expect(await get(reply.id, first.id)).toBe(404)
    expect(await get(file.id, file.id)).toBe(404)
    expect(await get(file.id, 'nothing')).toBe(404)
  })
})

describe('PUT @comment/{id}', () => {
  const put = (id: string, user: string, json: object = { text: 'changed' }) =>
    call('PUT', `/api/v1/id/${file.id}/@comment/${id}`, {
      user,
      json: { 'entity-type': 'comment', ...json },
    })

  test.each([
    ['rita', 200],
    ['Administrator', 200],
    ['ruth', 403],
    ['will', 403],
    ['olga', 403],
    ['nick', 404],
  ])('by %s: %i', async (user, status) => {
    const { id } = await made(file.id, 'mine')
    const answer = await put(id, user, { text: 'changed', author: 'ruth', parentId: 'x', creationDate: null })
    expect(answer.status, answer.text).toBe(status)
    const { json } = await call('GET', `/api/v1/id/${file.id}/@comment/${id}`)
    expect([json.author, json.parentId, json.text]).toEqual([
      'rita',
      file.id,
      status === 200 ? 'changed' : 'mine',
    ])
    expect(json.modificationDate).toEqual(status === 200 ? expect.any(String) : null)
    const reported = (await eventsOf(platform, file.id)).filter(({ event }) => event === 'commentUpdated')
    expect(reported.map(({ principal }) => principal)).toEqual(status === 200 ? [user] : [])
  })

  test('refuses a long text, on every way to it', async () => {
    const { id } = await made(file.id, 'x')
    const text = 'x'.repeat(65_537)
    const answer = await call('PUT', `/api/v1/id/${file.id}/@comment/${id}`, {
      user: 'rita',
      json: { 'entity-type': 'comment', text },
    })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/^text: longer/)])
    const document = await call('PUT', `/api/v1/id/${id}`, {
      user: 'rita',
      json: { 'entity-type': 'document', properties: { 'comment:text': text } },
    })
    expect([document.status, document.text]).toEqual([422, expect.stringContaining('comment:text')])
    expect(textsOf(await list(file.id))).toEqual(['x'])
  })

  test('refuses an empty text', async () => {
    const { id } = await made(file.id, 'mine')
    expect((await put(id, 'rita', { text: '' })).status).toBe(400)
  })
})

describe('DELETE', () => {
  const byAdapter = (id: string) => `/api/v1/id/${file.id}/@comment/${id}`
  const byId = (id: string) => `/api/v1/id/${id}`

  test.each(
    [byAdapter, byId].flatMap((address) =>
      (
        [
          ['rita', 204],
          ['Administrator', 204],
          ['olga', 204],
          ['ruth', 403],
          ['will', 403],
          ['nick', 404],
        ] as const
      ).map(([user, status]) => [address === byId ? 'by id' : 'by @comment', user, status, address] as const),
    ),
  )('%s as %s: %i', async (_how, user, status, address) => {
    const { id } = await made(file.id, 'mine')
    await made(id, 'a reply of somebody else', 'ruth')
    const answer = await call('DELETE', address(id), { user })
    expect([answer.status, status === 204 ? answer.text : '']).toEqual([status, ''])
    expect((await list(file.id)).totalSize).toBe(status === 204 ? 0 : 1)
    const reported = (await eventsOf(platform, file.id)).filter(({ event }) => event === 'commentRemoved')
    expect(reported.map(({ principal, payload }) => [principal, payload.commentId])).toEqual(
      status === 204 ? [[user, id]] : [],
    )
  })

  test('is 404 for what is gone', async () => {
    const { id } = await made(file.id, 'mine')
    await call('DELETE', byAdapter(id), { user: 'rita' })
    expect((await call('DELETE', byAdapter(id), { user: 'rita' })).status).toBe(404)
    expect((await call('DELETE', byId(id), { user: 'rita' })).status).toBe(404)
  })

  test('an author who may no longer see the document may not remove the comment either', async () => {
    const { id } = await made(file.id, 'mine')
    await setAces(platform, file.id, [NOBODY])
    for (const address of [byAdapter(id), byId(id)])
      expect((await call('DELETE', address, { user: 'rita' })).status).toBe(404)
  })
})

test.each([
  ['PUT', ''],
  ['DELETE', ''],
  ['POST', '/x'],
])('%s @comment%s is 405', async (method, rest) => {
  const json = { 'entity-type': 'comment', text: 'x' }
  const answer = await call(method, `/api/v1/id/${file.id}/@comment${rest}`, {
    user: 'rita',
    ...(method !== 'DELETE' && { json }),
  })
  expect(answer.status).toBe(405)
})
