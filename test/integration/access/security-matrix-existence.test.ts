import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { enrichersByName } from '../../../api/rest/rendering/index.js'
import type { Answer, Call, Entity } from '../support/rest-client.js'
import { DOCUMENT_ROUTES, type Fixture, VERBS } from '../support/security-routes.js'
import {
  API,
  AUTOMATION,
  CLOSED,
  createSecurityBench,
  expectUndisclosed,
  grant,
  NOBODY_ELSE,
  OPEN,
  WORKSPACES,
  withoutReferences,
} from '../support/security-support.js'

const { call, fresh, make, next, protect, traces } = await createSecurityBench()

type Pair = { hidden: string; missing: string }

/** Documents of each kind that the stranger may not browse, by id. */
const kinds: { [kind: string]: Entity } = {}
const KINDS = ['file', 'folder', 'version', 'proxy', 'collection', 'comment', 'trashed', 'reply'] as const
let visible: Entity

const operate = async (
  id: string,
  input: string,
  params: object = {},
  user = 'Administrator',
): Promise<Entity> => {
  const answer = await call('POST', `${AUTOMATION}/${id}`, { json: { input: `doc:${input}`, params }, user })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.json
}

const remark = async (target: string): Promise<Entity> => {
  const json = { 'entity-type': 'comment', text: 'secret remark' }
  return (await call('POST', `${API}/id/${target}/@comment`, { json })).json
}

beforeAll(async () => {
  await call('PUT', `${API}/contributions/adapters/Plain`, {
    headers: { 'Content-Type': 'application/yaml' },
    body: 'type: File\nfields: {title: dc:title}\n',
  })
  for (const [name, body] of [
    ['schemas/linked', 'prefix: linked\nfields: {to: {type: string, resolver: document}}\n'],
    ['types/Linked', 'extends: File\nschemas: [linked]\n'],
  ] as const) {
    const answer = await call('PUT', `${API}/contributions/${name}`, {
      headers: { 'Content-Type': 'application/yaml' },
      body,
    })
    if (answer.status !== 201) throw new Error(answer.text)
  }
  kinds.file = await fresh()
  kinds.folder = await fresh('Folder')
  kinds.version = await operate('Document.CreateVersion', kinds.file.uid, { increment: 'Minor' }).then(() =>
    operate('Document.GetLastVersion', kinds.file.uid),
  )
  kinds.proxy = await operate('Document.CreateLiveProxy', kinds.file.uid, { 'Destination Path': CLOSED })
  kinds.collection = await make(CLOSED, 'collection', 'Collection')
  const comment = await remark(kinds.file.uid)
  kinds.comment = { uid: comment.id }
  kinds.reply = { uid: (await remark(comment.id)).id }
  kinds.trashed = await operate('Document.Trash', (await fresh()).uid)
  visible = await make(OPEN, 'visible')
})

const idPair = (kind: string): Pair => ({ hidden: kinds[kind].uid, missing: randomUUID() })
/** Of the same length, so that not even that reveals it. */
const pathPair = (kind: string): Pair => ({
  hidden: kinds[kind].path,
  missing: kinds[kind].path.replace('/closed/', '/nothin/'),
})

/** Both answers are the same, and refuse. */
const expectAlike = async (
  { hidden, missing }: Pair,
  ask: (reference: string) => Promise<Answer>,
  /** What of the reference is in an answer when it was not sent as it is. */
  nameOf = (reference: string): string => reference,
): Promise<Answer> => {
  const answer = await ask(hidden)
  expect(withoutReferences(answer, hidden, nameOf(hidden))).toEqual(
    withoutReferences(await ask(missing), missing, nameOf(missing)),
  )
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(200)
  expect(answer.status, answer.text).toBeLessThan(500)
  const text = [hidden, encodeURIComponent(hidden), nameOf(hidden)].reduce(
    (rest, sent) => rest.replaceAll(sent, ''),
    answer.text,
  )
  expectUndisclosed({ ...answer, text })
  return answer
}

const asStranger =
  (method: string, address: (reference: string) => string, more: Call = {}) =>
  (reference: string): Promise<Answer> =>
    call(method, address(reference), { ...more, user: 'stranger' })

const fixture = (): Fixture => ({
  document: kinds.file,
  comment: { id: kinds.comment.uid },
  annotation: { id: kinds.reply.uid },
  run: 'x',
  conversion: 'x',
  user: 'x',
  group: 'x',
  entry: 'x',
  chain: 'x',
})

