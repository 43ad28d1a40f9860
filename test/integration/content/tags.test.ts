import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createDocument, setAcls } from '../../../core/content/documents/index.js'
import { addTags, suggestTags } from '../../../core/content/tags/index.js'
import { checkIn } from '../../../core/content/versioning/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import {
  createCollaborationBench,
  eventsOf,
  NOBODY,
  READER,
  refused,
  WORKSPACES,
  WRITER,
} from '../support/collaboration-support.js'
import { ADMINISTRATOR, documentOf, input, inputs } from '../support/operations-support.js'
import { createTestPlatform } from '../support/rest-support.js'

const bench = await createCollaborationBench('tags')
const { run, call, platform } = bench

let file: DocumentRecord

beforeEach(async () => {
  const folder = await bench.folder()
  file = await bench.create(folder.id, 'File', 'file')
})

const tag = (document: DocumentRecord, tags: unknown, as = ADMINISTRATOR) =>
  run('Services.TagDocument', { input: input(document), params: { tags: tags as string }, as })
const untag = (document: DocumentRecord, tags: string, as = ADMINISTRATOR) =>
  run('Services.UntagDocument', { input: input(document), params: { tags }, as })
const shown = async (document: DocumentRecord) =>
  (await call('GET', `/api/v1/id/${document.id}`, { headers: { 'enrichers-document': 'tags' } })).json
const tagsOf = async (document: DocumentRecord) => (await shown(document)).contextParameters.tags

describe('Services.TagDocument', () => {
  test.each([
    ['comma text', 'News,Old News,,news', ['news', 'oldnews']],
    ['a list', ['B', 'a/b', ''], ['ab', 'b']],
  ])('puts tags of %s on a document', async (_kind, tags, expected) => {
    await tag(file, tags)
    expect(await tagsOf(file)).toEqual(expected)
  })

  test('keeps who brought a tag first', async () => {
    await tag(file, 'shared', READER)
    await tag(file, 'shared,own', WRITER)
    expect((await bench.read(file.id)).properties['nxtag:tags']).toEqual([
      { label: 'shared', username: 'rita' },
      { label: 'own', username: 'will' },
    ])
  })

  test('takes a thousand for a document and no more', async () => {
    const labels = Array.from({ length: 1_000 }, (_, index) => `t${index}`)
    await tag(file, labels)
    await expect(tag(file, 'one-more')).rejects.toEqual(
      refused('badRequest', /tags: a document has 1000 at most/),
    )
    await tag(file, 't1,t2')
    expect(await tagsOf(file)).toHaveLength(1_000)
  })

  test('reaches each document of a list', async () => {
    const other = await bench.create(file.parentId as string, 'File', 'other')
    await run('Services.TagDocument', { input: inputs(file, other), params: { tags: 'both' } })
    expect([await tagsOf(file), await tagsOf(other)]).toEqual([['both'], ['both']])
  })

  test('is a note: no version, no modification, the same changeToken, one event of its own', async () => {
    const checkedIn = await platform.withSession(
      ADMINISTRATOR,
      async (session) => (await checkIn(session, file, { increment: 'MINOR' })).document,
    )
    await tag(file, 'quiet', READER)
    await tag(file, 'quiet', READER)
    const after = await bench.read(file.id)
    expect(after).toMatchObject({
      isCheckedIn: true,
      userToken: checkedIn.userToken,
      properties: {
        'dc:modified': checkedIn.properties['dc:modified'],
        'dc:contributors': checkedIn.properties['dc:contributors'],
      },
    })
    const events = (await eventsOf(platform, file.id)).filter(({ event }) => event !== 'documentCheckedIn')
    expect(events.map(({ event, principal }) => [event, principal])).toEqual([
      ['documentCreated', 'Administrator'],
      ['documentTagUpdated', 'rita'],
    ])
  })

  test('gives the facet to documents whose type lacks it', async () => {
    const note = await bench.create(file.parentId as string, 'Note', 'note')
    await tag(note, 'noted')
    expect(await shown(note)).toMatchObject({
      facets: expect.arrayContaining(['NXTag']),
      contextParameters: { tags: ['noted'] },
    })
  })

  test.each([
    ['a tag of which nothing is left', 'good,%', /'%' has no character/],
    ['no tag at all', ',', /at least one tag/],
  ])('refuses %s, and writes nothing', async (_kind, tags, message) => {
    await expect(tag(file, tags)).rejects.toEqual(refused('badRequest', message))
    expect(await tagsOf(file)).toEqual([])
  })

  test('is refused on a proxy, which shows the tags of its target', async () => {
    await tag(file, 'published')
    const section = await bench.section()
    const proxy = await run('Document.PublishToSection', {
      input: input(file),
      params: { target: section.id },
    })
    const document = documentOf(proxy)
    expect(await tagsOf(document)).toEqual(['published'])
    await expect(tag(document, 'more')).rejects.toEqual(refused('badRequest', /is a proxy/))
    await expect(untag(document, 'published')).rejects.toEqual(refused('badRequest', /is a proxy/))
  })

  test('discloses nothing of a document that is hidden', async () => {
    await expect(tag(file, 'spy', NOBODY)).rejects.toEqual(refused('notFound', new RegExp(file.id)))
  })

  test('loses nothing when many tag at once', async () => {
    const labels = Array.from({ length: 12 }, (_, index) => `t${index}`)
    await Promise.all(labels.map((label) => tag(file, label)))
    expect((await tagsOf(file)).sort()).toEqual([...labels].sort())
  })
})

