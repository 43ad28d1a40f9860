import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { uniqueName } from '../../../support/template.js'
import { createCliServer, LOGGING_CHAINS } from '../../support/cli-support.js'

const { cli, deployed, start, file, folder } = await createCliServer()

const numbers = (count: number): string => `numbers:=${JSON.stringify([...Array(count).keys()])}`

for (const [id, yaml] of Object.entries(LOGGING_CHAINS)) await deployed(id, yaml)

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
      err: expect.stringContaining(`1 item failed again: archivolt logs ${loop}\n`),
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

test('a run is opened in the Temporal UI, or said to have no address', async () => {
  const { err } = await cli(['run', 'say'])
  const [, id = ''] = /Run (\S+)/.exec(err) ?? []
  expect(await cli(['open', id])).toMatchObject({
    code: 6,
    err: expect.stringMatching(/ARCHIVOLT_TEMPORAL_UI/),
  })
})
