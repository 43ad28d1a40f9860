import { beforeEach, describe, expect, test } from 'vitest'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { ACES, createCollaborationBench, eventsOf, grant, setAces } from '../support/collaboration-support.js'
import { ADMINISTRATOR, documentOf, idsOf, input } from '../support/operations-support.js'
import { addUser, type Entity } from '../support/rest-client.js'

const bench = await createCollaborationBench('commented')
const { run, call, platform } = bench

/** rita and ruth may read, will may write, olga holds everything, nick sees nothing. */
for (const user of ['rita', 'ruth', 'olga', 'nick']) await addUser(platform, user)
await createIdentityStore(platform.database.sql).insertGroup({
  groupname: 'writers',
  label: null,
  description: null,
})
await addUser(platform, 'will', ['writers'])
const NOBODY = { username: 'Everyone', permission: 'Everything', granted: false }

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  folder = await bench.folder([...ACES, grant('rita', 'Read'), grant('ruth', 'Read'), NOBODY])
  file = await bench.create(folder.id, 'File', 'file')
})

const comment = (id: string, text: unknown, user = 'rita', more: object = {}) =>
  call('POST', `/api/v1/id/${id}/@comment`, {
    user,
    json: { 'entity-type': 'comment', parentId: id, text, ...more },
  })
const made = async (id: string, text: string, user = 'rita', more: object = {}): Promise<Entity> => {
  const answer = await comment(id, text, user, more)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json
}
const list = async (id: string, query = '', user = 'rita') =>
  (await call('GET', `/api/v1/id/${id}/@comment${query}`, { user })).json
const textsOf = ({ entries }: Entity) => entries.map(({ text }: Entity) => text)

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

describe('comments from elsewhere', () => {
  test('are named by the id that they have there', async () => {
    const entityId = 'slack/C1/p2'
    const { id } = await made(file.id, 'imported', 'rita', {
      entityId,
      origin: 'Slack',
      entity: '{"ts":1}',
    })
    const address = `/api/v1/id/${file.id}/@comment/external/${entityId}`
    expect((await call('GET', address, { user: 'ruth' })).json).toMatchObject({
      id,
      entityId,
      origin: 'Slack',
      entity: '{"ts":1}',
    })
    const json = { 'entity-type': 'comment', text: 'again' }
    expect((await call('PUT', address, { user: 'ruth', json })).status).toBe(403)
    expect((await call('PUT', address, { user: 'rita', json })).json).toMatchObject({
      text: 'again',
      origin: 'Slack',
    })
    const other = await bench.create(folder.id, 'File', 'other')
    expect((await call('GET', address.replace(file.id, other.id))).status).toBe(404)
    expect((await call('GET', address, { user: 'nick' })).status).toBe(404)
    expect((await call('DELETE', address, { user: 'rita' })).status).toBe(204)
    expect((await call('GET', address)).status).toBe(404)
  })
})

describe('a comment is no way around', () => {
  test('to the document that it is on', async () => {
    const { id } = await made(file.id, 'mine')
    await setAces(platform, file.id, [NOBODY])
    for (const address of [`${id}`, `${id}/@comment`, `${file.id}/@comment`, `${file.id}/@comment/${id}`])
      expect((await call('GET', `/api/v1/id/${address}`, { user: 'rita' })).status).toBe(404)
    expect((await comment(id, 'reply')).status).toBe(404)
    const found = await run('Repository.Query', {
      params: { query: `SELECT * FROM Comment WHERE ecm:uuid = '${id}'` },
      as: { ...ADMINISTRATOR, name: 'rita', isAdministrator: false, identities: ['rita', 'Everyone'] },
    })
    expect(idsOf(found)).toEqual([])
  })

  test('to speak for somebody else', async () => {
    const { id } = await made(file.id, 'mine')
    const properties = { 'comment:author': 'olga', 'comment:text': 'by the address of the document' }
    const json = { 'entity-type': 'document', properties }
    expect((await call('PUT', `/api/v1/id/${id}`, { user: 'will', json })).status).toBe(403)
    expect((await call('PUT', `/api/v1/id/${id}`, { user: 'rita', json })).status).toBe(200)
    expect((await call('GET', `/api/v1/id/${file.id}/@comment/${id}`)).json).toMatchObject({
      author: 'rita',
      text: 'by the address of the document',
    })
    await call('POST', `/api/v1/id/${file.id}`, {
      user: 'will',
      json: {
        ...json,
        type: 'Comment',
        name: 'c',
        properties: { ...properties, 'comment:parentId': file.id },
      },
    })
    expect((await list(file.id)).totalSize).toBe(1)
  })
})

