import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Ace, SYSTEM } from '../../../../core/access/security/index.js'
import { getDocument, setAcls } from '../../../../core/content/documents/index.js'
import { createTestService, withFile } from '../../support/bad-input-support.js'
import { addUser, type Call, type Entity } from '../../support/rest-client.js'

const { platform, call, deploy, traces, openTransactions } = await createTestService()

const AUTOMATION = '/api/v1/automation'
const WORKSPACES = '/default-domain/workspaces'
const NOBODY_ELSE: Ace = { username: 'Everyone', permission: 'Everything', granted: false }
/** What nobody waits for, however busy the machine is: some of these take minutes when nothing stops them. */
const FOR_EVER_MS = 60_000

let count = 0

const make = async (parent = WORKSPACES, type = 'File', properties: object = {}): Promise<Entity> => {
  const json = { 'entity-type': 'document', name: `d${count++}`, type, properties }
  const answer = await call('POST', `/api/v1/path${parent}`, { json })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json
}

const run = (operation: string, json: object, more: Call = {}) =>
  call('POST', `${AUTOMATION}/${encodeURIComponent(operation)}`, { ...more, json })

const titleOf = async (id: string): Promise<unknown> => {
  const { json } = await call('GET', `/api/v1/id/${id}`, { headers: { properties: '*' } })
  return json.properties['dc:title']
}

const protect = (ref: string, aces: readonly Ace[]): Promise<unknown> =>
  platform.withSession(SYSTEM, async (session) =>
    setAcls(session, await getDocument(session, ref), [{ name: 'local', aces }]),
  )

beforeAll(async () => {
  await addUser(platform, 'writer')
  await deploy(
    'setTitle',
    '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:title", value: "expr:ChainParameters[\'text\']"}\n',
  )
  await deploy(
    'setTitleOfVariable',
    '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:title", value: "expr:Context[\'text\']"}\n',
  )
  await deploy(
    'forEach',
    '- Context.FetchDocument\n- Context.SetInputAsVar: {name: all}\n- RunOperationOnListInNewTx: {id: setTitle, list: all}\n',
  )
})

describe('a script that does not behave', () => {
  test.each([
    ['loops for ever', '(() => { for (;;); })()', /longer than its time limit/],
    ['matches for ever', '/^(a+)+$/.test("a".repeat(40) + "b")', /longer than its time limit/],
    ['eats memory', '"a".repeat(2 ** 29)', /more memory than its limit/],
    [
      'fills a list',
      '(() => { const all = []; for (;;) all.push("x".repeat(1e5)) })()',
      /memory|time limit|larger/,
    ],
    ['calls itself', '(() => { const f = () => f() + 1; return f() })()', /nests calls deeper|stack/],
    ['throws', '(() => { throw new Error("no") })()', /no/],
    ['looks for the process', 'process.exit(1)', /process/],
    ['looks for modules', 'require("fs").readFileSync("/etc/passwd")', /require/],
    ['breaks out', 'this.constructor.constructor("return process")().exit()', /./],
  ])('%s: its chain leaves nothing, and holds nobody up', async (name, script, message) => {
    const id = `bad ${name}`
    await deploy(
      id,
      `- Context.FetchDocument\n- Document.Create: {type: File, name: trace}\n- Log: {message: ${JSON.stringify(`expr:${script}`)}}\n`,
    )
    const folder = await make(WORKSPACES, 'Folder')
    const before = await traces()
    const running = run(id, { input: folder.uid && `doc:${folder.uid}` })
    const started = Date.now()
    const other = await call('GET', `/api/v1/id/${folder.uid}`)
    expect([other.status, Date.now() - started < FOR_EVER_MS]).toEqual([200, true])
    const answer = await running
    expect([answer.status, answer.json?.['entity-type']], answer.text).toEqual([400, 'exception'])
    expect(answer.json.message).toMatch(message)
    expect(await traces()).toEqual(before)
    await expect.poll(openTransactions).toBe(0)
  })

  test('many slow scripts in a row let others in between', async () => {
    const slow = '(() => { let sum = 0; for (let n = 0; n < 1e6; n++) sum += n % 7; return "t" })()'
    const step = `- Context.SetVar: {name: a, value: ${JSON.stringify(`expr:${slow}`)}}\n`
    await deploy('slowSteps', step.repeat(5))
    let isRunning = true
    const running = run('slowSteps', {}).finally(() => {
      isRunning = false
    })
    let answered = 0
    while (isRunning) {
      await call('GET', '/api/v1/path/default-domain')
      if (isRunning) answered++
    }
    expect((await running).status).toBe(204)
    expect(answered).toBeGreaterThan(2)
  })

  test('a chain that calls itself by an expression is stopped', async () => {
    await deploy(
      'self',
      "- Document.Create: {type: Folder, name: trace}\n- RunOperation: {id: \"expr:'se' + 'lf'\"}\n",
    )
    const folder = await make(WORKSPACES, 'Folder')
    const before = await traces()
    const answer = await run('self', { input: `doc:${folder.uid}` })
    expect([answer.status, answer.json.message]).toEqual([
      400,
      expect.stringMatching(/nested deeper than 30/),
    ])
    expect(await traces()).toEqual(before)
  })

  test('a chain whose target an expression makes up is not found', async () => {
    await deploy('madeUp', "- RunOperation: {id: \"expr:'constr' + 'uctor'\"}\n")
    const answer = await run('madeUp', {})
    expect([answer.status, answer.json.message]).toEqual([404, expect.stringMatching(/constructor/)])
  })
})

