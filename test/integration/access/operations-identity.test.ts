import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { principalOf } from '../../../core/access/security/index.js'
import type { ChainStep, Value } from '../../../core/automation/language/index.js'
import { setAcls } from '../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createIdentityStore } from '../../../storage/postgres/index.js'
import { TEST_HASH } from '../../support/index.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  documentOf,
  input,
} from '../support/operations-support.js'
import { addUser } from '../support/rest-client.js'

const { platform, close, run, chain, create } = await createOperationBench()
const store = createIdentityStore(platform.database.sql)
const POWER = principalOf('power', ['powerusers', 'members'], false)

afterAll(close)

const jsonOf = async (value: Value): Promise<unknown> => {
  if (value.type !== 'blob') throw new Error(`Not a file: ${JSON.stringify(value)}`)
  return JSON.parse(await text(await platform.blobs.open(value.blob)))
}

// The tests look into answers as clients do.
// biome-ignore lint/suspicious/noExplicitAny: see above
const answerOf = async (operation: string, params: object, call: Call = {}): Promise<any> =>
  jsonOf(await run(operation, { ...call, params: params as NonNullable<Call['params']> }))

/** What an operation has put into the variable `v`. */
const variableAfter = async (
  operation: string,
  params: object,
  document: DocumentRecord,
): Promise<unknown> => {
  const value = await chain(
    [
      { operation, params: params as ChainStep['params'] },
      { operation: 'Document.SetProperty', params: { xpath: 'dc:source', value: 'expr:JSON.stringify(v)' } },
    ],
    { input: input(document) },
  )
  return JSON.parse(String(documentOf(value).properties['dc:source']))
}

