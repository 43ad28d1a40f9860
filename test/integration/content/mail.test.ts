// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the marks of templates

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { aceId } from '../../../core/access/security/index.js'
import { setAcls } from '../../../core/content/documents/index.js'
import { createBlobValue } from '../../../core/files/blobs/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { createAutomationRuntime, createMailDelivery } from '../../../runtime/index.js'
import { createIdentityStore, createMailStore } from '../../../storage/postgres/index.js'
import { startMailOnDemand } from '../../../worker/on-demand/mail-delivery.js'
import { soon } from '../../support/soon.js'
import { startTestWorker } from '../../support/start-worker.js'
import { uniqueName } from '../../support/template.js'
import { createMailServer } from '../support/mail-server.js'
import {
  ADMINISTRATOR,
  ANN,
  type Call,
  createOperationBench,
  documentOf,
  input,
  inputs,
  STRANGER,
} from '../support/operations-support.js'
import { addUser } from '../support/rest-client.js'

const folder = await mkdtemp(join(tmpdir(), 'archivolt-mail-'))
await writeFile(
  join(folder, 'templates.yaml'),
  'templates:\n  greeting: { text: "<p>About ${Document.name?html}</p>" }\n',
)
const server = await createMailServer()
const { platform, close, run, create, chain } = await createOperationBench({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  ARCHIVOLT_TASK_QUEUE: uniqueName('queue'),
  ARCHIVOLT_SMTP_URL: server.url,
  ARCHIVOLT_MAIL_FROM: 'Archivolt <archive@example.com>',
  ARCHIVOLT_CONFIG: folder,
})
const { sql } = platform.database
const users = createIdentityStore(sql)
await users.updateUser('ann', { email: 'ann@example.com' })
await users.insertGroup({ groupname: 'staff', label: null, description: null })
await addUser(platform, 'bob', ['staff'])
await users.updateUser('bob', { email: 'bob@example.com' })
await addUser(platform, 'mute', ['staff'])
afterAll(close)
afterAll(() => rm(folder, { recursive: true, force: true }))

const deliver = createMailDelivery(platform)

const states = async () =>
  sql<{ state: string; attempts: number; error: string | null }[]>`
    SELECT state, attempts, error FROM mails ORDER BY created_at`

let file: DocumentRecord
let count = 0

beforeEach(async () => {
  await sql`DELETE FROM mails`
  server.mails.length = 0
  server.state.refusal = undefined
  const stored = await platform.blobs.write(Buffer.from('the file'))
  file = await create('/default-domain/workspaces', 'File', `mailed-${count++}`, {
    'file:content': createBlobValue({ stored, name: 'letter.txt' }),
  })
})

const MAIL = { from: 'boss@example.com', to: 'ann', subject: 'Hello', message: 'A text.' }

const mail = (params: object, call: Call = {}) =>
  run('Document.Mail', { input: input(file), ...call, params: { ...MAIL, ...params } as never })