describe('comments belong to their document', () => {
  test('and stay out of the lists of its children', async () => {
    await made(folder.id, 'on the folder')
    const children = await call('GET', `/api/v1/id/${folder.id}/@children`)
    expect(children.json.entries.map(({ uid }: Entity) => uid)).toEqual([file.id])
    expect(idsOf(await run('Document.GetChildren', { input: input(folder) }))).toEqual([file.id])
    const enriched = await call('GET', `/api/v1/id/${folder.id}`, {
      headers: { 'enrichers-document': 'children' },
    })
    expect(enriched.json.contextParameters.children.entries).toHaveLength(1)
  })

  test('and go with it', async () => {
    const first = await made(file.id, 'first')
    const reply = await made(first.id, 'reply', 'ruth')
    expect((await call('DELETE', `/api/v1/id/${file.id}`, { user: 'will' })).status).toBe(204)
    const left = await platform.database.sql`
      SELECT FROM documents WHERE id IN ${platform.database.sql([first.id, reply.id])}`
    expect(left.count).toBe(0)
  })

  test('and none is left behind when it is removed while others comment', async () => {
    const first = await made(file.id, 'first')
    const [removed, ...answers] = await Promise.all([
      call('DELETE', `/api/v1/id/${file.id}`, { user: 'will' }),
      ...Array.from({ length: 6 }, (_, index) => comment(index % 2 ? first.id : file.id, `t${index}`)),
    ])
    expect(removed?.status).toBe(204)
    for (const { status } of answers) expect([201, 404]).toContain(status)
    const left = await platform.database.sql`
      SELECT FROM documents d WHERE d.type IN ('Comment', 'Comments')
        AND NOT EXISTS (SELECT FROM documents p WHERE p.id = d.parent_id)`
    expect(left.count).toBe(0)
  })

  test('and move with it, while a copy has none', async () => {
    await made(file.id, 'first')
    const target = await bench.create(folder.id, 'Folder', 'target')
    const copy = documentOf(await run('Document.Copy', { input: input(file), params: { target: target.id } }))
    expect((await list(copy.id)).totalSize).toBe(0)
    expect((await platform.database.sql`SELECT FROM documents WHERE parent_id = ${copy.id}`).count).toBe(0)
    await run('Document.Move', { input: input(file), params: { target: target.id } })
    expect(textsOf(await list(file.id))).toEqual(['first'])
  })

  test('and its folder is no way to remove those of others', async () => {
    await made(file.id, 'mine')
    const [hidden] = await platform.database.sql`SELECT id FROM documents WHERE parent_id = ${file.id}`
    expect((await call('DELETE', `/api/v1/id/${hidden?.id}`, { user: 'will' })).status).toBe(403)
    expect((await call('DELETE', `/api/v1/id/${hidden?.id}`, { user: 'olga' })).status).toBe(204)
  })

  test('and are in the trash with it, or by themselves', async () => {
    const first = await made(file.id, 'first')
    await made(file.id, 'second')
    await run('Document.Trash', { input: input({ id: first.id }) })
    expect(textsOf(await list(file.id))).toEqual(['second'])
    await run('Document.Trash', { input: input(file) })
    expect((await list(file.id)).entries).toHaveLength(2)
  })

  test('and one whose author is unknown does not hide the others', async () => {
    await made(file.id, 'mine')
    const json = {
      'entity-type': 'document',
      type: 'Comment',
      name: 'imported',
      properties: { 'comment:parentId': file.id, 'comment:text': 'by nobody' },
    }
    expect((await call('POST', `/api/v1/id/${file.id}`, { json })).status).toBe(201)
    expect(textsOf(await list(file.id))).toEqual(['mine'])
  })

  test('and a proxy has its own, for those who see it', async () => {
    const section = await bench.section()
    await setAces(platform, section.id, [grant('nick', 'Read')])
    const proxy = documentOf(
      await run('Document.PublishToSection', { input: input(file), params: { target: section.id } }),
    )
    const { id } = await made(proxy.id, 'from outside', 'nick')
    expect((await list(proxy.id, '', 'nick')).totalSize).toBe(1)
    expect((await list(file.id)).totalSize).toBe(0)
    expect((await call('DELETE', `/api/v1/id/${id}`, { user: 'nick' })).status).toBe(204)
  })

  test('and a version has its own', async () => {
    const { version } = await platform.withSession(ADMINISTRATOR, async (session) =>
      checkIn(session, file, { increment: 'MINOR' }),
    )
    await made(file.id, 'on the live one')
    await made(version.id, 'on the version')
    expect(textsOf(await list(file.id))).toEqual(['on the live one'])
    expect(textsOf(await list(version.id))).toEqual(['on the version'])
  })
})