describe('every route on a hidden document answers as if there were none', () => {
  const places = DOCUMENT_ROUTES.map((route) => ({
    route,
    name: route.at({ comment: { id: 'ID' }, annotation: { id: 'ID' } } as Fixture),
  }))

  test.each(places)('…$name', async ({ route }) => {
    const before = await traces()
    const suffix = route.at(fixture())
    for (const kind of [route.isFolder ? 'folder' : 'file'])
      for (const verb of VERBS) {
        const served = route.serves[verb === 'HEAD' ? 'GET' : (verb as 'GET')]
        const request = served?.request?.(fixture())
        for (const [pair, address] of [
          [idPair(kind), (ref: string) => `${API}/id/${ref}${suffix}`],
          [pathPair(kind), (ref: string) => `${API}/path${ref}${suffix}`],
        ] as const) {
          const answer = await expectAlike(pair, asStranger(verb, address, request))
          if (served) expect([verb, answer.status]).toEqual([verb, 404])
        }
      }
    expect(await traces()).toEqual(before)
  })

  test.each(KINDS)('a %s', async (kind) => {
    for (const verb of VERBS)
      for (const suffix of [
        '',
        '/@acl',
        '/@children',
        '/@comment',
        '/@blob/file:content',
        '/@op/Document.Lock',
      ])
        await expectAlike(
          idPair(kind),
          asStranger(verb, (ref) => `${API}/id/${ref}${suffix}`, {
            ...(verb !== 'GET' && verb !== 'HEAD' && { json: { 'entity-type': 'document', properties: {} } }),
          }),
        )
    for (const operation of [
      'Document.Fetch',
      'Document.GetParent',
      'Document.GetVersions',
      'Proxy.GetSourceDocument',
    ])
      await expectAlike(idPair(kind), (ref) =>
        call('POST', `${AUTOMATION}/${operation}`, {
          json: { input: `doc:${ref}`, params: { value: ref } },
          user: 'stranger',
        }),
      )
  })
})

const EVERYTHING = {
  'X-NXDocumentProperties': '*',
  'enrichers-document': [...enrichersByName.keys()].join(','),
  'fetch-document': 'properties,lock,versionLabel',
  depth: 'max',
}

