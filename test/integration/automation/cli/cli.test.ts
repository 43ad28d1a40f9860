import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../support/platform.js'
import { uniqueName } from '../../../support/template.js'
import { createCliServer } from '../../support/cli-support.js'
import { addUser, type Entity, USER_PASSWORD } from '../../support/rest-client.js'

const { cli, start, file, folder, url, administrator, platform } = await createCliServer()

/** Posts JSON to the API as the administrator. */
const send = async (path: string, body: object = {}) => {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`Administrator:${ADMIN_PASSWORD}`)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Entity
}

const deployed = async (id: string, yaml: string): Promise<void> => {
  const outcome = await cli(['deploy', await file(`${id}.yaml`, yaml)])
  expect(outcome).toMatchObject({ code: 0, err: '' })
}

const numbers = (count: number): string => `numbers:=${JSON.stringify([...Array(count).keys()])}`

await deployed('say', '- Log:\n    message: hello\n')
await deployed('say-number', "- Log:\n    message: 'expr:@{item}'\n")
await deployed(
  'each',
  `params:
- target:
    type: string
operations:
- Context.RunOperationOnListInNewTx:
    id: say-number
    list: numbers
`,
)

describe('login', () => {
  const anonymous = { XDG_CONFIG_HOME: join(folder, 'config') }
  const credentials = join(folder, 'config/archivolt/credentials.json')

  test('keeps what the server accepts, for its owner only, until logout', async () => {
    const login = await cli(['login', url, '--user', 'Administrator', '--password-stdin'], {
      stdin: `${ADMIN_PASSWORD}\n`,
      environment: anonymous,
    })
    expect(login).toMatchObject({ code: 0, err: `Logged in to ${url} as Administrator, an administrator\n` })
    expect((await stat(credentials)).mode & 0o777).toBe(0o600)
    expect((await cli(['chains'], { environment: anonymous })).code).toBe(0)
    const elsewhere = { ...anonymous, ARCHIVOLT_URL: 'http://127.0.0.1:1' }
    expect(await cli(['chains'], { environment: elsewhere })).toMatchObject({ code: 4 })
    expect((await cli(['logout'], { environment: anonymous })).code).toBe(0)
    expect(await cli(['chains'], { environment: anonymous })).toMatchObject({
      code: 4,
      err: expect.stringContaining('archivolt login'),
    })
  })

  test('unlocks a user, when it is one', async () => {
    expect(await cli(['unlock', 'Administrator'])).toMatchObject({
      code: 0,
      err: 'Administrator may log in again\n',
    })
    expect((await cli(['unlock', 'nobody'])).code).toBe(6)
  })

  test('refuses a wrong password and keeps nothing', async () => {
    const outcome = await cli(['login', url, '--user', 'Administrator', '--password-stdin'], {
      stdin: 'wrong\n',
      environment: anonymous,
    })
    expect(outcome.code).toBe(4)
    await expect(stat(credentials)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('does not wait for a terminal that is not there', async () => {
    expect(await cli(['login', url], { environment: anonymous })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--user'),
    })
  })

  test('says that nobody answers', async () => {
    const environment = { ...administrator, ARCHIVOLT_URL: 'http://127.0.0.1:2' }
    expect(await cli(['chains'], { environment })).toEqual({
      code: 3,
      out: '',
      err: 'archivolt: Cannot reach http://127.0.0.1:2: nothing listens on the port\n',
    })
  })
})

describe('deploy', () => {
  test('shows the plan and deploys nothing with --dry-run', async () => {
    const path = await file('planned.yaml', await readFile(join(folder, 'each.yaml'), 'utf8'))
    const { code, out } = await cli(['deploy', '--dry-run', path])
    expect(code).toBe(0)
    expect(out).toContain('planned: void -> void')
    expect(out).toContain('└─ Context.RunOperationOnListInNewTx say-number (one transaction for each item)\n')
    expect((await cli(['run', 'planned'])).code).toBe(6)
  })

  test('what is probably not meant so is warned of, and deployed', async () => {
    const path = await file('doubtful.yaml', '- Log:\n    message: expr:Document["dc:titel"]\n')
    const warning = [
      `${path}:2:19: warning: Document["dc:titel"]: no schema has the property "dc:titel", so that it is null, did you mean "dc:title"?`,
      '        message: expr:Document["dc:titel"]',
      '                      ^',
    ].join('\n')
    expect(await cli(['check', path])).toMatchObject({ code: 0, err: expect.stringContaining(warning) })
    expect(await cli(['deploy', path])).toMatchObject({
      code: 0,
      out: expect.stringContaining('doubtful  version 1'),
      err: expect.stringContaining(warning),
    })
  })

  test('an older text again is reported as the version that it was', async () => {
    const [one, two] = ['one', 'two'].map((message) => `- Log: {message: ${message}}\n`)
    const out = async (text = '') => (await cli(['deploy', await file('back.yaml', text)])).out
    expect([await out(one), await out(two), await out(one), await out(one)]).toEqual([
      'back  version 1\n',
      'back  version 2\n',
      'back  version 3, as version 1\n',
      'back  version 3, unchanged\n',
    ])
  })

  test('check says the same', async () => {
    const path = join(folder, 'planned.yaml')
    expect(await cli(['check', path])).toEqual(await cli(['deploy', '--dry-run', path]))
    const bad = await file('unchecked.yaml', '- Document.Creat:\n    type: File\n')
    expect(await cli(['check', bad])).toMatchObject({ code: 5, err: expect.stringContaining(':1:3: ') })
  })

  test('schema prints what an editor needs, of one point and of a file', async () => {
    const chains = JSON.parse((await cli(['schema', 'chains'])).out)
    expect(chains.$defs['call.Document.Create'].properties).toHaveProperty('type')
    const file = JSON.parse((await cli(['schema'])).out)
    expect(Object.keys(file.properties)).toEqual(
      expect.arrayContaining(['chains', 'scripts', 'eventHandlers', 'templates', 'types']),
    )
    expect(file.$defs.chains.$defs).toHaveProperty(['call.Document.Create'])
    expect((await cli(['schema', 'nothing'])).code).toBe(6)
  })

  test('points at what is wrong, and deploys none of the files', async () => {
    const good = await file('good.yaml', '- Log:\n    message: fine\n')
    const bad = await file('bad.yaml', '- Document.Lock\n- Document.Creat:\n    type: File\n')
    const { code, out, err } = await cli(['deploy', good, bad])
    expect({ code, out }).toEqual({ code: 5, out: '' })
    const [place, line, caret, summary] = err.split('\n')
    expect(place).toMatch(/bad\.yaml:2:3: unknown operation "Document\.Creat".*Document\.Create/)
    expect(line).toBe('    - Document.Creat:')
    expect(caret).toBe('      ^')
    expect(summary).toBe('archivolt: 1 problem in 1 file; nothing was deployed')
    expect((await cli(['run', 'good'])).code).toBe(6)
  })

  test('reports all mistakes of all files, with the warnings', async () => {
    const one = await file('one.yaml', '- Document.Creat\n- Document.Create:\n    type: Fil\n')
    const two = await file('two.yaml', 'operation:\n- one\n')
    const { code, err } = await cli(['check', one, two])
    expect(code).toBe(5)
    expect(err.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
      `${one}:1:3: unknown operation "Document.Creat", did you mean "Document.Create"?`,
      `${one}:3:11: warning: there is no document type "Fil", did you mean "File"?`,
      expect.stringContaining(`${two}:1:1: unknown key "operation", did you mean "operations"?`),
      'archivolt: 2 problems in 2 files; nothing was deployed',
      '',
    ])
  })

  test('deploys scripts, and files of several contributions', async () => {
    const script = await file(
      'Cli.Greet.yaml',
      'inputType: string\noutputType: string\nscript: |\n  function run(input, params) { return "Hi " + input }\n',
    )
    const several = await file('several.yaml', 'chains:\n  cli-a:\n  - cli-b\n  cli-b:\n  - Cli.Greet\n')
    expect(await cli(['deploy', several, script])).toMatchObject({
      code: 0,
      out: 'cli-a  version 1\ncli-b  version 1\nscripts/Cli.Greet  version 1\n',
    })
  })

  test('deploys chains that call one another, and says what is unchanged', async () => {
    const caller = await file('caller.yaml', '- RunOperation:\n    id: callee\n- Log:\n    message: called\n')
    const callee = await file('callee.yaml', '- Log:\n    message: hello\n')
    expect(await cli(['check', caller, callee])).toMatchObject({
      code: 0,
      out: expect.stringContaining('callee: void -> void'),
    })
    expect(await cli(['deploy', caller, callee])).toMatchObject({
      code: 0,
      out: 'caller  version 1\ncallee  version 1\n',
    })
    await file('callee.yaml', '- Log:\n    message: hello you\n')
    expect(await cli(['deploy', caller, callee])).toMatchObject({
      code: 0,
      out: 'caller  version 1, unchanged\ncallee  version 2\n',
    })
    const { out } = await cli(['chains'])
    expect(out).toMatch(/^caller +version 1 +\S+Z +Administrator$/m)
  })
})

describe('run', () => {
  test('shows the steps and prints the document', async () => {
    await deployed(
      'create',
      `params:
- name:
    type: string
    required: true
operations:
- Context.FetchDocument
- Document.Create:
    type: Folder
    name: expr:ChainParameters["name"]
    properties:
      dc:title: expr:ChainParameters["name"]
`,
    )
    const { code, out, err } = await cli([
      'run',
      'create',
      '--input',
      'doc:/default-domain',
      '--param',
      'name=n1',
    ])
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(out).toMatch(/^[0-9a-f-]{36} {2}\/default-domain\/n1 {2}n1\n$/)
    expect(err).toMatch(/^Run create-\S+\n.*\[x\] segment Context.FetchDocument, Document.Create\n$/s)
    const again = ['run', 'create', '--input', 'doc:/default-domain', '--param', 'name=n2', '--json']
    expect(JSON.parse((await cli(again)).out)).toMatchObject({ path: '/default-domain/n2', title: 'n2' })
  })

  test('reports what a bulk command would match, and no id of one that will never be', async () => {
    const call = [
      'run',
      'Bulk.RunAction',
      '--param',
      'action=trash',
      '--param',
      "query=SELECT * FROM File WHERE dc:title = 'nowhere'",
    ]
    const tried = await cli([...call, '--dry-run'])
    expect(tried).toMatchObject({
      code: 0,
      out: expect.stringContaining('bulk command trash on 0 documents'),
    })
    expect(tried.out).not.toContain('commandId')
  })

  test('shows what it would do with --dry-run, and does not', async () => {
    const call = ['run', 'create', '--input', 'doc:/default-domain', '--param', 'name=dry', '--dry-run']
    const { code, out, err } = await cli(call)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^documentCreated +\/default-domain\/dry +Folder$/m)
    expect(out).toMatch(/^It would return the document \/default-domain\/dry$/m)
    expect(JSON.parse((await cli([...call, '--json'])).out)).toMatchObject({ boundaries: 0 })
    const find = ['run', 'Repository.GetDocument', '--param', 'value=/default-domain/dry']
    expect((await cli(find)).code).toBe(1)
    expect((await cli(['run', 'create', '--dry-run'])).code).toBe(5)
  })

  test('counts the items of a loop, and the same key is the same run', async () => {
    const key = uniqueName('key')
    const arguments_ = ['run', 'each', '--context', numbers(7), '--idempotency-key', key]
    const first = await cli(arguments_)
    const second = await cli(arguments_)
    expect(first).toMatchObject({ code: 0, out: '' })
    expect(first.err).toContain('[x] loop    Context.RunOperationOnListInNewTx say')
    const [note, run] = second.err.split('\n')
    expect(run).toBe(first.err.split('\n')[0])
    expect(note).toMatch(
      /^An earlier call with this idempotency key started the run; .*archivolt retry each-/,
    )
    const other = await cli(['run', 'each', '--context', numbers(8), '--idempotency-key', key])
    expect(other).toMatchObject({ code: 7, err: expect.stringContaining('Idempotency-Key') })
  })

  test('names the items that failed, also afterwards', async () => {
    await deployed('find', '- Repository.GetDocument:\n    value: expr:item\n')
    await deployed(
      'find-all',
      '- RunOperationOnListInNewTx:\n    id: find\n    list: paths\n    rollbackGlobalOnError: false\n',
    )
    const paths = JSON.stringify(['/default-domain', '/no/such', '/default-domain'])
    const { code, err } = await cli(['run', 'find-all', '--context', `paths:=${paths}`])
    const id = /Run (\S+)/.exec(err)?.[1] ?? ''
    const logs = await cli(['logs', id])
    for (const text of [err, logs.out]) {
      expect(text).toContain('3 of 3 items, 1 failed\n')
      expect(text).toMatch(/^item 1: .*\/no\/such.* \(404\)$/m)
    }
    expect({ code, logs: logs.code }).toEqual({ code: 0, logs: 0 })
  })

  test('names the item at which a loop has ended', async () => {
    await deployed('find-each', '- RunOperationOnListInNewTx:\n    id: find\n    list: paths\n')
    const paths = JSON.stringify(['/default-domain', '/no/such', '/default-domain'])
    const { code, err } = await cli(['run', 'find-each', '--context', `paths:=${paths}`])
    const logs = await cli(['logs', /Run (\S+)/.exec(err)?.[1] ?? ''])
    for (const text of [err, logs.out]) {
      expect(text).toContain('1 of 3 items, stopped at item 1\n')
      expect(text).toMatch(/^item 1: .*\/no\/such.* \(404\)$/m)
    }
    expect(logs.out).toContain('0 of 1 steps done, 1 item failed')
    expect(code).toBe(1)
  })

  test('uploads files and saves the file that comes out', async () => {
    await deployed('same', '- Context.SetInputAsVar:\n    name: it\n')
    const path = await file('größe.txt', 'some text')
    const target = join(folder, 'copy.txt')
    expect(await cli(['run', 'same', '--input', `@${path}`, '--output', target])).toMatchObject({ code: 0 })
    expect(await readFile(target, 'utf8')).toBe('some text')
    expect((await cli(['run', 'same', '--input', `@${path}`])).err).toContain('the file größe.txt')
    const piped = await cli(['run', 'same', '--input', `@${path}`, '--output', '-'])
    expect(piped.out).toBe('some text')
  })

  test('saves a list of files under their own names', async () => {
    const paths = [await file('a.txt', 'one'), await file('b.txt', 'two')]
    const target = join(folder, 'list')
    const inputs = paths.flatMap((path) => ['--input', `@${path}`])
    expect(await cli(['run', 'same', ...inputs, '--output', target])).toMatchObject({ code: 0 })
    expect(await readFile(join(target, 'a.txt'), 'utf8')).toBe('one')
    expect(await readFile(join(target, 'b.txt'), 'utf8')).toBe('two')
  })

  test('a run that fails says why', async () => {
    await deployed('find-it', '- Repository.GetDocument:\n    value: expr:item\n')
    const missing = await cli(['run', 'find-it', '--context', 'item=/no/such'])
    expect(missing).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/archivolt: The run \S+ failed: .+\n$/),
    })
    const id = /Run (\S+)/.exec(missing.err)?.[1] ?? ''
    expect(await cli(['status', id])).toMatchObject({ code: 1, out: expect.stringContaining('reason ') })
    await expect
      .poll(() => cli(['logs', id]))
      .toMatchObject({ code: 0, out: expect.stringContaining('[!] segment') })
    expect(await cli(['result', id])).toMatchObject({ code: 1 })
  })

  test('runs are listed, and what failed is started again', async () => {
    await deployed('find-late', '- Repository.GetDocument:\n    value: expr:item\n')
    await deployed(
      'find-late-all',
      '- RunOperationOnListInNewTx:\n    id: find-late\n    list: paths\n    rollbackGlobalOnError: false\n',
    )
    const late = ['run', 'create', '--input', 'doc:/default-domain', '--param', 'name=late']
    const paths = `paths:=${JSON.stringify(['/default-domain', '/default-domain/late'])}`
    const [failed, loop] = [
      await cli(['run', 'find-late', '--context', 'item=/default-domain/late']),
      await cli(['run', 'find-late-all', '--context', paths]),
    ].map(({ err }) => /Run (\S+)/.exec(err)?.[1] ?? '')
    const list = ['runs', '--chain', 'find-late', '--state', 'failed']
    await expect.poll(async () => (await cli(list)).out).toContain(failed)
    expect((await cli(list)).out).toMatch(/^find-late-\S+ +find-late +failed +Administrator +\S+Z +\S+/)
    expect(JSON.parse((await cli([...list, '--json'])).out)[0]).toMatchObject({ workflowId: failed })
    expect((await cli(['retry', failed ?? ''])).err).not.toContain('--current')
    await deployed('find-late', '- Repository.GetDocument:\n    value: expr:item\n- Log: {message: found}\n')
    expect(await cli(['retry', failed ?? ''])).toMatchObject({
      code: 1,
      err: expect.stringContaining('retry --current uses the latest'),
    })
    const again = await cli(['retry', '--items', loop ?? ''])
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringContaining('1 item failed again: archivolt logs'),
    })
    expect((await cli(['status', /Run (\S+)/.exec(again.err)?.[1] ?? ''])).code).toBe(1)
    expect((await cli(late)).code).toBe(0)
    expect(await cli(['retry', failed ?? ''])).toMatchObject({
      code: 0,
      err: expect.stringContaining(`Run ${failed}\n`),
    })
    expect((await cli(['retry', failed ?? ''])).code).toBe(7)
    await expect
      .poll(async () => (await cli(['runs', '--chain', 'find-late-all'])).out)
      .toMatch(new RegExp(`${loop} .*  2 of 2 items, 1 failed`))
    expect((await cli(['retry', '--item', '0', loop ?? ''])).code).toBe(6)
    expect((await cli(['retry', '--item', '1', '--node', '1', loop ?? ''])).code).toBe(6)
    expect((await cli(['retry', '--item', 'first', loop ?? ''])).code).toBe(2)
    expect((await cli(['retry', '--node', '0', loop ?? ''])).code).toBe(2)
    const items = await cli(['retry', '--item', '1', '--node', '0', loop ?? ''])
    expect(items).toMatchObject({ code: 0, err: expect.stringContaining(`Run ${loop}-items-`) })
    expect((await cli(['retry', '--items', loop ?? ''])).code).toBe(6)
    const repair = /Run (\S+)/.exec(items.err)?.[1] ?? ''
    await expect
      .poll(async () => (await cli(['runs', '--chain', 'find-late-all'])).out)
      .toMatch(new RegExp(`${repair} .*  1 of 1 items\n`))
    const other = await cli(['retry', '--items', '--async', 'no-such-run'])
    expect(other.code).toBe(6)
    expect((await cli(['runs', '--limit', 'many'])).code).toBe(2)
    expect((await cli(['runs', '--state', 'odd'])).code).toBe(5)
  })

  test.each([
    [['run', 'no-such-chain'], 6],
    [['run', 'Document.Create', '--input', 'doc:/default-domain'], 5],
    [['run', 'Repository.Query', '--param', 'query=SELECT * FROM Document', '--param', 'pageSize=x'], 5],
    [['run', 'say', '--input', 'doc:/no/such'], 6],
    [['status', 'no-such-run'], 6],
    [['run', 'say', '--input', '@/no/such/file'], 2],
    [['run', 'say', '--param', 'novalue'], 2],
    [['deploy', '/no/such.yaml'], 2],
    [['deploy', '/etc/hostname'], 2],
  ])('%j ends with %d and one line', async (given, code) => {
    const outcome = await cli(given)
    expect(outcome).toMatchObject({ code, out: '' })
    expect(outcome.err).toMatch(/^archivolt: [^\n]+\n$/)
  })
})

