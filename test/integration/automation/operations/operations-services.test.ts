import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { setAcls } from '../../../../core/content/documents/index.js'
import type { Properties } from '../../../../core/model/properties/index.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  input,
  STRANGER,
} from '../../support/operations-support.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-actions-'))
await writeFile(
  join(folder, 'actions.yaml'),
  `actions:
  help: { categories: [USER_MENU], label: Help, help: Opens the manual, icon: help.png, link: /help, order: 20 }
  logout: { categories: [USER_MENU, FOOTER], order: 10, properties: { shortcut: q } }
  off: { categories: [USER_MENU], enabled: false }
  staff: { categories: [USER_MENU], groups: [staff] }
  edit: { categories: [DOC], permission: Write, order: 1 }
  view: { categories: [DOC], order: 2 }
  note: { categories: [DOC], types: [Note] }
  tag: { categories: [DOC], facets: [NXTag, Folderish] }
`,
)
const { platform, close, run, create } = await createOperationBench({ ARCHIVOLT_CONFIG: folder })
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true })
})

const answerOf = async (operation: string, call: Call): Promise<{ id: string }[]> => {
  const value = await run(operation, call)
  if (value.type !== 'blob') throw new Error(`Not a file: ${JSON.stringify(value)}`)
  expect(value.blob['mime-type']).toBe('application/json')
  return JSON.parse(await text(await platform.blobs.open(value.blob)))
}

const ids = async (call: Call): Promise<string[]> => (await answerOf('Actions.GET', call)).map(({ id }) => id)

describe('Actions.GET', () => {
  it('gives what a user interface shows, in order', async () => {
    expect(await answerOf('Actions.GET', { params: { category: 'USER_MENU', lang: 'fr' }, as: ANN })).toEqual(
      [
        { id: 'logout', link: null, icon: null, label: 'logout', help: null, properties: { shortcut: 'q' } },
        {
          id: 'help',
          link: '/help',
          icon: 'help.png',
          label: 'Help',
          help: 'Opens the manual',
          properties: {},
        },
      ],
    )
    expect(await ids({ params: { category: 'FOOTER' }, as: ANN })).toEqual(['logout'])
    expect(await ids({ params: { category: 'none' } })).toEqual([])
    expect(await ids({ params: { category: 'USER_MENU' }, as: { ...ANN, groups: ['staff'] } })).toContain(
      'staff',
    )
    expect(await ids({ params: { category: 'USER_MENU' } })).toContain('staff')
  })

  it('gives what fits a document and the rights on it', async () => {
    const file = await create('/default-domain/workspaces', 'File', 'file')
    const note = await create('/default-domain/workspaces', 'Note', 'note')
    await platform.withSession(ADMINISTRATOR, (session) =>
      setAcls(session, note, [
        { name: 'local', aces: [{ username: 'ann', permission: 'ReadWrite', granted: true }] },
      ]),
    )
    const on = (document: { id: string }, as = ANN) =>
      ids({ input: input(document), params: { category: 'DOC' }, as })
    expect(await on(file)).toEqual(['view', 'tag'])
    expect(await on(note)).toEqual(['edit', 'view', 'note'])
    expect(await on(file, ADMINISTRATOR)).toEqual(['edit', 'view', 'tag'])
    expect(await ids({ params: { category: 'DOC' }, as: ANN })).toEqual(['view'])
    await expect(on(file, STRANGER)).rejects.toMatchObject({ code: 'notFound' })
  })

  it('needs a category', async () => {
    await expect(run('Actions.GET')).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('category'),
    })
  })
})

it.each<[string | undefined, string[]]>([
  ['p', ['pdf']],
  ['XML', ['xmlExport']],
  ['zip', ['zipExport', 'zipTreeExport']],
  ['nothing', []],
  [' ', []],
  [undefined, []],
])('RenditionDefinition.Suggestion of %s gives %j', async (searchTerm, expected) => {
  const params: NonNullable<Call['params']> = searchTerm === undefined ? {} : { searchTerm }
  const found = await answerOf('RenditionDefinition.Suggestion', { params, as: ANN })
  expect(found).toEqual(expected.map((id) => ({ id, displayLabel: id })))
})