beforeAll(async () => {
  await addUser(platform, 'ann', [])
  await addUser(platform, 'power', ['powerusers'])
  await store.updateUser('ann', { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' })
})

describe('reading directories', () => {
  test('entries, in a language', async () => {
    const params = { directoryName: 'l10nsubjects', translateLabels: true, lang: 'fr' }
    const all = await answerOf('Directory.Entries', params)
    expect(all).toHaveLength(73)
    expect(all.find(({ id }: { id: string }) => id === 'cinema')).toMatchObject({
      label: 'Cinéma',
      parent: 'art',
    })
    const some = await answerOf('Directory.ReadEntries', {
      directoryName: 'nature',
      entries: '["memo", "nothing", "form"]',
    })
    expect(some).toEqual([
      { id: 'memo', label: 'label.directories.nature.memo', obsolete: 0, ordering: 10000000 },
      { id: 'form', label: 'label.directories.nature.form', obsolete: 0, ordering: 10000000 },
    ])
  })

  test.each<[string, object, string]>([
    ['Directory.Entries', { directoryName: 'nowhere' }, 'notFound'],
    ['Directory.ReadEntries', { directoryName: 'nature', entries: 'memo' }, 'badRequest'],
    ['Directory.ReadEntries', { directoryName: 'nature', entries: '{}' }, 'badRequest'],
    ['Directory.ReadEntries', { directoryName: 'nature', entries: '[{}]' }, 'badRequest'],
    ['Directory.Projection', { directoryName: 'nowhere', columnName: 'id', variableName: 'v' }, 'notFound'],
    ['Directory.Projection', { directoryName: 'nature', columnName: 'x', variableName: 'v' }, 'badRequest'],
    ['Directory.Projection', { directoryName: 'nature', columnName: 'id', variableName: ' ' }, 'badRequest'],
    [
      'Directory.Projection',
      { directoryName: 'nature', columnName: 'id', variableName: 'v', filters: 'nothing=x' },
      'badRequest',
    ],
    [
      'Directory.Projection',
      { directoryName: 'nature', columnName: 'id', variableName: 'v', filters: 'ordering=many' },
      'badRequest',
    ],
    [
      'Directory.Projection',
      { directoryName: 'nature', columnName: 'id', variableName: 'v', fulltextFields: 'nothing' },
      'badRequest',
    ],
    ['Directory.SuggestEntries', { directoryName: 'nature', labelFieldName: 'name' }, 'badRequest'],
    ['Directory.SuggestEntries', { directoryName: 'nature', keySeparator: '/'.repeat(101) }, 'badRequest'],
  ])('%s %j is refused', async (operation, params, code) => {
    await expect(run(operation, { params: params as NonNullable<Call['params']> })).rejects.toMatchObject({
      code,
    })
  })
})

describe('Directory.Projection', () => {
  const column = async (params: object): Promise<unknown> =>
    variableAfter(
      'Directory.Projection',
      { variableName: 'v', ...params },
      await create('/', 'File', 'scratch'),
    )

  test.each<[string, object, readonly unknown[]]>([
    [
      'all values',
      { directoryName: 'topic', columnName: 'id' },
      ['art', 'business', 'society', 'sciences', 'technology', 'daily_life'],
    ],
    [
      'of one filter',
      { directoryName: 'country', columnName: 'label', filters: 'parent=antarctica' },
      [
        'Antarctica',
        'Bouvet Island',
        'French Southern Territories',
        'Heard & McDonald Islands',
        'South Georgia & South Sandwich Islands',
      ],
    ],
    [
      'of two filters',
      { directoryName: 'country', columnName: 'id', filters: 'parent=europe\nlabel=France' },
      ['France'],
    ],
    ['exactly', { directoryName: 'country', columnName: 'id', filters: 'label=Fran' }, []],
    [
      'by the beginning',
      { directoryName: 'country', columnName: 'id', filters: 'label=fran', fulltextFields: 'label' },
      ['France'],
    ],
    [
      'in the type of the field',
      { directoryName: 'topic', columnName: 'id', filters: 'ordering=20' },
      ['business'],
    ],
    ['of numbers', { directoryName: 'topic', columnName: 'ordering', filters: { id: 'business' } }, [20]],
    [
      'without what is absent',
      { directoryName: 'l10nsubjects', columnName: 'parent', filters: 'id=art' },
      [],
    ],
  ])('%s', async (_case, params, expected) => {
    expect(await column(params)).toEqual(expected)
  })

  test('a value goes on in the next line after a backslash', async () => {
    await run('Directory.CreateEntries', {
      params: { directoryName: 'nature', entries: JSON.stringify([{ id: 'two', label: 'one\ntwo' }]) },
    })
    expect(await column({ directoryName: 'nature', columnName: 'id', filters: 'label=one\\\ntwo' })).toEqual([
      'two',
    ])
  })

  test('keeps its input', async () => {
    const document = await create('/', 'File', 'kept')
    const value = await run('Directory.Projection', {
      input: input(document),
      params: { directoryName: 'topic', columnName: 'id', variableName: 'v' },
    })
    expect(value).toMatchObject({ type: 'document', id: document.id })
  })
})

describe('Directory.SuggestEntries', () => {
  const suggest = (params: object) => answerOf('Directory.SuggestEntries', params, { as: ANN })

  test('a flat vocabulary, by the beginning of labels', async () => {
    expect(await suggest({ directoryName: 'nature', prefix: 'AR' })).toEqual([
      {
        id: 'article',
        label: 'Article',
        obsolete: 0,
        ordering: 10000000,
        displayLabel: 'Article',
        directoryName: 'nature',
        properties: { id: 'article', label: 'Article', obsolete: 0, ordering: 10000000 },
        'entity-type': 'directoryEntry',
      },
    ])
    const labels = async (params: object) =>
      (await suggest({ directoryName: 'nature', ...params })).map(({ id }: { id: string }) => id)
    expect(await labels({ searchTerm: 'ORIAL' })).toEqual([])
    expect(await labels({ searchTerm: 'ORIAL', contains: true })).toEqual(['tutorial'])
    expect(await labels({ searchTerm: 'ORIAL', contains: true, caseSensitive: true })).toEqual([])
  })

  test('a hierarchy in two directories', async () => {
    const found = await suggest({ directoryName: 'country', searchTerm: 'franc' })
    expect(found).toMatchObject([
      {
        id: 'europe',
        directoryName: 'continent',
        children: [{ id: 'France', computedId: 'europe/France', absoluteLabel: 'Europe/France' }],
      },
    ])
    expect(found[0].children).toHaveLength(1)
  })

  test('a hierarchy in itself, in a language', async () => {
    const params = {
      directoryName: 'l10nsubjects',
      dbl10n: true,
      lang: 'fr',
      searchTerm: 'théâ',
      keySeparator: '>',
    }
    expect(await suggest(params)).toMatchObject([
      {
        id: 'art',
        displayLabel: 'Art et culture',
        children: [{ displayLabel: 'Théâtre', computedId: 'art>theater' }],
      },
    ])
    expect(await suggest({ directoryName: 'l10nsubjects', searchTerm: 'daily' })).toEqual([])
    expect(
      await suggest({ directoryName: 'l10nsubjects', searchTerm: 'daily', canSelectParent: true }),
    ).toMatchObject([{ id: 'daily_life', computedId: 'daily_life' }])
    const [all] = await suggest({ directoryName: 'l10nsubjects', searchTerm: 'daily', filterParent: true })
    expect(all.children).toHaveLength(10)
  })

  test('obsolete entries only when asked, and nothing of a directory that is not there', async () => {
    const params = { directoryName: 'nature', entries: '["plan"]', markObsolete: true }
    expect(await answerOf('Directory.DeleteEntries', params)).toEqual(['plan'])
    const ids = async (more: object) =>
      (await suggest({ directoryName: 'nature', searchTerm: 'plan', ...more })).map(
        ({ id }: { id: string }) => id,
      )
    expect(await ids({})).toEqual([])
    expect(await ids({ displayObsoleteEntries: true })).toEqual(['plan'])
    expect(await run('Directory.SuggestEntries', { params: { directoryName: 'nowhere' } })).toEqual({
      type: 'void',
    })
  })
})

describe('writing directories', () => {
  test('all entries or none', async () => {
    const write = (operation: string, entries: unknown) =>
      answerOf(operation, { directoryName: 'nature', entries: JSON.stringify(entries) }, { as: POWER })
    expect(await write('Directory.CreateEntries', [{ id: 'n1', label: 'N1' }, { id: 'n2' }])).toEqual([
      'n1',
      'n2',
    ])
    await expect(write('Directory.CreateEntries', [{ id: 'n3' }, { id: 'n1' }])).rejects.toMatchObject({
      code: 'conflict',
    })
    const read = () =>
      answerOf('Directory.ReadEntries', { directoryName: 'nature', entries: '["n1","n2","n3"]' })
    expect((await read()).map(({ id }: { id: string }) => id)).toEqual(['n1', 'n2'])
    expect(
      await write('Directory.UpdateEntries', [
        { id: 'n2', label: 'Two' },
        { id: 'n3', label: 'x' },
      ]),
    ).toEqual(['n2'])
    expect((await read())[1].label).toBe('Two')
    expect(await write('Directory.DeleteEntries', ['n1', 'n2', 'n3'])).toEqual(['n1', 'n2'])
    expect(await read()).toEqual([])
  })

  test('one entry of a vocabulary, unless it is there', async () => {
    const add = (params: object) =>
      run('Directory.CreateVocabularyEntry', { params: { vocabularyName: 'country', ...params } as never })
    await add({ id: 'Atlantis', parent: 'oceania', ordering: 5 })
    await add({ id: 'Atlantis', label: 'other' })
    await add({ id: ' ' })
    const [entry] = await answerOf('Directory.ReadEntries', {
      directoryName: 'country',
      entries: '["Atlantis"]',
    })
    expect(entry).toEqual({ id: 'Atlantis', label: 'Atlantis', parent: 'oceania', obsolete: 0, ordering: 5 })
  })

  test.each<[string, object]>([
    ['Directory.CreateEntries', { directoryName: 'nature', entries: '[{"id":"x"}]' }],
    ['Directory.UpdateEntries', { directoryName: 'nature', entries: '[{"id":"form"}]' }],
    ['Directory.DeleteEntries', { directoryName: 'nature', entries: '["form"]' }],
    ['Directory.CreateVocabularyEntry', { vocabularyName: 'nature', id: 'x' }],
    ['User.CreateOrUpdate', { username: 'x' }],
    ['Group.CreateOrUpdate', { groupname: 'x' }],
    ['User.Get', { login: 'power' }],
  ])('%s is not for everybody', async (operation, params) => {
    const call = { params: params as NonNullable<Call['params']>, as: ANN }
    await expect(run(operation, call)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('users and groups', () => {
  test('are created or updated by the mode', async () => {
    const user = (params: object) => run('User.CreateOrUpdate', { params: params as never })
    const group = (params: object) => run('Group.CreateOrUpdate', { params: params as never })
    await group({ groupname: 'ops', grouplabel: 'Operations' })
    await user({ username: 'opal', firstName: 'Opal', groups: 'ops', password: 'secret' })
    expect(await store.user('opal')).toMatchObject({
      firstName: 'Opal',
      passwordHash: expect.stringContaining(TEST_HASH),
    })
    await user({ username: 'opal', lastName: 'Stone' })
    expect(await store.user('opal')).toMatchObject({ firstName: 'Opal', lastName: 'Stone' })
    expect(await store.directGroupsOf('opal')).toEqual(['ops'])
    await expect(user({ username: 'opal', mode: 'create' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(user({ username: 'ruby', mode: 'update' })).rejects.toMatchObject({ code: 'notFound' })
    await expect(user({ username: 'ruby', mode: 'other' })).rejects.toMatchObject({ code: 'badRequest' })
    await group({ groupname: 'ops', members: 'ann, opal', parentGroups: 'powerusers' })
    expect((await store.members('ops', 'user')).entries).toEqual(['ann', 'opal'])
    expect(await store.groupsOf('ann')).toEqual(['ops', 'powerusers'])
    await group({ groupname: 'ops', parentGroups: [] })
    expect(await store.groupsOf('ann')).toEqual(['ops'])
    await expect(group({ groupname: 'ops', mode: 'create' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(group({ groupname: 'sops', mode: 'update' })).rejects.toMatchObject({ code: 'notFound' })
  })

  test('a user, in the shape of a document', async () => {
    const own = await run('User.Get', { as: ANN })
    expect(own).toMatchObject({
      type: 'json',
      value: {
        'entity-type': 'document',
        uid: 'ann',
        title: 'Ann Lee',
        properties: { 'user:username': 'ann', 'user:email': 'ann@example.com' },
      },
    })
    expect(JSON.stringify(own)).not.toMatch(/password|scrypt/)
    expect(await run('User.Get', { params: { login: 'ann' }, as: POWER })).toMatchObject({
      value: { uid: 'ann' },
    })
  })

  test('users are found by a text or by values', async () => {
    const query = async (params: object) =>
      (await answerOf('User.Query', params)).users.map(({ username }: { username: string }) => username)
    expect(await query({ pattern: 'lee' })).toEqual(['ann'])
    expect(await query({ firstName: 'an', lastName: 'l' })).toEqual(['ann'])
    expect(await query({ firstName: 'an', lastName: 'x' })).toEqual([])
    expect(await query({})).toContain('Administrator')
    expect(JSON.stringify(await answerOf('User.Query', {}))).not.toMatch(/password|scrypt/)
  })

  test('are suggested', async () => {
    const suggest = (params: object) => answerOf('UserGroup.Suggestion', params, { as: ANN })
    expect(await suggest({ searchTerm: 'lee' })).toEqual([
      {
        username: 'ann',
        firstName: 'Ann',
        lastName: 'Lee',
        company: null,
        email: 'ann@example.com',
        groups: ['ops'],
        'entity-type': 'user',
        id: 'ann',
        displayLabel: 'Ann Lee',
        type: 'USER_TYPE',
        prefixed_id: 'user:ann',
        displayIcon: true,
      },
    ])
    const ids = async (params: object) =>
      (await suggest(params)).map(({ prefixed_id: id }: { prefixed_id: string }) => id)
    expect(await ids({ searchTerm: 'power' })).toEqual(['user:power', 'group:powerusers'])
    expect(await ids({ prefix: 'power', searchType: 'USER_TYPE' })).toEqual(['user:power'])
    expect(await ids({ searchTerm: 'power', searchType: 'GROUP_TYPE' })).toEqual(['group:powerusers'])
    expect(await ids({ searchTerm: '', searchType: 'USER_TYPE', groupRestriction: 'ops' })).toEqual([
      'user:ann',
      'user:opal',
    ])
    const [shown] = await suggest({
      searchTerm: 'lee',
      hideFirstLabel: true,
      displayEmailInSuggestion: true,
      hideIcon: true,
    })
    expect([shown.displayLabel, shown.displayIcon]).toEqual(['Lee ann@example.com', undefined])
    expect(await suggest({ userSuggestionMaxSearchResults: 1 })).toEqual([
      { warn_message: expect.any(String) },
    ])
  })

  test('those who hold a permission', async () => {
    const document = await create('/', 'File', 'held')
    await platform.withSession(ADMINISTRATOR, async (session) => {
      await setAcls(session, document, [
        {
          name: 'local',
          aces: [
            { username: 'power', permission: 'Read', granted: false },
            { username: 'ann', permission: 'ReadWrite', granted: true },
            { username: 'ops', permission: 'Read', granted: true },
            { username: 'powerusers', permission: 'Write', granted: true },
            { username: 'Everyone', permission: 'Everything', granted: false },
          ],
        },
      ])
    })
    const holders = async (more: object, operation = 'Context.GetUsersGroupIdsWithPermissionOnDoc') =>
      variableAfter(operation, { permission: 'Read', 'variable name': 'v', ...more }, document)
    expect(await holders({})).toEqual(['ann', 'ops'])
    expect(await holders({ permission: 'WriteProperties', 'prefix identifiers': true })).toEqual([
      'user:ann',
      'group:powerusers',
    ])
    expect(await holders({ 'ignore groups': true })).toEqual(['ann'])
    expect(await holders({ 'resolve groups': true })).toEqual(['ann', 'opal'])
    expect(await holders({}, 'Context.GetEmailsWithPermissionOnDoc')).toEqual(['ann@example.com'])
    await expect(holders({ permission: 'Nothing' })).rejects.toMatchObject({ code: 'badRequest' })
  })
})