test('a parameter that a variable gives is not missed before the run', async () => {
  const { code, err } = await cli([
    'run',
    'Document.Create',
    '--input',
    'doc:/default-domain',
    '--context',
    'type=Nothing',
  ])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Nothing') })
})

describe('a run that is not waited for', () => {
  test('is followed by its id, and its result fetched', async () => {
    const { out } = await cli(['run', 'each', '--context', numbers(20), '--async'])
    const id = out.trim()
    // Progress and end are one stream, in order.
    const watched = await cli(['status', id, '--watch'])
    expect(watched).toMatchObject({ code: 0, err: '' })
    expect(watched.out).toMatch(/^1\/1 \[[>x]\] loop[\s\S]*status +completed/)
    expect(JSON.parse((await cli(['status', id, '--watch', '--json'])).out)).toMatchObject({ workflowId: id })
    expect(await cli(['result', id])).toMatchObject({ code: 0, out: '' })
    expect(await cli(['cancel', id])).toMatchObject({ code: 7 })
  })

  test('goes on after Ctrl-C, and stops when it is cancelled', async () => {
    const { child, said, ended } = start(['run', 'each', '--context', numbers(20_000)])
    await expect.poll(() => said.err).toContain('[>] loop')
    child.kill('SIGINT')
    const outcome = await ended
    expect(outcome).toMatchObject({ code: 130, out: '' })
    const id = /The run (\S+) continues/.exec(outcome.err)?.[1] ?? ''
    expect((await cli(['status', id])).out).toMatch(/status +running/)
    expect(await cli(['cancel', id])).toMatchObject({
      code: 0,
      err: expect.stringContaining(`archivolt retry ${id}`),
    })
    expect((await cli(['status', id, '--watch'])).code).toBe(8)
    expect(await cli(['retry', id, '--async'])).toMatchObject({ code: 0, out: `${id}\n` })
    expect((await cli(['status', id])).out).toMatch(/status +running/)
    expect((await cli(['cancel', id])).code).toBe(0)
    expect((await cli(['status', id, '--watch'])).code).toBe(8)
  })
})