describe('Document.Mail', () => {
  it('is sent once, after the commit', async () => {
    expect(documentOf(await mail({})).id).toBe(file.id)
    expect(server.mails).toEqual([])
    expect(await deliver()).toEqual({ sent: 1, failed: 0, later: 0 })
    expect(await deliver()).toEqual({ sent: 0, failed: 0, later: 0 })
    const [sent] = server.mails
    expect(sent).toMatchObject({ from: 'boss@example.com', to: ['ann@example.com'] })
    expect(sent?.text).toMatch(/^Subject: Hello$/m)
    expect(sent?.text).toMatch(/^Content-Type: text\/plain/m)
    expect(sent?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@example\.com>$/m)
    expect(sent?.text).toContain('A text.')
    expect(await states()).toEqual([{ state: 'sent', attempts: 1, error: null }])
  })

  it.each<[string, object, string[]]>([
    ['users', { to: ['ann', 'user:bob'] }, ['ann@example.com', 'bob@example.com']],
    ['a group, those who have an address', { to: 'group:staff' }, ['bob@example.com']],
    [
      'addresses',
      { to: 'Eve Day <eve@example.com>,eve@example.org' },
      ['eve@example.com', 'eve@example.org'],
    ],
    [
      'everybody once',
      { to: 'ann,ann', cc: 'bob', bcc: 'eve@example.com' },
      ['ann@example.com', 'bob@example.com', 'eve@example.com'],
    ],
    ['those who are known', { to: 'nobody,mute,ann', 'Strict User Resolution': false }, ['ann@example.com']],
  ])('goes to %s', async (_case, params, to) => {
    await mail(params)
    await deliver()
    expect(server.mails.map((sent) => sent.to)).toEqual([to])
    expect(server.mails[0]?.text).not.toMatch(/^bcc:/im)
  })

  it('carries files, HTML and whom to answer', async () => {
    await mail({ HTML: true, message: '<b>Hi</b>', files: 'file:content,files:files', replyto: 'bob' })
    await deliver()
    const text = server.mails[0]?.text ?? ''
    expect(text).toMatch(/^Reply-To: bob@example\.com$/m)
    expect(text).toMatch(/^Content-Type: text\/html/m)
    expect(text).toContain('<b>Hi</b>')
    expect(text).toMatch(/filename=letter\.txt/)
    expect(text).toContain(Buffer.from('the file').toString('base64'))
  })

  it.each<[string, object, string]>([
    [
      'FreeMarker',
      { message: '<#if docTitle??>${docTitle} at ${docUrl} for ${to}</#if>' },
      '%s at http%s for ann',
    ],
    ['a deployed template', { message: 'template:greeting', HTML: true }, '<p>About %s</p>'],
  ])('is written by %s', async (_case, params, expected) => {
    await mail(params)
    await deliver()
    const text = (server.mails[0]?.text ?? '').replace(/=\n/g, '')
    for (const part of expected.split('%s').filter(Boolean)) expect(text).toContain(part)
    expect(text).toContain(file.name)
  })

  it('takes what an expression gives for text, not for a template', async () => {
    const message = 'expr:"${1 + 1} </#if> template:" + Document.name'
    await chain([{ operation: 'Document.Mail', params: { ...MAIL, message } }], { input: input(file) })
    await deliver()
    expect(server.mails[0]?.text.replace(/=\n/g, '')).toContain(`\${1 + 1} </#if> template:${file.name}`)
  })

  it('is one for each document of a list', async () => {
    const other = await create('/default-domain/workspaces', 'File', 'other')
    await mail({}, { input: inputs(file, other) })
    expect((await deliver()).sent).toBe(2)
  })

  it('is not sent when its transaction is rolled back', async () => {
    const steps = [
      { operation: 'Document.Mail', params: MAIL },
      { operation: 'Document.SetProperty', params: { xpath: 'no:such', value: 'x' } },
    ]
    await expect(chain(steps, { input: input(file) })).rejects.toMatchObject({ code: 'badRequest' })
    expect(await states()).toEqual([])
  })

  it('writes no header that a text brings along', async () => {
    await mail({ subject: 'One\r\nBcc: eve@example.com' })
    await deliver()
    expect(server.mails[0]?.to).toEqual(['ann@example.com'])
    expect(server.mails[0]?.text).toMatch(/^Subject: One Bcc: eve@example\.com$/m)
  })

  it.each<[object, RegExp, string?]>([
    [{ to: 'nobody' }, /to: 'nobody'/],
    [{ to: 'mute' }, /to: 'mute'/],
    [{ cc: 'nobody' }, /cc: 'nobody'/],
    [{ to: 'a@b@c' }, /to: 'a@b@c'/],
    [{ to: 'nobody', 'Strict User Resolution': false }, /to: none of the receivers/],
    [{ from: 'nobody' }, /from: 'nobody'/],
    [{ from: 'group:staff,ann' }, /from: /],
    [{ replyto: 'x@' }, /replyto: 'x@'/],
    [{ files: 'dc:title' }, /dc:title/],
    [{ files: 'no:such' }, /no:such/],
    [{ message: 'template:x' }, /^.*message: template: no template 'x' is deployed$/],
    [{ message: 'Hi ${nobody.name}' }, /message: template: line 1, column 4: .*nobody/],
    [{ message: 'Hi <#if>' }, /message: template: line 1, column 4: /],
    [{ subject: 'x'.repeat(1001) }, /subject/, 'tooLarge'],
    [{ subject: null }, /subject/],
    [{ message: null }, /message/],
    [{ to: null }, /to/],
    [{ from: null }, /from/],
  ])('%j is refused, or left out by those who go on', async (params, message, code = 'badRequest') => {
    const given = Object.fromEntries(
      Object.entries({ ...MAIL, ...params }).filter(([, value]) => value !== null),
    )
    const call = (more: object) =>
      run('Document.Mail', { input: input(file), params: { ...given, ...more } as never })
    await expect(call({})).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    if (Object.keys(given).length === Object.keys({ ...MAIL, ...params }).length)
      expect(documentOf(await call({ rollbackOnError: false })).id).toBe(file.id)
    expect(await states()).toEqual([])
  })
})

