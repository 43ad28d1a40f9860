import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Principal } from '../../../core/access/security/index.js'
import type { Value } from '../../../core/automation/language/index.js'
import { getAcls, getDocument, setAcls } from '../../../core/content/documents/index.js'
import { importArchive } from '../../../core/content/import/index.js'
import { followTransition } from '../../../core/content/lifecycle/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import type {
  BlobValue,
  DocumentRecord,
  Properties,
  PropertyValue,
} from '../../../core/model/properties/index.js'
import { zipOf } from '../../../core/platform/archives/index.js'
import { ADMINISTRATOR, ANN, createOperationBench, documentOf, input } from '../support/operations-support.js'

const { platform, close, run, read, create, workspace } = await createOperationBench()
afterAll(close)

let from: DocumentRecord
let to: DocumentRecord

beforeEach(async () => {
  from = await workspace()
  to = await workspace()
})

const stored = async (content: string | Buffer, name: string): Promise<BlobValue> =>
  createBlobValue({ stored: await platform.blobs.write(Buffer.from(content)), name })

const zipped = async (entries: [name: string, content: string][]): Promise<BlobValue> => {
  const named = entries.map(([name, content]) => ({
    name,
    length: Buffer.byteLength(content),
    open: async function* () {
      yield Buffer.from(content)
    },
  }))
  return createBlobValue({ stored: await platform.blobs.write(zipOf(named)), name: 'a.zip' })
}

const MARK: [string, string] = ['.nuxeo-archive', '']

const xmlOf = (type: string, { id = '', system = '', schemas = '' } = {}) =>
  `<document id="${id}"><system><type>${type}</type>${system}</system>${schemas}</document>`

const archive = (xml: string, at = 'a') => zipped([MARK, [`${at}/`, ''], [`${at}/document.xml`, xml]])

type Answer = {
  root: string
  created: number
  updated: number
  ids: { [id: string]: string }
  warnings: string[]
}

const fileOf = (value: Value): BlobValue => {
  if (value.type === 'blob') return value.blob
  throw new Error(`Not a file: ${JSON.stringify(value)}`)
}

const importing = async (
  blob: BlobValue,
  {
    as = ADMINISTRATOR,
    target = to,
    params = {},
  }: { as?: Principal; target?: DocumentRecord; params?: Properties } = {},
): Promise<Answer> => {
  const file: Value = { type: 'blob', blob }
  const answer = fileOf(
    await run('Document.Import', { input: file, params: { target: target.id, ...params }, as }),
  )
  return JSON.parse(await text(await platform.blobs.open(answer)))
}

const exporting = async (document: DocumentRecord): Promise<BlobValue> =>
  fileOf(
    await run('Document.Export', {
      input: input(document),
      params: { exportAsTree: true, exportAsZip: true },
    }),
  )

const granting = (document: DocumentRecord, username: string, permission: string) =>
  platform.withSession(ADMINISTRATOR, async (session) =>
    setAcls(session, await getDocument(session, document.id), [
      { name: 'local', aces: [{ username, permission, granted: true }] },
    ]),
  )

const aclsOf = async (id: string) => {
  const session = platform.readSession(ADMINISTRATOR)
  return getAcls(session, await getDocument(session, id))
}