describe('texts of a caller are never evaluated', () => {
  const HOSTILE = ['expr:1+1', 'expr:@{CurrentUser.name}', '@{CurrentUser.name}', '#{1+1}']

  const ways: [string, (id: string, text: string) => Promise<{ status: number; text: string }>][] = [
    [
      'a parameter of an operation',
      (id, text) => run('Document.SetProperty', { input: id, params: { xpath: 'dc:title', value: text } }),
    ],
    [
      'properties',
      (id, text) => run('Document.Update', { input: id, params: { properties: { 'dc:title': text } } }),
    ],
    [
      'a block of properties',
      (id, text) => run('Document.Update', { input: id, params: { properties: `dc:title=${text}` } }),
    ],
    ['a parameter of a chain', (id, text) => run('setTitle', { input: id, params: { text } })],
    ['a variable of a chain', (id, text) => run('setTitleOfVariable', { input: id, context: { text } })],
    [
      'a parameter of a nested chain',
      (id, text) => run('RunOperation', { input: id, params: { id: 'setTitle', parameters: { text } } }),
    ],
    [
      'a parameter of a nested operation',
      (id, text) =>
        run('RunOperation', {
          input: id,
          params: { id: 'Document.SetProperty', parameters: { xpath: 'dc:title', value: text } },
        }),
    ],
    [
      'a parameter in a new transaction',
      (id, text) =>
        run('RunInNewTransaction', {
          input: id,
          params: { id: 'setTitle', parameters: { text }, rollbackGlobalOnError: true },
        }),
    ],
    ['a parameter of a loop', (id, text) => run('forEach', { input: `docs:${id}`, params: { text } })],
  ]

  test.each(ways)('%s', async (_way, send) => {
    for (const text of HOSTILE) {
      const document = await make()
      const answer = await send(document.uid, text)
      expect(answer.status, answer.text).toBe(200)
      expect(await titleOf(document.uid)).toBe(text)
    }
  })

  test('a name of an operation', async () => {
    const answer = await run('RunOperation', { params: { id: 'expr:"Log"' } })
    expect([answer.status, answer.json.message]).toEqual([404, expect.stringContaining('expr:"Log"')])
  })

  test('a query', async () => {
    const answer = await run('Repository.Query', {
      params: { query: 'SELECT * FROM Document WHERE dc:title = ?', queryParams: ["x' OR '1'='1"] },
    })
    expect([answer.status, answer.json.resultsCount]).toEqual([200, 0])
  })
})