describe('delivery', () => {
  it.each([
    ['451 later', 'waiting', { sent: 0, failed: 0, later: 1 }],
    ['550 never', 'failed', { sent: 0, failed: 1, later: 0 }],
  ])('after the answer %s the mail is %s', async (refusal, state, delivered) => {
    server.state.refusal = refusal
    await mail({})
    expect(await deliver()).toEqual(delivered)
    expect(await states()).toEqual([{ state, attempts: 1, error: expect.stringContaining(refusal) }])
    server.state.refusal = undefined
    expect((await deliver()).sent).toBe(0)
    await sql`UPDATE mails SET next_attempt_at = now() - interval '1 second'`
    expect((await deliver()).sent).toBe(state === 'waiting' ? 1 : 0)
  })

  it('is shared by processes, each mail by one', async () => {
    for (let each = 0; each < 6; each++) await mail({ subject: `Mail ${each}` })
    const done = await Promise.all([deliver(), deliver(), deliver()])
    expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(6)
    expect(new Set(server.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).size).toBe(6)
  })

  it('takes up what a lost process has left, and forgets what is old', async () => {
    await mail({})
    const store = createMailStore(sql)
    expect(await store.takeDue(new Date())).toMatchObject({ attempts: 1 })
    expect(await store.takeDue(new Date())).toBeUndefined()
    expect(await store.takeDue(new Date(Date.now() + 601_000))).toMatchObject({ attempts: 2 })
    await sql`UPDATE mails SET state = 'sent', settled_at = now() - interval '31 days'`
    await store.removeOld()
    expect(await states()).toEqual([])
  })

  it('begins as soon as a transaction has committed', async () => {
    const address = inject('temporalAddress')
    const connection = await NativeConnection.connect({ address })
    const runtime = await createAutomationRuntime(platform)
    const { settings } = platform
    const stopWorker = await startTestWorker({ connection, settings, platform, runtime })
    const stop = await startMailOnDemand({ connection, platform })
    await mail({})
    await soon(() => expect(server.mails).toHaveLength(1))
    await soon(async () => expect(await states()).toMatchObject([{ state: 'sent' }]))
    await stop()
    const client = new Client({ connection: await Connection.connect({ address }) })
    const handle = client.workflow.getHandle(`${settings.temporal.taskQueue}-mail-delivery-now`)
    await handle.result()
    await client.connection.close()
    await stopWorker()
    await runtime.close()
    await connection.close()
  })
})

