import { beforeEach, describe, expect, test } from 'vitest'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { grant, setAces, WRITER } from '../support/collaboration-support.js'
import { createCommentBench, NOBODY, textsOf } from '../support/comments-support.js'
import { ADMINISTRATOR, documentOf, idsOf, input } from '../support/operations-support.js'
import type { Entity } from '../support/rest-client.js'

const bench = await createCommentBench()
const { run, call, platform, comment, made, list } = bench

let folder: DocumentRecord
let file: DocumentRecord

beforeEach(async () => {
  ;({ folder, file } = await bench.documents())
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

  test('and one stays with what it is about, with the replies of others', async () => {
    const { id } = await made(file.id, 'mine', 'will')
    const [hidden] = await platform.database.sql`SELECT id FROM documents WHERE parent_id = ${file.id}`
    for (const [operation, of] of [
      ['Document.Move', id],
      ['Document.Copy', id],
      ['Document.Copy', String(hidden?.id)],
      ['Document.CreateLiveProxy', id],
    ] as const) {
      const destination = operation === 'Document.CreateLiveProxy' ? 'Destination Path' : 'target'
      const params = { [destination]: folder.id }
      const asked = run(operation, { input: input({ id: of }), params, as: WRITER })
      await expect(asked).rejects.toThrow('A comment stays with what it is about')
    }
    expect(textsOf(await list(file.id))).toEqual(['mine'])
  })

  test('and its words are its author’s, whoever holds everything on the document', async () => {
    const { id } = await made(file.id, 'mine')
    const json = { 'entity-type': 'document', properties: { 'comment:text': 'forged' } }
    expect((await call('PUT', `/api/v1/id/${id}`, { user: 'olga', json })).status).toBe(403)
    expect(textsOf(await list(file.id))).toEqual(['mine'])
    expect((await call('DELETE', `/api/v1/id/${id}`, { user: 'olga' })).status).toBe(204)
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