test('names that prototypes have are names like any other', async () => {
  const body =
    '{"params":{"__proto__":{"polluted":1},"message":"x"},"context":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}}'
  for (const operation of ['Log', 'setTitle']) {
    const answer = await call('POST', `${AUTOMATION}/${operation}`, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBeLessThan(500)
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

describe('files', () => {
  const EVIL = 'a"\r\nX-Evil: 1\r\n\r\n<script>/../../etc/passwd'

  test('names and types of files stay out of headers', async () => {
    const document = await make(WORKSPACES, 'File', {
      'file:content': { name: EVIL, data: 'x', 'mime-type': 'text/html\r\nX-Evil: 1' },
      'files:files': [{ file: { name: EVIL, data: 'y', 'mime-type': 'text/html\r\nX-Evil: 1' } }],
    })
    const input = `doc:${document.uid}`
    for (const answer of [
      await run('Document.GetBlob', { input }),
      await run('Document.GetBlob', { input: `docs:${document.uid}` }),
    ]) {
      expect(answer.status).toBe(200)
      expect([...answer.headers.keys()]).not.toContain('x-evil')
      expect(answer.text).not.toMatch(/^X-Evil/m)
    }
  })

  test('a path in the name of an uploaded file is no place', async () => {
    const document = await make()
    const file = new File(['hello'], '../../../../tmp/evil.txt', { type: 'text/plain' })
    const attached = await call(
      'POST',
      `${AUTOMATION}/Blob.Attach`,
      withFile({ params: { document: document.uid } }, file),
    )
    expect([attached.status, attached.text]).toEqual([200, 'hello'])
    expect(attached.headers.get('content-disposition')).toContain("UTF-8''evil.txt")
  })

  test('nobody gets a file by its digest', async () => {
    const secret = await make(WORKSPACES, 'File', { 'file:content': { name: 's.txt', data: 'secret bytes' } })
    const { json } = await call('GET', `/api/v1/id/${secret.uid}`, { headers: { properties: '*' } })
    const { data: _address, ...described } = json.properties['file:content']
    const forged = { ...described, length: Number(described.length) }
    await protect(secret.path, [NOBODY_ELSE])
    const folder = await make(WORKSPACES, 'Folder')
    await protect(folder.path, [{ username: 'writer', permission: 'ReadWrite', granted: true }, NOBODY_ELSE])
    const mine = await call('POST', `/api/v1/path${folder.path}`, {
      user: 'writer',
      json: { 'entity-type': 'document', name: 'mine', type: 'File' },
    })
    const input = `doc:${mine.json.uid}`
    const user = 'writer'
    const attempts = [
      await call('PUT', `/api/v1/id/${mine.json.uid}`, {
        user,
        json: { 'entity-type': 'document', properties: { 'file:content': forged } },
      }),
      await run('Document.Update', { input, params: { properties: { 'file:content': forged } } }, { user }),
      await run(
        'Document.Update',
        { input, params: { properties: { 'file:content': JSON.stringify(forged) } } },
        { user },
      ),
      await run(
        'Document.Update',
        { input, params: { properties: { 'files:files': [{ file: forged }] } } },
        { user },
      ),
      await run(
        'Document.SetProperty',
        { input, params: { xpath: 'file:content', value: JSON.stringify(forged) } },
        { user },
      ),
      await run('Document.SetBlob', { input, params: { file: forged } }, { user }),
      await run('Document.SetBlob', { input, params: {}, context: { file: forged } }, { user }),
      await run('Document.SetBlob', { input, context: { file: { type: 'blob', blob: forged } } }, { user }),
      await run(
        'Blob.Attach',
        { input: { 'entity-type': 'blob', value: forged }, params: { document: mine.json.uid } },
        { user },
      ),
      await run(
        'Blob.Attach',
        { input: { type: 'blob', blob: forged }, params: { document: mine.json.uid } },
        { user },
      ),
      await run('Context.RestoreBlobInput', { params: { name: 'b' }, context: { b: forged } }, { user }),
      await run(
        'Context.RestoreBlobInput',
        { params: { name: 'b' }, context: { b: { type: 'blob', blob: forged } } },
        { user },
      ),
    ]
    for (const [position, answer] of attempts.entries()) {
      expect([position, answer.status >= 400 && answer.status < 500], answer.text).toEqual([position, true])
    }
    const after = await call('GET', `/api/v1/id/${mine.json.uid}`, { user, headers: { properties: '*' } })
    expect(after.json.properties['file:content']).toBeNull()
  })
})

describe('names', () => {
  test.each(['Überprüfung', '確認', 'a b (c): d+e', 'runs', 'doc', `long ${'ü'.repeat(190)}`])(
    'a chain may be called %s',
    async (id) => {
      await deploy(
        id,
        `description: ${'long '.repeat(500)}\noperations:\n  - Context.SetVar: {name: a, value: b}\n  - RunInNewTransaction: {id: setTitle}\n`,
      )
      const document = await make()
      const answer = await run(id, { input: `doc:${document.uid}`, params: { text: 'done' } })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.headers.get('Archivolt-Workflow-Id')).toBeTruthy()
      expect(
        (await run(`Chain.${id}`, { input: `doc:${document.uid}`, params: { text: 'done' } })).status,
      ).toBe(200)
    },
  )

  test('names that look alike are kept apart', async () => {
    const folder = await make(WORKSPACES, 'Folder')
    const names = ['é', 'e\u0301', ' é ', 'É'].map((name) =>
      run('Document.Create', { input: `doc:${folder.uid}`, params: { type: 'File', name } }),
    )
    const paths = (await Promise.all(names)).map((answer) => answer.json.path)
    expect(new Set(paths).size).toBe(4)
    for (const path of paths)
      expect((await run('Repository.GetDocument', { params: { value: path } })).json.path).toBe(path)
  })

  test.each(['..', '.', '@async', 'x'.repeat(3_000)])('no document is called %s', async (name) => {
    const folder = await make(WORKSPACES, 'Folder')
    const before = await traces()
    const answer = await run('Document.Create', {
      input: `doc:${folder.uid}`,
      params: { type: 'File', name },
    })
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/name: /)])
    expect(await traces()).toEqual(before)
  })
})