describe('what an export writes', () => {
  test('is read back: tree, values, files, states and local rights', async () => {
    const folder = await create(from.path!, 'Folder', 'tree', { 'dc:title': 'The tree' })
    const properties = {
      'dc:title': ' A <b> & "c" ]]> é ',
      'dc:subjects': ['art', 'law'],
      'dc:issued': '2015-07-01T00:00:00.000Z',
      'file:content': await stored('the file', 'a & b.txt'),
      'files:files': [{ file: await stored('another', 'b.txt') }],
      'relatedtext:relatedtextresources': [{ relatedtextid: 'r', relatedtext: 'text' }],
    }
    const file = await create(folder.path!, 'File', 'file', properties)
    const note = await create(folder.path!, 'Note', 'note', { 'note:note': 'line one\n  line two\n' })
    await run('Document.AddFacet', { input: input(note), params: { facet: 'HiddenInNavigation' } })
    await platform.withSession(ADMINISTRATOR, async (session) => {
      await followTransition(session, await getDocument(session, note.id), 'approve')
      await setAcls(session, await getDocument(session, folder.id), [
        { name: 'local', aces: [{ username: 'ann', permission: 'Read', granted: true }] },
        { name: 'other', aces: [{ username: 'sam', permission: 'Read', granted: true }] },
      ])
    })
    const answer = await importing(await exporting(await read(folder.id)))
    expect(answer).toMatchObject({ created: 3, updated: 0, warnings: [] })
    const [newFolder, newFile, newNote] = await Promise.all(
      [folder, file, note].map(({ id }) => read(answer.ids[id] ?? '')),
    )
    expect(answer.root).toBe(newFolder!.id)
    expect([newFolder!.path, newFile!.path, newNote!.path]).toEqual(
      ['tree', 'tree/file', 'tree/note'].map((path) => `${to.path}/${path}`),
    )
    for (const [name, value] of Object.entries(properties))
      expect(newFile!.properties[name], name).toEqual(value)
    expect(newNote!.properties['note:note']).toBe('line one\n  line two\n')
    expect([newNote!.lifecycleState, newNote!.facets]).toEqual(['approved', (await read(note.id)).facets])
    expect(await aclsOf(newFolder!.id)).toEqual([
      {
        name: 'local',
        aces: [expect.objectContaining({ username: 'ann', permission: 'Read', granted: true })],
      },
    ])
  })

  test('comes to its own place again at the root, where it is updated', async () => {
    const note = await create(from.path!, 'Note', 'note', { 'dc:title': 'old', 'note:note': 'old' })
    const exported = await exporting(note)
    await run('Document.Update', { input: input(note), params: { properties: { 'dc:title': 'new' } } })
    const target = await read('/')
    expect(await importing(exported, { target })).toMatchObject({
      created: 0,
      updated: 1,
      ids: { [note.id]: note.id },
    })
    expect((await read(note.id)).properties['dc:title']).toBe('old')
  })
})

test('what is at a path gets properties and facets; its type, state and rights stay', async () => {
  const note = await create(to.path!, 'Note', 'a', { 'dc:title': 'before', 'dc:description': 'before' })
  const system = `<lifecycle-state>approved</lifecycle-state><facet>HiddenInNavigation</facet>
    <access-control><acl name="local"><entry principal="ann" permission="Read" grant="true"/></acl></access-control>`
  const schemas =
    '<schema name="dublincore" xmlns:dc="x"><dc:title>after</dc:title><dc:description/></schema>'
  const answer = await importing(await archive(xmlOf('File', { id: 'old', system, schemas })))
  expect(answer).toMatchObject({ created: 0, updated: 1, ids: { old: note.id } })
  const now = await read(note.id)
  expect([now.type, now.lifecycleState, await aclsOf(note.id)]).toEqual(['Note', 'project', []])
  expect([now.properties['dc:title'], now.properties['dc:description']]).toEqual(['after', undefined])
  expect(now.facets).toContain('HiddenInNavigation')
})

test('unknown facets, schemas and states are left out with a warning', async () => {
  const system = '<facet>Nothing</facet><lifecycle-state>nowhere</lifecycle-state>'
  const schemas = '<schema name="nothing"><x>1</x></schema><schema name="note"><note>text</note></schema>'
  const answer = await importing(await archive(xmlOf('File', { system, schemas })))
  expect(answer.warnings).toEqual([
    'a/document.xml: facet Nothing is unknown, and left out',
    'a/document.xml: the life cycle of File has no state nowhere; the document begins in its first',
    'a/document.xml: a File has no schema nothing, which is left out',
    'a/document.xml: a File has no schema note, which is left out',
  ])
  expect(await read(answer.root)).toMatchObject({ type: 'File', facets: [], lifecycleState: 'project' })
})