test('the command works in any folder', async () => {
  const { code, out, err } = await start(['chains', '--json']).ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id: 'say', version: 1 }))
})

test('a reader that has seen enough is no error', async () => {
  const { child, ended } = start(['chains'])
  child.stdout.destroy()
  expect(await ended).toEqual({ code: 0, out: '', err: '' })
})

describe('what is deployed', () => {
  const name = 'kept'
  const yaml = (message: string) => `- Log:\n    message: ${message}\n`

  test('has versions, which differ, and to which one returns', async () => {
    await deployed(name, yaml('one'))
    await deployed(name, yaml('two'))
    expect((await cli(['versions', name])).out).toMatch(
      /^version 1 {2}\S+ {2}Administrator\nversion 2 {2}\S+ {2}Administrator {2}in force\n$/,
    )
    expect((await cli(['diff', name])).out).toBe(
      '--- kept version 1\n+++ kept version 2\n@@ -1,2 +1,2 @@\n - Log:\n-    message: one\n+    message: two\n',
    )
    expect(await cli(['rollback', name])).toEqual({
      code: 0,
      out: 'kept  version 3, as version 1\n',
      err: '',
    })
    expect(await cli(['diff', name, '1', '3'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/same text/),
    })
    expect((await cli(['rollback', name, '--to', '2'])).out).toBe('kept  version 4, as version 2\n')
    expect(await cli(['rollback', name, '--to', '9'])).toMatchObject({
      code: 6,
      err: 'archivolt: kept has no version 9; it has 1, 2, 3, 4\n',
    })
  })

  test('is deleted, and brought back', async () => {
    expect(await cli(['delete', name])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Deleted kept; .* rollback kept\n$/),
    })
    expect((await cli(['chains'])).out).not.toMatch(/^kept /m)
    expect((await cli(['versions', name])).out).toMatch(/deleted\n$/)
    expect((await cli(['rollback', name])).out).toBe('kept  version 6\n')
    expect((await cli(['delete', 'chains/nothing'])).code).toBe(6)
    expect((await cli(['delete', 'chains/'])).code).toBe(2)
  })

  test('of other points is named with the point', async () => {
    const script = await file('Demo.Kept.yaml', 'script: function run(input) { return input }\n')
    expect((await cli(['deploy', script])).code).toBe(0)
    expect((await cli(['versions', 'scripts/Demo.Kept'])).out).toContain('in force')
    expect(await cli(['rollback', 'scripts/Demo.Kept'])).toMatchObject({
      code: 6,
      err: expect.stringMatching(/has one version/),
    })
  })
})

