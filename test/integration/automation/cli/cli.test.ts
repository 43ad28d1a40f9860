import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../../../support/platform.js'
import { createCliServer, LOGGING_CHAINS } from '../../support/cli-support.js'
import { addUser, type Entity, USER_PASSWORD } from '../../support/rest-client.js'

const { cli, deployed, start, file, folder, url, administrator, platform } = await createCliServer()

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

const _numbers = (count: number): string => `numbers:=${JSON.stringify([...Array(count).keys()])}`

for (const [id, yaml] of Object.entries(LOGGING_CHAINS)) await deployed(id, yaml)

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

  test('is a text of its own, also when a file of several brought it', async () => {
    const part = '  kept-part:\n    # greets\n    - Log:\n        message: one\n'
    const several = await file('parts.yaml', `chains:\n\n  kept-other: [Log: {message: x}]\n${part}`)
    expect((await cli(['deploy', several])).code).toBe(0)
    await deployed('kept-part', '- Log:\n    message: one\n- Log:\n    message: two\n')
    const [, , ...changed] = (await cli(['diff', 'kept-part'])).out.trimEnd().split('\n')
    expect(changed).toEqual([
      '@@ -1,2 +1,4 @@',
      ' - Log:',
      '     message: one',
      '+- Log:',
      '+    message: two',
    ])
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