test('transformers change documents on their way', async () => {
  const schemas = '<schema name="old" xmlns:o="x"><o:name>Title</o:name></schema>'
  const transformers: PropertyValue = [
    {
      name: 'FieldMapper',
      srcSchema: 'old',
      srcField: 'name',
      dstSchema: 'dublincore',
      dstField: 'dc:title',
    },
    { name: 'SchemaRemover', schema: 'old' },
    { name: 'DoctypeToFacetTranslator', docType: 'Old', newDocType: 'File', facet: 'HiddenInNavigation' },
  ]
  const blob = await archive(xmlOf('Old', { schemas }))
  for (const given of [transformers, JSON.stringify(transformers)]) {
    const answer = await importing(blob, { params: { transformers: given } })
    const { type, facets, properties } = await read(answer.root)
    expect([type, facets, properties['dc:title'], answer.warnings]).toEqual([
      'File',
      ['HiddenInNavigation'],
      'Title',
      [],
    ])
  }
})

test('a file may be written out, and is the one of its digest', async () => {
  const content = (data: string, digest = '') =>
    `<schema name="file"><content><filename>a.txt</filename><data>${data}</data>${digest}</content></schema>`
  const inline = content(Buffer.from('inline').toString('base64'))
  const answer = await importing(await archive(xmlOf('File', { schemas: inline })))
  const blob = (await read(answer.root)).properties['file:content'] as BlobValue
  expect([blob.name, blob['mime-type'], await text(await platform.blobs.open(blob))]).toEqual([
    'a.txt',
    'text/plain',
    'inline',
  ])
  const digest = '<digest>00000000000000000000000000000000</digest>'
  const wrong = await archive(xmlOf('File', { schemas: content('YQ==', digest) }))
  await expect(importing(wrong)).rejects.toMatchObject({
    code: 'badRequest',
    message: expect.stringMatching(/not the one of the digest/),
  })
})

test('FileManager.Import unpacks an archive of documents, and no other', async () => {
  const variables = { currentDocument: input(to) }
  const putting = async (blob: BlobValue) =>
    documentOf(await run('FileManager.Import', { input: { type: 'blob', blob }, variables }))
  expect(await putting(await archive(xmlOf('Note'), 'made'))).toMatchObject({ type: 'Note', name: 'made' })
  expect(await putting(await zipped([['a/document.xml', xmlOf('Note')]]))).toMatchObject({
    type: 'File',
    name: 'a.zip',
  })
})

test('FileManager.Import refuses an archive of more than 500 documents', async () => {
  const many = Array.from({ length: 501 }, (_, i): [string, string] => [`${i}/document.xml`, xmlOf('Note')])
  const blob = await zipped([MARK, ...many])
  const variables = { currentDocument: input(to) }
  await expect(run('FileManager.Import', { input: { type: 'blob', blob }, variables })).rejects.toMatchObject(
    {
      code: 'tooLarge',
      message: expect.stringContaining('501 documents, of 500 at most'),
    },
  )
})