describe('Document.SendNotificationEmailForPermission', () => {
  const grant = (username: string, granted = true) => ({
    username,
    permission: 'Read',
    granted,
    creator: 'Administrator',
    end: '2099-05-01T00:00:00.000Z',
    comment: 'Please look',
  })
  const setLocal = (aces: ReturnType<typeof grant>[]) =>
    platform.withSession(ADMINISTRATOR, (session) => setAcls(session, file, [{ name: 'local', aces }]))
  const notify = (id: string, call: Call = {}) =>
    run('Document.SendNotificationEmailForPermission', { input: input(file), params: { id }, ...call })

  it('notifies each of those who hold it', async () => {
    await setLocal([grant('staff'), grant('ann')])
    expect(documentOf(await notify(aceId(grant('staff')))).id).toBe(file.id)
    await notify(aceId(grant('ann')))
    await deliver()
    expect(server.mails.map(({ from, to }) => [from, to])).toEqual([
      ['archive@example.com', ['bob@example.com']],
      ['archive@example.com', ['ann@example.com']],
    ])
    expect(server.mails[1]?.text).toContain('Administrator gave you the permission Read on')
    expect(server.mails[1]?.text).toContain('It ends on 2099-05-01.')
    expect(server.mails[1]?.text).toContain('Please look')
    expect(server.mails[1]?.text.replace(/=\n/g, '')).toContain(file.id)
  })

  it.each<[string, string]>([
    ['ann', 'badRequest'],
    ['ann:Write:true', 'badRequest'],
    ['mute:Read:true', 'conflict'],
    ['bob:Read:false', 'badRequest'],
  ])('%s is refused', async (id, code) => {
    const bare = { ...grant('mute'), creator: null, end: null }
    await setLocal([bare, { ...bare, username: 'bob', granted: false }] as never)
    await expect(notify(id)).rejects.toMatchObject({ code })
    expect(await states()).toEqual([])
  })

  it('asks for the right to change rights', async () => {
    await setLocal([grant('ann')])
    const id = aceId(grant('ann'))
    await expect(notify(id, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(notify(id, { as: STRANGER })).rejects.toMatchObject({ code: 'notFound' })
  })
})

describe('a permission that is granted with notify', () => {
  const granted = (params: object, call: Call = {}) =>
    run('Document.AddPermission', {
      input: input(file),
      params: { permission: 'Read', notify: true, ...params } as never,
      ...call,
    })
  const sentTo = async () => {
    await deliver()
    return server.mails.map(({ to }) => to)
  }

  it('is announced to its holder', async () => {
    await granted({ username: 'ann', comment: 'Have a look', begin: '2099-04-01T00:00:00.000Z' })
    expect(await sentTo()).toEqual([['ann@example.com']])
    const { text } = server.mails[0]!
    for (const line of ['the permission Read on', 'It begins on 2099-04-01.', 'Have a look'])
      expect(text).toContain(line)
  })

  it('is announced to each whom it names, members of groups and strangers too', async () => {
    await granted({ users: 'staff,ann', email: 'eve@example.org', end: '2099-05-01T00:00:00.000Z' })
    expect((await sentTo()).flat().sort()).toEqual(['ann@example.com', 'bob@example.com', 'eve@example.org'])
  })

  it('is notified when it is put in the place of another', async () => {
    await granted({ username: 'ann', notify: false })
    expect(await sentTo()).toEqual([])
    await run('Document.ReplacePermission', {
      input: input(file),
      params: {
        id: 'ann:Read:true:Administrator',
        username: 'bob',
        permission: 'Write',
        notify: true,
      } as never,
    })
    expect(await sentTo()).toEqual([['bob@example.com']])
  })

  it('is granted to whoever cannot be notified', async () => {
    const acls = await granted({ username: 'mute' }).then(() =>
      platform.readSession(ADMINISTRATOR).stores.acls.local(file.id),
    )
    expect(acls.flatMap(({ aces }) => aces.map(({ username }) => username))).toContain('mute')
    expect(await sentTo()).toEqual([])
  })

  it('is announced to nobody when it is refused', async () => {
    await expect(granted({ username: 'bob' }, { as: ANN })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await sentTo()).toEqual([])
  })
})