test('converters are listed with their types, and what they lack', async () => {
  const { code, out } = await cli(['converters'])
  expect(code).toBe(0)
  expect(out).toMatch(/^any2pdf {2,}application\/pdf {2,}(?:available|needs .*) {2,}from /m)
})

test('conversions are listed for their owner alone', async () => {
  const none = { code: 0, out: '', err: expect.stringMatching(/^You have no conversions/) }
  expect(await cli(['conversions'])).toEqual(none)
  const properties = { 'file:content': { name: 'letter.txt', 'mime-type': 'text/plain', data: 'text' } }
  await send('path/default-domain/workspaces', {
    'entity-type': 'document', type: 'File', name: 'letter', properties,
  }) // biome-ignore format: read as one line
  const { conversionId } = await send('path/default-domain/workspaces/letter/@convert?format=html&async=true')
  await expect
    .poll(async () => (await cli(['conversions'])).out, { timeout: 60_000 })
    .toMatch(new RegExp(`^${conversionId}  html  completed  \\S+  [\\d.]+ s  letter.txt$`, 'm'))
  expect(JSON.parse((await cli(['conversions', '--json'])).out)).toMatchObject([
    { conversionId, file: 'letter.txt' },
  ])
  expect((await cli(['conversions', '--limit', '0'])).code).toBe(2)
  await addUser(platform, 'ann', ['members'])
  const ann = { ...administrator, ARCHIVOLT_USER: 'ann', ARCHIVOLT_PASSWORD: USER_PASSWORD }
  expect(await cli(['conversions'], { environment: ann })).toEqual(none)
})

test('a list of nothing says so, beside the result', async () => {
  expect(await cli(['runs', '--chain', 'nothing'])).toEqual({
    code: 0,
    out: '',
    err: 'No run is like this\n',
  })
})

test('a parameter that nothing reads is warned of', async () => {
  const said = /^Warning: unknown parameter "massage" of say/m
  expect((await cli(['run', 'say', '--param', 'massage=x', '--dry-run'])).out).toMatch(said)
  expect((await cli(['run', 'say', '--param', 'massage=x'])).err).toMatch(said)
})

test('a run is opened in the Temporal UI, or said to have no address', async () => {
  const { err } = await cli(['run', 'say'])
  const [, id = ''] = /Run (\S+)/.exec(err) ?? []
  expect(await cli(['open', id])).toMatchObject({
    code: 6,
    err: expect.stringMatching(/ARCHIVOLT_TEMPORAL_UI/),
  })
})