describe('rights', () => {
  const acl = `<access-control><acl name="local"><entry principal="sam" permission="Read" grant="true"/></acl></access-control>`

  test.each<[right: string | undefined, what: string, system: string, refusal: object | undefined]>([
    [undefined, 'a document', '', { code: 'forbidden', message: expect.stringMatching(/'AddChildren'/) }],
    ['AddChildren', 'a document', '', undefined],
    [
      'AddChildren',
      'a state',
      '<lifecycle-state>approved</lifecycle-state>',
      { code: 'forbidden', message: expect.stringMatching(/'WriteLifeCycle'/) },
    ],
    ['ReadWrite', 'a state', '<lifecycle-state>approved</lifecycle-state>', undefined],
    ['ReadWrite', 'rights', acl, { code: 'forbidden', message: expect.stringMatching(/'WriteSecurity'/) }],
    ['Everything', 'rights', acl, undefined],
  ])('with %s one imports %s (%s): %o', async (right, _, system, refusal) => {
    if (right) await granting(to, 'ann', right)
    const importingIt = importing(await archive(xmlOf('Note', { system })), { as: ANN })
    if (refusal) await expect(importingIt).rejects.toMatchObject(refusal)
    else expect(await importingIt).toMatchObject({ created: 1 })
    const children = platform.readSession(ADMINISTRATOR).stores.documents.get(`${to.path}/a`)
    expect(Boolean(await children)).toBe(!refusal)
  })

  test('what may not be written is not updated, and rights can be left out', async () => {
    await granting(to, 'ann', 'AddChildren')
    await create(to.path!, 'Note', 'a')
    await expect(importing(await archive(xmlOf('Note')), { as: ANN })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const other = await archive(xmlOf('Note', { system: acl }), 'b')
    const answer = await importing(other, { as: ANN, params: { acls: false } })
    expect(await aclsOf(answer.root)).toEqual([])
  })

  test('entries name their creator to administrators alone', async () => {
    const system = acl.replace('grant=', 'creator="somebody" grant=')
    await granting(to, 'ann', 'Everything')
    for (const [as, creator] of [
      [ADMINISTRATOR, 'somebody'],
      [ANN, 'ann'],
    ] as const) {
      const answer = await importing(await archive(xmlOf('Note', { system }), as.name), { as })
      expect((await aclsOf(answer.root))[0]?.aces[0]).toMatchObject({ username: 'sam', creator })
    }
  })
})

/** The signal of a time limit, which ends when the test says so. */
const timeLimit = () => {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    abort: () => controller.abort(new DOMException('too late', 'TimeoutError')),
  }
}

describe('rights of an archive', () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, i) => `<entry principal="u${i}" permission="Read" grant="true"/>`).join(
      '',
    )
  const local = (count: number) =>
    `<access-control><acl name="local">${entries(count)}</acl></access-control>`

  test('a document has a thousand entries at most', async () => {
    expect(await importing(await archive(xmlOf('Note', { system: local(1_000) })))).toMatchObject({
      created: 1,
    })
    await expect(
      importing(await archive(xmlOf('Note', { system: local(1_001) }), 'b')),
    ).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('1000 entries'),
    })
  })

  const nested = (levels: number, count: number) =>
    zipped([
      MARK,
      ...Array.from({ length: levels }, (_, level): [string, string] => [
        `${Array.from({ length: level + 1 }, () => 'f').join('/')}/document.xml`,
        xmlOf('Folder', { system: local(count) }),
      ]),
    ])

  test('of nested folders add up, to two thousand at most', async () => {
    await expect(importing(await nested(3, 1_000))).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/\/f\/f would have \d+ entries.* of 2000 at most/),
    })
    expect(await importing(await nested(12, 60))).toMatchObject({ created: 12 })
  })

  test('that a user imports add up over all documents', async () => {
    await granting(to, 'ann', 'Everything')
    const above = local(990)
    const below = Array.from({ length: 60 }, (_, i): [string, string] => [
      `a/b/n${i}/document.xml`,
      xmlOf('Note', { system: local(1) }),
    ])
    const blob = await zipped([
      MARK,
      ['a/document.xml', xmlOf('Folder', { system: above })],
      ['a/b/document.xml', xmlOf('Folder', { system: above })],
      ...below,
    ])
    await expect(importing(blob, { as: ANN })).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('more than 100000 entries'),
    })
  })

  test('are given by who may do so, though a folder of them takes that away from what is below', async () => {
    await granting(to, 'ann', 'Everything')
    const block = `<access-control><acl name="local"><entry principal="ann" permission="Read" grant="true"/>
      <entry principal="Everyone" permission="Everything" grant="false"/></acl></access-control>`
    const blob = await zipped([
      MARK,
      ['a/document.xml', xmlOf('Folder', { id: 'a', system: block })],
      ['a/n/document.xml', xmlOf('Note', { id: 'n', system: local(2) })],
    ])
    const { ids } = await importing(blob, { as: ANN })
    expect((await aclsOf(ids.n!))[0]?.aces).toHaveLength(2)
  })

  test('are not gone on with once the import is stopped', async () => {
    const blob = await nested(3, 1)
    const { signal, abort } = timeLimit()
    let written = 0
    const imported = platform.withSession(ADMINISTRATOR, async (session) =>
      importArchive({ session, blobs: platform.blobs }, blob, {
        target: await getDocument(session, to.id),
        hasAcls: true,
        maxBytes: 1_000,
        signal,
        transform: (document) => {
          // The last one is still written.
          if (++written === 3) abort()
          return document
        },
      }),
    )
    await expect(imported).rejects.toMatchObject({ code: 'timeout', retryable: false })
  })

  test('two hundred documents have some at most', async () => {
    const many = Array.from({ length: 201 }, (_, i): [string, string] => [
      `${i}/document.xml`,
      xmlOf('Note', { system: local(1) }),
    ])
    await expect(importing(await zipped([MARK, ...many]))).rejects.toMatchObject({
      code: 'tooLarge',
      message: expect.stringContaining('201 documents of the archive have ACLs'),
    })
    expect(await importing(await zipped([MARK, ...many]), { params: { acls: false } })).toMatchObject({
      created: 201,
    })
  })
})