describe('while a chain runs', () => {
  const BUSY = '(() => { let sum = 0; for (let i = 0; i < 4e5; i++) sum += i; return "t" })()'

  test('rights that are taken away are missed by its next step', async () => {
    await deploy(
      'slowTitle',
      `- Context.RestoreDocumentInput: {name: item}\n- Document.SetProperty: {xpath: "dc:title", value: ${JSON.stringify(`expr:${BUSY}`)}}\n`,
    )
    await deploy(
      'slowTitles',
      '- Context.FetchDocument\n- Context.SetInputAsVar: {name: all}\n- RunOperationOnListInNewTx: {id: slowTitle, list: all}\n',
    )
    const folder = await make(WORKSPACES, 'Folder')
    const files: Entity[] = []
    for (let index = 0; index < 60; index++) files.push(await make(folder.path))
    await protect(folder.path, [{ username: 'writer', permission: 'ReadWrite', granted: true }, NOBODY_ELSE])
    const running = run(
      'slowTitles',
      { input: `docs:${files.map((file) => file.uid).join(',')}` },
      { user: 'writer' },
    )
    while ((await titleOf(files[0]?.uid)) !== 't') await pause(20)
    await protect(folder.path, [{ username: 'writer', permission: 'Read', granted: true }, NOBODY_ELSE])
    const answer = await running
    expect([answer.status, answer.json.message]).toEqual([
      403,
      expect.stringContaining("'WriteProperties' is not granted to 'writer'"),
    ])
    const titles = []
    for (const file of files) titles.push(await titleOf(file.uid))
    expect(titles.at(-1)).not.toBe('t')
  })

  test('a document that an earlier step removed is not there for the next one', async () => {
    await deploy(
      'removeTwice',
      '- Context.FetchDocument\n- Context.SetInputAsVar: {name: kept}\n- Document.Delete\n- Context.RestoreDocumentInput: {name: kept}\n- Document.Lock\n',
    )
    const document = await make()
    const before = await traces()
    const answer = await run('removeTwice', { input: `doc:${document.uid}` })
    expect([answer.status, answer.json.message]).toEqual([404, expect.stringContaining(document.uid)])
    expect(await traces()).toEqual(before)
  })
})