describe('Search.SuggestersLauncher', () => {
  const suggest = (searchTerm: string, as = ANN) =>
    answerOf('Search.SuggestersLauncher', { params: { searchTerm }, as })

  it('gives documents by title, users and groups, with what clients show of them', async () => {
    const { id } = await create('/default-domain', 'Folder', 'typed', { 'dc:title': 'Administering' })
    expect(await suggest('admin')).toEqual([
      {
        id,
        label: 'Administering',
        type: 'document',
        icon: '/icons/folder.gif',
        thumbnailUrl: expect.stringMatching(`/api/v1/id/${id}/@rendition/thumbnail$`),
        url: expect.stringMatching(`/ui/#!/doc/${id}$`),
      },
      expect.objectContaining({
        id: 'Administrator',
        type: 'user',
        icon: null,
        url: expect.stringMatching('/ui/#!/user/Administrator$'),
      }),
      expect.objectContaining({ id: 'administrators', label: 'Administrators group', type: 'group' }),
    ])
  })

  it('gives at most ten of a kind, of documents that the caller may browse', async () => {
    for (let n = 0; n < 12; n++)
      await create('/default-domain', 'Note', `bounded-${n}`, { 'dc:title': `bounded ${n}` })
    expect(await suggest('bounded')).toHaveLength(10)
    expect(await suggest('bounded', STRANGER)).toEqual([])
  })

  it('gives tags and saved searches that the caller may read', async () => {
    const { id } = await create('/default-domain', 'Note', 'tagged', { 'dc:title': 'a note' })
    await run('Services.TagDocument', { input: input({ id }), params: { tags: 'quarterly' } })
    const saved = await create('/default-domain', 'SavedSearch', 'saved', {
      'dc:title': 'Quarter_ly figures',
    })
    expect(await suggest('QUARTER')).toEqual([
      {
        ...{ id: 'quarterly', label: 'quarterly', type: 'tag', icon: null, thumbnailUrl: null },
        url: expect.stringMatching('/ui/#!/search/default\\?ecm_tags=%5B%22quarterly%22%5D$'),
      },
      {
        ...{ id: saved.id, label: 'Quarter_ly figures', type: 'savedSearch', icon: null, thumbnailUrl: null },
        url: expect.stringMatching(`/ui/#!/search/saved/${saved.id}$`),
      },
    ])
    expect(await suggest('quarter_')).toHaveLength(1)
    expect(await suggest('quarter', STRANGER)).toEqual([])
  })

  it.each(['', ' ', 'nothing\\'])('gives nothing for %j', async (term) => {
    expect(await suggest(term)).toEqual([])
  })
})

describe('Elasticsearch.WaitForIndexing', () => {
  it('is true when a query finds what was committed before', async () => {
    const calls: Properties[] = [{}, { timeoutSecond: '0', refresh: true, waitForAudit: true }]
    for (const params of calls) {
      const { id } = await create('/default-domain', 'Note', 'indexed', { 'note:note': 'aardvark' })
      expect(await run('Elasticsearch.WaitForIndexing', { params, as: STRANGER })).toEqual({
        type: 'boolean',
        value: true,
      })
      const query = "SELECT * FROM Note WHERE ecm:fulltext = 'aardvark'"
      expect(await run('Repository.Query', { params: { query } })).toMatchObject({
        ids: expect.arrayContaining([id]),
      })
    }
  })

  it('refuses a time that is past', async () => {
    await expect(
      run('Elasticsearch.WaitForIndexing', { params: { timeoutSecond: -1 } }),
    ).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('timeoutSecond') })
  })
})