test('a hidden folder is no other than one that is not there', async () => {
  await granting(to, 'ann', 'ReadWrite')
  const hidden = await create(to.path!, 'Folder', 'hidden')
  await create(hidden.path!, 'Folder', 'inner')
  await platform.withSession(ADMINISTRATOR, async (session) =>
    setAcls(session, await getDocument(session, hidden.id), [
      { name: 'local', aces: [{ username: 'Everyone', permission: 'Everything', granted: false }] },
    ]),
  )
  for (const folder of ['hidden', 'hidden/inner', 'missing', 'hidden/missing']) {
    const answer = await importing(await archive(xmlOf('Note'), `${folder}/${folder.replace('/', '-')}`), {
      as: ANN,
    })
    expect(answer).toMatchObject({ created: 1, updated: 0 })
    const root = await getDocument(platform.readSession(ADMINISTRATOR), answer.root)
    expect(root.parentId).toBe(to.id)
  }
  const named = await importing(await archive(xmlOf('Note'), 'hidden'), { as: ANN })
  expect(named).toMatchObject({ created: 1, updated: 0 })
})

describe('is refused, and leaves nothing', () => {
  const bomb = 'lol'.repeat(23_000_000)
  const entity = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const many = '<title/>'.repeat(200_000)
  const deep = '<a>'.repeat(5_000) + '</a>'.repeat(5_000)
  const valued = (field: string) => xmlOf('Note', { schemas: `<schema name="dublincore">${field}</schema>` })

  test.each<[what: string, entries: [string, string][] | string, refusal: object]>([
    [
      'no archive',
      'plain text',
      { code: 'badRequest', message: expect.stringMatching(/no archive that can be read/) },
    ],
    [
      'another archive',
      [['a/document.xml', xmlOf('Note')]],
      { code: 'badRequest', message: expect.stringMatching(/its first entry is not/) },
    ],
    ['an empty archive', [MARK], { code: 'badRequest', message: expect.stringMatching(/no documents/) }],
    [
      'external entities',
      [MARK, ['a/document.xml', `${entity}${valued('<title>&x;</title>')}`]],
      { code: 'badRequest', message: expect.stringMatching(/DOCTYPE/) },
    ],
    [
      'deep XML',
      [MARK, ['a/document.xml', valued(deep)]],
      { code: 'badRequest', message: expect.stringMatching(/levels deep/) },
    ],
    [
      'attributes deep inside',
      [
        MARK,
        ['a/document.xml', valued(`${'<b>'.repeat(60)}<b ${'p:c="1" '.repeat(101)}/>${'</b>'.repeat(60)}`)],
      ],
      { code: 'badRequest', message: expect.stringMatching(/100 attributes/) },
    ],
    [
      'too many elements',
      [MARK, ['a/document.xml', valued(many)]],
      { code: 'tooLarge', message: expect.stringMatching(/tags/) },
    ],
    [
      'broken XML',
      [MARK, ['a/document.xml', '<document>']],
      { code: 'badRequest', message: expect.stringMatching(/a\/document.xml: line 1/) },
    ],
    [
      'XML of another kind',
      [MARK, ['a/document.xml', '<html/>']],
      { code: 'badRequest', message: expect.stringMatching(/must be a <document>/) },
    ],
    [
      'a bomb',
      [MARK, ['a/document.xml', xmlOf('Note')], ['a/x.blob', bomb]],
      { code: 'tooLarge', message: expect.stringMatching(/200 times/) },
    ],
    [
      'an unknown field',
      [MARK, ['a/document.xml', xmlOf('Note')], ['b/document.xml', valued('<x>1</x>')]],
      { code: 'badRequest', message: expect.stringMatching(/schema dublincore has no field 'x'/) },
    ],
    [
      'an unknown type',
      [MARK, ['a/document.xml', xmlOf('Nothing')]],
      { code: 'badRequest', message: expect.stringMatching(/Nothing/) },
    ],
    [
      'a value that does not fit',
      [MARK, ['a/document.xml', valued('<issued>soon</issued>')]],
      { code: 'badRequest', message: expect.stringMatching(/dc:issued/) },
    ],
    [
      'a missing file',
      [
        MARK,
        [
          'a/document.xml',
          xmlOf('File', { schemas: '<schema name="file"><content><data>0.blob</data></content></schema>' }),
        ],
      ],
      { code: 'badRequest', message: expect.stringMatching(/no file 0.blob/) },
    ],
    [
      'a place elsewhere',
      [MARK, ['x/a/document.xml', xmlOf('Folder')], ['y/b/document.xml', xmlOf('Note')]],
      { code: 'badRequest', message: expect.stringMatching(/not below x/) },
    ],
    [
      'an illegal name',
      [MARK, ['a/document.xml', xmlOf('Folder')], ['a/@b/document.xml', xmlOf('Note')]],
      { code: 'badRequest', message: expect.stringMatching(/legal name/) },
    ],
  ])('%s', async (_, entries, refusal) => {
    const blob = typeof entries === 'string' ? await stored(entries, 'a.zip') : await zipped(entries)
    await expect(importing(blob)).rejects.toMatchObject(refusal)
    const session = platform.readSession(ADMINISTRATOR)
    expect(await session.stores.children.ids(to.id)).toEqual([])
  })

  test('a file that is longer than it says', async () => {
    const length = 54_321
    const schemas = '<schema name="file"><content><data>0.blob</data></content></schema>'
    const honest = await zipped([
      MARK,
      ['a/document.xml', xmlOf('File', { schemas })],
      ['a/0.blob', 'x'.repeat(length)],
    ])
    const bytes = await platform.blobs.withFile(honest, (path) => readFile(path))
    const [said, lied] = [length, 10].map((size) => {
      const field = Buffer.alloc(4)
      field.writeUInt32LE(size)
      return field.toString('latin1')
    })
    const lying = bytes.toString('latin1').replaceAll(said ?? '', lied ?? '')
    expect(lying).not.toBe(bytes.toString('latin1'))
    const blob = await stored(Buffer.from(lying, 'latin1'), 'a.zip')
    await expect(importing(blob)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringMatching(/a.0.blob cannot be unpacked/),
    })
  })

  test.each(['../a/document.xml', '/a/document.xml'])('the name %s', async (name) => {
    const bytes = await platform.blobs.withFile(
      await zipped([MARK, [`${'_'.repeat(name.length)}`, xmlOf('Note')]]),
      (path) => readFile(path),
    )
    const hostile = Buffer.from(bytes.toString('latin1').replaceAll('_'.repeat(name.length), name), 'latin1')
    await expect(importing(await stored(hostile, 'a.zip'))).rejects.toMatchObject({ code: 'badRequest' })
  })
})