describe('whatever else a request says', () => {
  test.each<[string, { [header: string]: string }]>([
    ['all enrichers', EVERYTHING],
    ['its repository', { 'X-NXRepository': 'default' }],
    ['another repository', { 'X-NXRepository': 'other' }],
    ['any version of it', { 'If-None-Match': '*' }],
    ['a version of it', { 'If-Match': '*' }],
    ['since when', { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['unless changed', { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['a part of it', { Range: 'bytes=0-1' }],
    ['a part beyond its end', { Range: 'bytes=100000-' }],
    ['another media type', { Accept: 'text/html' }],
    [
      'another method',
      { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE', 'X-HTTP-Method': 'PUT' },
    ],
    ['a version to be made', { 'X-Versioning-Option': 'MAJOR' }],
    [
      'another principal',
      { 'X-Forwarded-User': 'Administrator', NX_USER: 'Administrator', 'X-Remote-User': 'boss' },
    ],
    [
      'another address',
      { 'X-Original-URL': `${API}/path${CLOSED}`, 'X-Rewrite-URL': `${API}/path${CLOSED}` },
    ],
  ])('%s', async (_what, headers) => {
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const suffix of ['', '/@blob/file:content', '/@rendition/mainBlob']) {
        const more = { headers, ...(method === 'POST' && { json: {} }) }
        await expectAlike(
          idPair('file'),
          asStranger(method, (ref) => `${API}/id/${ref}${suffix}`, more),
        )
        await expectAlike(
          pathPair('file'),
          asStranger(method, (ref) => `${API}/path${ref}${suffix}`, more),
        )
      }
    for (const root of ['nxfile', 'nxbigfile'])
      for (const method of ['GET', 'HEAD'])
        await expectAlike(
          idPair('file'),
          asStranger(method, (ref) => `/${root}/default/${ref}/file:content/s.txt`, { headers }),
        )
  })

  test('the digest of a hidden file', async () => {
    const shown = await call('GET', `/nxfile/default/${kinds.file.uid}/file:content`)
    const etag = shown.headers.get('ETag') ?? ''
    expect(etag).not.toBe('')
    for (const headers of [
      { 'If-None-Match': etag },
      { 'If-Range': etag, Range: 'bytes=0-1' },
    ] as Call['headers'][])
      for (const address of [
        (ref: string) => `/nxfile/default/${ref}/file:content`,
        (ref: string) => `${API}/id/${ref}/@blob/file:content`,
      ]) {
        const answer = await expectAlike(idPair('file'), asStranger('GET', address, { headers: headers! }))
        expect(answer.status).toBe(404)
      }
  })

  test('no header makes another method of a request', async () => {
    const document = await fresh()
    for (const header of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      expect(
        (await call('GET', `${API}/id/${document.uid}?_method=DELETE`, { headers: { [header]: 'DELETE' } }))
          .status,
      ).toBe(200)
    expect((await call('GET', `${API}/id/${document.uid}`)).status).toBe(200)
  })
})

describe('however its address is spelt', () => {
  const escapedSlashes = (path: string): string => path.replaceAll('/', '%2F')
  test.each<[string, (path: string) => string]>([
    ['another root', (path) => `/nuxeo/site/api/v1/path${path}`],
    ['the oldest root', (path) => `/site/api/path${path}`],
    ['its repository', (path) => `${API}/repo/default/path${path}`],
    ['its repository in the query', (path) => `${API}/path${path}?nxrepository=default`],
    ['two repositories', (path) => `${API}/repo/default/path${path}?nxrepository=other`],
    ['doubled slashes', (path) => `${API}/path${path.replaceAll('/', '//')}`],
    ['a trailing slash', (path) => `${API}/path${path}/`],
    ['escaped slashes', (path) => `${API}/path/${escapedSlashes(path.slice(1))}`],
    ['a detour', (path) => `${API}/path${path.replace(WORKSPACES, `${OPEN}/..`)}`],
    ['an escaped detour', (path) => `${API}/path${path.replace(WORKSPACES, `${OPEN}/%2e%2e`)}`],
    ['a twice escaped detour', (path) => `${API}/path${path.replace(WORKSPACES, `${OPEN}/%252e%252e`)}`],
    [
      'a detour with an escaped slash',
      (path) => `${API}/path${path.replace(`${WORKSPACES}/`, `${OPEN}/..%2F`)}`,
    ],
    ['a parameter of a segment', (path) => `${API}/path${path};v=1`],
    ['a session in the path', (path) => `${API}/path${path};jsessionid=1/@acl`],
    ['an escaped letter', (path) => `${API}/path${path.replace('default-domain', 'default%2Ddomain')}`],
    ['a NUL at the end', (path) => `${API}/path${path}%00`],
    ['a backslash', (path) => `${API}/path${path.replace('/default', '\\default')}`],
    ['a space at the end', (path) => `${API}/path${path}%20`],
    ['a broken escape', (path) => `${API}/path${path}%`],
    ['an escaped adapter', (path) => `${API}/path${path}/%40acl`],
    ['no adapter', (path) => `${API}/path${path}/@`],
    ['an unknown adapter', (path) => `${API}/path${path}/@nothing`],
    ['below it', (path) => `${API}/path${path}/below`],
    ['a file by path', (path) => `/nxfile/default${path}/file:content`],
  ])('%s', async (_what, address) => {
    for (const kind of ['file', 'folder'])
      for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) {
        const answer = await expectAlike(pathPair(kind), asStranger(method, address), (path) =>
          path.slice(WORKSPACES.length),
        )
        if (method !== 'OPTIONS') expect(answer.status).toBeGreaterThanOrEqual(400)
      }
  })
})

describe('a hidden document that a request names beside its address', () => {
  const blobIn = (url: string): Call => ({
    json: {
      'entity-type': 'document',
      name: 'stolen',
      type: 'File',
      properties: { 'file:content': { name: 'x', data: `http://localhost${url}` } },
    },
  })

  test.each<[string, (ref: string) => Promise<Answer>]>([
    [
      'as the uid of a body',
      (ref) =>
        call('PUT', `${API}/id/${visible.uid}`, {
          json: { 'entity-type': 'document', uid: ref, properties: { 'dc:title': 'x' } },
          user: 'stranger',
        }),
    ],
    ...['/nxfile/default/REF/file:content', `${API}/id/REF/@blob/file:content`, '/nxbigfile/default/REF'].map(
      (url): [string, (ref: string) => Promise<Answer>] => [
        `as the file ${url}`,
        (ref) => call('POST', `${API}/path${OPEN}`, { ...blobIn(url.replace('REF', ref)), user: 'stranger' }),
      ],
    ),
    [
      'as the value of a reference',
      (ref) =>
        call('POST', `${API}/path${OPEN}`, {
          json: {
            'entity-type': 'document',
            name: 'linked',
            type: 'Linked',
            properties: { 'linked:to': ref },
          },
          user: 'stranger',
        }),
    ],
    [
      'as the parent of a comment',
      (ref) =>
        call('POST', `${API}/id/${visible.uid}/@comment`, {
          json: { 'entity-type': 'comment', text: 'x', parentId: ref },
          user: 'stranger',
        }),
    ],
    ['as a comment', (ref) => call('GET', `${API}/id/${visible.uid}/@comment/${ref}`, { user: 'stranger' })],
    [
      'as an annotation',
      (ref) => call('DELETE', `${API}/id/${visible.uid}/@annotation/${ref}`, { user: 'stranger' }),
    ],
    [
      'as a parameter of a page provider',
      (ref) =>
        call('GET', `${API}/search/pp/document_content/execute?queryParams=${ref}`, { user: 'stranger' }),
    ],
    ...[
      'ecm:uuid',
      'ecm:parentId',
      'ecm:ancestorId',
      'ecm:proxyTargetId',
      'ecm:proxyVersionableId',
      'ecm:versionVersionableId',
      'collectionMember:collectionIds/*',
      'collection:documentIds/*',
      'comment:parentId',
    ].map((property): [string, (ref: string) => Promise<Answer>] => [
      `as ${property} of a query`,
      (ref) =>
        call(
          'GET',
          `${API}/search/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE ${property} = '${ref}'`)}`,
          { user: 'stranger' },
        ),
    ]),
    [
      'as an input without its type',
      (ref) => call('POST', `${AUTOMATION}/Document.Lock`, { json: { input: ref }, user: 'stranger' }),
    ],
    [
      'in a variable that is restored as the input',
      (ref) =>
        call('POST', `${AUTOMATION}/Context.RestoreDocumentInput`, {
          json: { params: { name: 'kept' }, context: { kept: `doc:${ref}` } },
          user: 'stranger',
        }),
    ],
  ])('%s', async (_how, ask) => {
    for (const kind of KINDS) await expectAlike(idPair(kind), ask)
  })
})

describe('a visible document that points to hidden ones', () => {
  const shown = (path: string, headers: { [header: string]: string } = EVERYTHING): Promise<Answer> =>
    call('GET', path, { user: 'stranger', headers })

  test('below a hidden folder', async () => {
    const folder = await make(CLOSED, next('deep'), 'Folder')
    const document = await make(folder.path, 'seen', 'File', { 'dc:title': 'plain' })
    await protect(document.path, [grant('stranger', 'ReadWrite'), NOBODY_ELSE])
    const { json, text } = await shown(`${API}/id/${document.uid}`)
    expect(json.contextParameters.breadcrumb.entries.map(({ path }: Entity) => path)).toEqual(
      expect.not.arrayContaining([CLOSED, folder.path]),
    )
    expect(json.contextParameters.firstAccessibleAncestor?.path).not.toBe(folder.path)
    expect(text).not.toContain('secret title')
    const parent = await call('POST', `${AUTOMATION}/Document.GetParent`, {
      json: { input: `doc:${document.uid}` },
      user: 'stranger',
    })
    expect(parent.status).toBe(404)
    expectUndisclosed(parent)
    for (const operation of ['Document.Delete', 'Document.Trash', 'Document.Order']) {
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        json: { input: `doc:${document.uid}` },
        user: 'stranger',
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      expect(answer.text).not.toContain('secret title')
    }
  })

  test('a collection with hidden members, and a member of hidden collections', async () => {
    const collection = await make(OPEN, next('collection'), 'Collection')
    const list = async () =>
      await operate('Collection.GetDocumentsFromCollection', collection.uid, {}, 'stranger')
    const before = await list()
    await operate('Document.AddToCollection', kinds.file.uid, { collection: collection.uid })
    expect(await list()).toEqual(before)
    const member = await make(OPEN, next('member'))
    const asked = () => shown(`${API}/id/${member.uid}`, { 'enrichers-document': 'collections,favorites' })
    const { contextParameters } = (await asked()).json
    await operate('Document.AddToCollection', member.uid, { collection: kinds.collection.uid })
    expect((await asked()).json.contextParameters).toEqual(contextParameters)
  })

  test('a document that is published where the caller sees nothing, and a proxy of a hidden one', async () => {
    const published = await make(OPEN, next('published'))
    const asked = () => shown(`${API}/id/${published.uid}`, { 'enrichers-document': 'publications' })
    expect((await asked()).json.contextParameters.publications).toEqual({ resultsCount: 0 })
    await operate('Document.CreateLiveProxy', published.uid, { 'Destination Path': CLOSED })
    expect((await asked()).json.contextParameters.publications).toEqual({ resultsCount: 0 })
    const proxy = await operate('Document.CreateLiveProxy', kinds.file.uid, { 'Destination Path': OPEN })
    const source = await call('POST', `${AUTOMATION}/Proxy.GetSourceDocument`, {
      json: { input: `doc:${proxy.uid}` },
      user: 'stranger',
    })
    expect([source.status, source.text.includes('/closed/')]).toEqual([404, false])
    const { contextParameters } = (await shown(`${API}/id/${proxy.uid}`)).json
    expect(JSON.stringify(contextParameters)).not.toMatch(/workspaces\/closed/)
  })

  test('a reference to a hidden document is left as it is', async () => {
    const document = await make(OPEN, next('linked'), 'Linked', { 'linked:to': kinds.file.uid })
    const headers = { 'X-NXDocumentProperties': '*', 'fetch-document': 'linked:to' }
    const seen = await shown(`${API}/id/${document.uid}`, headers)
    expect(seen.json.properties['linked:to']).toBe(kinds.file.uid)
    const { json } = await call('GET', `${API}/id/${document.uid}`, { headers })
    expect(json.properties['linked:to']).toMatchObject({ 'entity-type': 'document', uid: kinds.file.uid })
  })

  test('how often a document is shown where the caller sees nothing is not revealed when it is removed', async () => {
    const answers: string[] = []
    for (const places of [1, 2]) {
      const document = await make(OPEN, next('shown'))
      for (let count = 0; count < places; count++)
        await operate('Document.CreateLiveProxy', document.uid, { 'Destination Path': CLOSED })
      const answer = await call('DELETE', `${API}/id/${document.uid}`, { user: 'stranger' })
      expect(answer.status).toBe(409)
      expectUndisclosed(answer)
      answers.push(answer.text.replaceAll(document.path, ''))
    }
    expect(answers[0]).toBe(answers[1])
  })

  test('what lies below hidden and keeps a folder from being removed is not named', async () => {
    const folder = await make(OPEN, next('kept'), 'Folder')
    const child = await make(folder.path, 'unnamed')
    await protect(child.path, [NOBODY_ELSE])
    for (const operation of ['Document.Delete', 'Document.Trash', 'Document.Move', 'Document.EmptyTrash']) {
      const answer = await call('POST', `${AUTOMATION}/${operation}`, {
        json: { input: `doc:${folder.uid}`, params: { target: WORKSPACES, parent: folder.uid } },
        user: 'stranger',
      })
      expect(answer.status, answer.text).toBeLessThan(500)
      expect(answer.text).not.toMatch(/unnamed|secret/)
      expect(answer.text).not.toContain(child.uid)
    }
    expect((await call('GET', `${API}/id/${child.uid}`)).json.isTrashed).toBe(false)
  })

  test('publishing where a hidden proxy shows the document makes another one', async () => {
    const document = await make(OPEN, next('published'))
    const section = await make(OPEN, next('section'), 'Folder')
    const hidden = await operate('Document.PublishToSection', document.uid, { target: section.uid })
    await protect(hidden.path, [NOBODY_ELSE])
    await operate('Document.Update', document.uid, { properties: 'dc:title=changed' })
    const made = await operate('Document.PublishToSection', document.uid, { target: section.uid }, 'stranger')
    expect(made.uid).not.toBe(hidden.uid)
    const { title, proxyTargetId } = (await call('GET', `${API}/id/${hidden.uid}`)).json
    expect({ title, proxyTargetId }).toEqual({ title: 'plain title', proxyTargetId: hidden.proxyTargetId })
  })

  test('a folder with hidden children', async () => {
    const folder = await make(OPEN, next('folder'), 'Folder')
    const ask = async () => {
      const { json } = await shown(`${API}/id/${folder.uid}`)
      return json.contextParameters
    }
    const before = await ask()
    const child = await make(folder.path, 'hidden', 'Folder')
    await protect(child.path, [NOBODY_ELSE])
    expect(await ask()).toEqual(before)
  })

  test('hidden comments on it', async () => {
    const document = await make(OPEN, next('commented'))
    const lists = async () => [
      (await shown(`${API}/id/${document.uid}/@comment`)).json,
      (await shown(`${API}/id/${document.uid}/@comment?pageSize=1`)).json,
    ]
    const before = await lists()
    const { id } = await remark(document.uid)
    await protect(id, [NOBODY_ELSE])
    expect(await lists()).toEqual(before)
  })
})