describe('taking tags away', () => {
  beforeEach(async () => {
    await tag(file, 'mine', READER)
    await tag(file, 'theirs', WRITER)
  })

  test('one may take own tags, which needs no right to write', async () => {
    await untag(file, 'Mine,unknown', READER)
    expect(await tagsOf(file)).toEqual(['theirs'])
  })

  test('one may not take those of others, and then nothing is taken', async () => {
    await expect(untag(file, 'mine,theirs', READER)).rejects.toEqual(refused('forbidden', /'theirs'/))
    await expect(run('Services.RemoveDocumentTags', { input: input(file), as: READER })).rejects.toEqual(
      refused('forbidden', /'theirs'/),
    )
    expect(await tagsOf(file)).toEqual(['mine', 'theirs'])
  })

  test('who may write takes any', async () => {
    await untag(file, 'mine', WRITER)
    expect(await tagsOf(file)).toEqual(['theirs'])
    await run('Services.RemoveDocumentTags', { input: input(file), as: WRITER })
    expect(await tagsOf(file)).toEqual([])
  })
})

describe('Tag.Suggestion', () => {
  const suggest = async (params: Record<string, string>, user = 'Administrator') => {
    const answer = await run('Tag.Suggestion', {
      params,
      as: user === 'Administrator' ? ADMINISTRATOR : user === 'nick' ? NOBODY : READER,
    })
    if (answer.type !== 'blob') throw new Error(answer.type)
    expect(answer.blob['mime-type']).toBe('application/json')
    const stream = await platform.blobs.open(answer.blob)
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return JSON.parse(Buffer.concat(chunks).toString())
  }

  test('gives ten labels that begin so, in order, each once', async () => {
    await tag(file, 'sugar,suggest,su_x')
    const many = Array.from({ length: 12 }, (_, index) => `many${String(index).padStart(2, '0')}`)
    await tag(file, many)
    const other = await bench.create(file.parentId as string, 'File', 'other')
    await tag(other, 'sugar')
    expect(await suggest({ searchTerm: 'SUG' })).toEqual([
      { id: 'sugar', displayLabel: 'sugar' },
      { id: 'suggest', displayLabel: 'suggest' },
    ])
    expect((await suggest({ searchTerm: 'many' })).map(({ id }: { id: string }) => id)).toEqual(
      many.slice(0, 10),
    )
    expect(await suggest({ searchTerm: 'nothing-like-it' })).toEqual([])
  })

  test('keeps labels of hidden documents to itself', async () => {
    await tag(file, 'secretlabel')
    expect(await suggest({ searchTerm: 'secretl' }, 'rita')).toHaveLength(1)
    expect(await suggest({ searchTerm: 'secretl' }, 'nick')).toEqual([])
  })

  test('keeps labels of documents to itself that one may browse and not read', async () => {
    await tag(file, 'browsedlabel')
    await platform.withSession(ADMINISTRATOR, (session) =>
      setAcls(session, file, [
        { name: 'local', aces: [{ username: 'nick', permission: 'Browse', granted: true }] },
      ]),
    )
    expect(await suggest({ searchTerm: 'browsedl' }, 'nick')).toEqual([])
    expect(await suggest({ searchTerm: 'browsedl' }, 'rita')).toHaveLength(1)
  })

  test('keeps labels of documents to itself that a security policy hides', async () => {
    const config = mkdtempSync(join(tmpdir(), 'archivolt-policies-'))
    afterAll(() => rmSync(config, { recursive: true, force: true }))
    writeFileSync(
      join(config, 'policies.yaml'),
      'securityPolicies:\n  noNotes: { decision: deny, permissions: [Read], when: { types: [Note] } }\n',
    )
    const other = await createTestPlatform({ ARCHIVOLT_CONFIG: config })
    const suggestions = await other.withSession(ADMINISTRATOR, async (session) => {
      for (const [type, tags] of [
        ['File', ['x_shown', 'xyshown']],
        ['Note', ['x_hidden', 'x_shown']],
      ] as const) {
        const document = await createDocument(session, { parent: WORKSPACES, name: type, type })
        await addTags(session, document, tags)
      }
      return [
        await suggestTags({ ...session, principal: READER }, 'x_'),
        await suggestTags({ ...session, principal: READER }, ''),
        await suggestTags(session, 'x_'),
      ]
    })
    expect(suggestions).toEqual([['x_shown'], ['x_shown', 'xyshown'], ['x_hidden', 'x_shown']])
  })

  test('gives chosen values back', async () => {
    expect(await suggest({ value: 'one,two' })).toEqual([
      { id: 'one', displayLabel: 'one' },
      { id: 'two', displayLabel: 'two' },
    ])
  })
})