describe('@annotation', () => {
  const annotate = (json: object, user = 'rita') =>
    call('POST', `/api/v1/id/${file.id}/@annotation`, {
      user,
      json: { 'entity-type': 'annotation', ...json },
    })

  test('is about what an xpath names', async () => {
    const answer = await annotate({ text: 'Blurred', xpath: 'file:content', entityId: 'e1' })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json).toMatchObject({ 'entity-type': 'annotation', xpath: 'file:content', author: 'rita' })
    await annotate({ text: 'Other', xpath: 'files:files/0/file' })
    const found = await call('GET', `/api/v1/id/${file.id}/@annotation?xpath=file:content`, { user: 'ruth' })
    expect(found.json).toMatchObject({
      'entity-type': 'annotations',
      totalSize: 1,
      entries: [{ text: 'Blurred' }],
    })
    expect((await call('GET', `/api/v1/id/${file.id}/@annotation`)).json.totalSize).toBe(2)
    const { id } = answer.json
    expect((await call('GET', `/api/v1/id/${file.id}/@comment/${id}`)).status).toBe(404)
    expect((await call('GET', `/api/v1/id/${file.id}/@annotation/external/e1`)).json.id).toBe(id)
    await made(id, 'a reply is a comment', 'ruth')
    expect(textsOf(await list(id))).toEqual(['a reply is a comment'])
    expect((await call('DELETE', `/api/v1/id/${file.id}/@annotation/${id}`, { user: 'rita' })).status).toBe(
      204,
    )
  })

  test('is not found by an xpath that cannot be stored', async () => {
    expect((await call('GET', `/api/v1/id/${file.id}/@annotation?xpath=%00`)).status).toBe(400)
  })

  test('has replies that are annotations of the same xpath', async () => {
    const { id } = (await annotate({ text: 'Here', xpath: 'file:content' })).json
    const reply = await annotate({ text: 'And so', parentId: id }, 'ruth')
    expect([reply.status, reply.json]).toMatchObject([
      201,
      { 'entity-type': 'annotation', parentId: id, ancestorIds: [id, file.id], xpath: 'file:content' },
    ])
    const replies = await call('GET', `/api/v1/id/${id}/@annotation`)
    expect(replies.json.entries).toMatchObject([{ id: reply.json.id, text: 'And so' }])
    const shown = await call('GET', `/api/v1/id/${file.id}/@annotation/${id}?fetch.annotation=repliesSummary`)
    expect(shown.json.numberOfReplies).toBe(1)
  })

  test('is refused without an xpath', async () => {
    const answer = await annotate({ text: 'Where?' })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/xpath/)])
  })

  test('is kept apart from comments', async () => {
    await made(file.id, 'comment')
    await annotate({ text: 'annotation', xpath: 'file:content' })
    expect(textsOf(await list(file.id))).toEqual(['comment'])
  })
})

test('the dates that a comment is sent with are kept', async () => {
  const at = `/api/v1/id/${file.id}/@comment`
  const sent = { creationDate: '2019-02-03T04:05:06+02:00', modificationDate: '2019-02-04T00:00:00.000Z' }
  const post = (dates: object) =>
    call('POST', at, { user: 'rita', json: { 'entity-type': 'comment', text: 'old', ...dates } })
  const { json } = await post(sent)
  const kept = { creationDate: '2019-02-03T02:05:06.000Z', modificationDate: sent.modificationDate }
  expect(json).toMatchObject(kept)
  const changed = await call('PUT', `${at}/${json.id}`, { user: 'rita', json: { ...json, text: 'new' } })
  expect(changed.json).toMatchObject({ ...kept, text: 'new' })
  const refused = await post({ creationDate: 'yesterday' })
  expect([refused.status, refused.json.message]).toEqual([400, expect.stringMatching(/^creationDate: /)])
  await call('DELETE', `${at}/${json.id}`)
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
