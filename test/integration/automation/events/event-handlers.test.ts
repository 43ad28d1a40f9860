import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOfBody } from '../../../../api/contributions/set.js'
import {
  createDocument,
  getDocument,
  type Session,
  updateDocument,
} from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createAutomationRuntime, createPlatform } from '../../../../runtime/index.js'
import { createTestPlatform } from '../../../support/platform.js'
import { documentTools } from '../../support/document-support.js'
import { ADMINISTRATOR, ANN, deployerOf } from '../../support/operations-support.js'

const logged: { listener?: string; msg: string; err?: { message: string } }[] = []
const log = new Writable({
  write: (line, _, done) => {
    logged.push(JSON.parse(String(line)))
    done()
  },
})
const { platform } = await createTestPlatform({}, pino({ level: 'error' }, log))
const runtime = await createAutomationRuntime(platform)
afterAll(() => runtime.close())
const { as, grant } = documentTools({ platform })

const deploy = deployerOf(runtime)
const remove = (name: string) =>
  runtime.deployments.remove({ principal: ADMINISTRATOR, point: 'eventHandlers', name, precondition: {} })

const setDescription = (value: string) => ({
  'Document.SetProperty': { xpath: 'dc:description', value },
})
const FETCH = 'Context.FetchDocument'

let folder: DocumentRecord
let made = 0
beforeAll(async () => {
  folder = await as((session) => createDocument(session, { parent: '/', name: 'watched', type: 'Folder' }))
  await grant(folder.id, 'ann', ['ReadWrite'])
  await deploy('chains', 'mark', {
    operations: [
      FETCH,
      setDescription('expr:@{Event.name} by @{Event.principal} @{CurrentUser.name} @{Event.properties.type}'),
    ],
  })
  await deploy('chains', 'mark-and-fail', {
    operations: [FETCH, setDescription('lost'), { 'Repository.GetDocument': { value: '/no/such' } }],
  })
  await deploy('chains', 'commits', { operations: [{ RunInNewTransaction: { id: 'mark' } }] })
})

const newFile = (session: Session, type = 'File') =>
  createDocument(session, {
    parent: folder.id,
    name: `file${made++}`,
    type,
    properties: { 'dc:title': 'new' },
  })
const descriptionOf = async ({ id }: DocumentRecord) =>
  (await getDocument(platform.readSession(ADMINISTRATOR), id)).properties['dc:description'] ?? null

const MARKED = 'documentCreated by ann ann File'

describe('inside of the transaction', () => {
  test.each<[string, object, string | null]>([
    ['without filters', {}, MARKED],
    ['of the type', { doctype: 'Note, File' }, MARKED],
    ['of another type', { doctype: ['Note'] }, null],
    ['with the facet', { facet: 'Versionable' }, MARKED],
    ['without the facet', { facet: 'Folderish' }, null],
    ['in the state', { lifeCycle: 'approved,project' }, MARKED],
    ['in another state', { lifeCycle: 'approved' }, null],
    ['below the path', { pathStartsWith: '/watched/' }, MARKED],
    ['elsewhere', { pathStartsWith: '/default-domain' }, null],
    ['of the kind', { attribute: 'Regular Document' }, MARKED],
    ['of another kind', { attribute: 'Document Version' }, null],
    ['by a member', { group: ['others', 'members'] }, MARKED],
    ['by nobody of the group', { group: 'others' }, null],
    ['by no administrator', { isAdministrator: false }, MARKED],
    ['not by an administrator', { isAdministrator: true }, null],
    ['where the condition is true', { condition: 'Document["dc:title"] == "new"' }, MARKED],
    ['where the condition sees the event', { condition: 'expr:@{Event.name == "documentCreated"}' }, MARKED],
    ['where the condition is false', { condition: 'Document["dc:title"] == "old"' }, null],
    ['where the older expression is true', { expression: 'Document["dc:title"] == "new"' }, null],
    ['where the older expression is false', { expression: 'Document["dc:title"] == "old"' }, MARKED],
    ['where one of several filters does not hold', { doctype: 'File', group: 'others' }, null],
    ['when it is disabled', { enabled: false }, null],
  ])('a chain runs, or not: %s', async (_, filters, expected) => {
    await deploy('eventHandlers', 'created', { events: ['documentCreated'], chain: 'mark', ...filters })
    const file = await as((session) => newFile(session), ANN)
    await remove('created')
    expect(await descriptionOf(file)).toBe(expected)
    expect(await descriptionOf(await as((session) => newFile(session), ANN))).toBe(null)
  })

  test('a chain is not notified of what it does itself', async () => {
    await deploy('eventHandlers', 'changed', { events: ['documentModified'], chain: 'mark' })
    const file = await as((session) => newFile(session), ANN)
    await as(async (session) => {
      const document = await getDocument(session, file.id)
      await updateDocument(session, document, { 'dc:title': 'changed' })
    }, ANN)
    await remove('changed')
    expect(await descriptionOf(file)).toBe('documentModified by ann ann File')
  })

  test('a chain that fails is undone and logged, and the change goes on', async () => {
    await deploy('eventHandlers', 'failing', { events: ['documentCreated'], chain: 'mark-and-fail' })
    const file = await as((session) => newFile(session), ANN)
    await remove('failing')
    expect(await descriptionOf(file)).toBe(null)
    expect(logged).toContainEqual(
      expect.objectContaining({
        listener: 'eventHandlers/failing',
        err: expect.objectContaining({ message: expect.stringContaining('/no/such') }),
      }),
    )
  })

  test('a chain is undone with the change', async () => {
    await deploy('eventHandlers', 'created', { events: ['documentCreated'], chain: 'mark' })
    const undone = as(async (session) => {
      await newFile(session)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await remove('created')
    const children = await platform.database.sql`SELECT FROM documents WHERE name = ${`file${made - 1}`}`
    expect(children).toHaveLength(0)
  })
})

test.each([
  ['a chain that commits on its way', { events: ['documentCreated'], chain: 'commits' }, /postCommit: true/],
  ['a chain that is not there', { events: ['documentCreated'], chain: 'nowhere' }, /no chain "nowhere"/],
  ['an operation', { events: ['documentCreated'], chain: 'Document.Query' }, /no chain "Document.Query"/],
  ['no event', { events: [], chain: 'mark' }, /names no event/],
  ['an unknown filter', { events: ['a'], chain: 'mark', type: 'File' }, /type/],
  ['an unknown kind', { events: ['a'], chain: 'mark', attribute: 'Folder' }, /attribute/],
])('is refused when it is deployed: %s', async (_, content, message) => {
  await expect(deploy('eventHandlers', 'refused', content)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  })
})

describe('events that no known source emits', () => {
  const warningsOf = async (events: unknown) => {
    const { warnings } = await deploy('eventHandlers', 'waiting', { events, chain: 'mark' })
    await remove('waiting')
    return warnings.map(({ field, message }) => `${field}: ${message}`)
  }
  const untold = (event: string, hint: string) =>
    `events: neither the product nor what is deployed emits the event "${event}"${hint}`

  test.each([
    ['documentCreatd', ', did you mean "documentCreated"?'],
    ['user_create', ', did you mean "user_created"?'],
    ['invoicePaid', ': it waits until somebody calls Event.Fire'],
  ])('%s is warned of', async (event, hint) => {
    expect(await warningsOf(['documentCreated', event])).toEqual([untold(event, hint)])
  })

  test('those of webhooks are warned of, and what workflows read of nothing', async () => {
    const warningsOf = async (point: string, content: object) =>
      (await deploy(point, 'odd', content)).warnings.map(({ message }) => message)
    const webhook = { url: 'https://bus.example.org', events: ['documentCreatd'], types: ['Fil'] }
    expect(await warningsOf('webhooks', webhook)).toEqual([
      expect.stringContaining('did you mean "documentCreated"?'),
      'there is no document type "Fil", did you mean "File"?',
    ])
    const condition = 'WorkflowVariables["raund"] == null'
    const nodes = {
      a: { start: true, transitions: [{ name: 'go', targetId: 'b', condition }] },
      b: { stop: true },
    }
    expect(await warningsOf('routes', { variables: { round: {} }, nodes })).toEqual([
      expect.stringContaining('did you mean "round"?'),
    ])
  })

  test('those of chains, scripts and schedules that are deployed are known, and meant', async () => {
    await deploy('chains', 'firing', {
      operations: [
        { 'Notification.SendEvent': { name: 'invoicePaid' } },
        { RunOperation: { id: 'Event.Fire', parameters: { name: 'invoiceLost' } } },
      ],
    })
    await deploy('scripts', 'Demo.Firing', {
      script: 'function run(input) { return Event.Fire(input, { name: "scriptRan" }) }',
    })
    await deploy('schedules', 'firing', { event: 'nightFell', cron: '0 0 1 1 *' })
    expect(await warningsOf('invoicePaid, invoiceLost, scriptRan, nightFell, documentMoved')).toEqual([])
    expect(await warningsOf('invoicePayed, nightFel')).toEqual([
      untold('invoicePayed', ', did you mean "invoicePaid"?'),
      untold('nightFel', ', did you mean "nightFell"?'),
    ])
    for (const [point, name] of [
      ['chains', 'firing'],
      ['scripts', 'Demo.Firing'],
      ['schedules', 'firing'],
    ] as const)
      await runtime.deployments.remove({ principal: ADMINISTRATOR, point, name, precondition: {} })
  })

  test('are reported by a dry run, with their place', async () => {
    const text = 'chain: mark\nevents: documentCreatd\n'
    const { warnings } = await runtime.deployments.plan({
      principal: ADMINISTRATOR,
      point: 'eventHandlers',
      name: 'waiting',
      text,
      format: 'yaml',
      precondition: {},
    })
    expect(warnings).toEqual([
      {
        field: 'events',
        line: 2,
        column: 9,
        message: expect.stringContaining('did you mean "documentCreated"?'),
      },
    ])
  })
})

describe('a listener inside of the transaction', () => {
  const removeListener = (name: string) =>
    runtime.deployments.remove({ principal: ADMINISTRATOR, point: 'listeners', name, precondition: {} })
  const listening = async (listeners: { [name: string]: object }): Promise<DocumentRecord> => {
    for (const [name, content] of Object.entries(listeners))
      await deploy('listeners', name, { events: ['documentCreated'], ...content })
    const file = await as((session) => newFile(session), ANN)
    for (const name of Object.keys(listeners)) await removeListener(name)
    return getDocument(platform.readSession(ADMINISTRATOR), file.id)
  }
  const propertyOf = async (listeners: { [name: string]: object }, property: string) =>
    (await listening(listeners)).properties[property] ?? null

  beforeAll(async () => {
    await deploy('scripts', 'Demo.Source', {
      script:
        'function run(input, params) { input["dc:source"] = params.text; return Session.saveDocument(input) }',
    })
  })

  const adding = (letter: string) => ({
    operation: 'Document.SetProperty',
    params: {
      xpath: 'dc:description',
      value: `expr:@{Document["dc:description"] == null ? "" : Document["dc:description"]}${letter}`,
    },
  })

  test('runs a chain, a script, or an operation with expressions', async () => {
    expect(await propertyOf({ one: { chain: 'mark' } }, 'dc:description')).toBe(MARKED)
    expect(await propertyOf({ one: { script: 'Demo.Source', params: { text: 'heard' } } }, 'dc:source')).toBe(
      'heard',
    )
    const operation = adding('@{Event.name}')
    expect(await propertyOf({ one: operation }, 'dc:description')).toBe('documentCreated')
  })

  test('lower priorities come first, and one that is disabled not at all', async () => {
    const listeners = {
      late: { ...adding('c'), priority: 5 },
      plain: adding('b'),
      early: { ...adding('a'), priority: -5 },
      disabled: { ...adding('d'), enabled: false },
      filtered: { ...adding('e'), doctype: 'Note' },
    }
    expect(await propertyOf(listeners, 'dc:description')).toBe('abc')
  })

  test('computes a due date in business days', async () => {
    await deploy('durations', 'review', { numberOfDays: 5 })
    const due = {
      operation: 'Document.SetProperty',
      params: {
        xpath: 'dc:expired',
        value: 'expr:BusinessDaysService.getLimitDate("review", CurrentDate.date)',
      },
    }
    const { properties } = await listening({ due })
    const days = Date.parse(String(properties['dc:expired'])) - Date.parse(String(properties['dc:created']))
    // A working week, of which the first day has begun.
    expect(days / 86_400_000).toBeGreaterThan(4)
    expect(days / 86_400_000).toBeLessThan(8)
  })

  test.each([
    ['no target', {}, /names one of chain, script, operation, work/],
    ['two targets', { chain: 'mark', operation: 'Log' }, /stands beside chain/],
    ['an unknown chain', { chain: 'nowhere' }, /no chain "nowhere"/],
    ['a class', { operation: 'org.example.Listener' }, /there is no operation "org.example.Listener"/],
    ['an operation as a script', { script: 'Log' }, /there is no script "Log"/],
    ['a chain that commits', { chain: 'commits' }, /commits on its way/],
    ['bulk', { chain: 'mark', bulk: true }, /takes postCommit: true or async: true/],
    ['one thread', { chain: 'mark', singlethread: true }, /runs of a listener go on beside each other/],
    ['long work', { work: 'mark' }, /takes async: true/],
    ['a step without work', { chain: 'mark', before: 'mark' }, /stands without work/],
    ['long work that writes', { work: 'mark', async: true }, /which Document.SetProperty needs/],
  ])('is refused with %s', async (_, content, message) => {
    await expect(
      deploy('listeners', 'refused', { events: ['documentCreated'], ...content }),
    ).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) })
  })

  test('an event that nobody emits is warned of', async () => {
    const { warnings } = await deploy('listeners', 'waiting', { events: ['documentCreatd'], chain: 'mark' })
    await removeListener('waiting')
    expect(warnings[0]?.message).toContain('did you mean "documentCreated"?')
  })
})

test('a chain that commits on its way may run after the commit', async () => {
  await deploy('eventHandlers', 'later', { events: ['noSuchEvent'], chain: 'commits', postCommit: true })
  await remove('later')
})

describe('a chain that something starts', () => {
  const removeChain = (name: string) =>
    runtime.deployments.remove({ principal: ADMINISTRATOR, point: 'chains', name, precondition: {} })
  const committing = { operations: [{ RunInNewTransaction: { id: 'mark' } }] }

  test('stays as long as it is needed, under each of its names', async () => {
    await deploy('chains', 'needed', { aliases: ['needed-too'], operations: [FETCH] })
    await deploy('eventHandlers', 'needing', { events: ['noSuchEvent'], chain: 'needed-too' })
    const conflict = {
      code: 'conflict',
      message: expect.stringContaining('started by eventHandlers/needing'),
    }
    await expect(removeChain('needed')).rejects.toMatchObject(conflict)
    await remove('needing')
    await deploy('schedules', 'needing', { chain: 'needed', cron: '0 0 1 1 *' })
    await expect(removeChain('needed')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('started by schedules/needing'),
    })
    await runtime.deployments.remove({
      principal: ADMINISTRATOR,
      point: 'schedules',
      name: 'needing',
      precondition: {},
    })
    await removeChain('needed')
  })

  test('does not become one that it cannot be started as', async () => {
    await deploy('chains', 'started', { operations: [FETCH] })
    await deploy('eventHandlers', 'starting', { events: ['noSuchEvent'], chain: 'started' })
    await deploy('schedules', 'starting', { chain: 'started', cron: '0 0 1 1 *' })
    const refusedAs = (message: string) => ({ code: 'invalid', message: expect.stringContaining(message) })
    await expect(deploy('chains', 'started', committing)).rejects.toMatchObject(
      refusedAs('eventHandlers/starting starts it: "started" commits on its way'),
    )
    const params = [{ who: { type: 'string', required: true } }]
    await expect(deploy('chains', 'started', { params, operations: [FETCH] })).rejects.toMatchObject(
      refusedAs('schedules/starting starts it: started needs the parameter "who"'),
    )
    await remove('starting')
    await deploy('chains', 'started', committing)
  })
})

describe('a file of a handler and its chain', () => {
  const deployFile = (chain: string) => {
    const text = [
      '<component><extension>',
      '  <handler chainId="filed"><event>documentCreated</event></handler>',
      `  ${chain}`,
      '</extension></component>',
    ].join('\n')
    const calls = callsOfBody(text, 'xml', [{ point: 'chains' }, { point: 'eventHandlers' }])
    return runtime.deployments.deployAll(
      calls.map((call) => ({ ...call, principal: ADMINISTRATOR, precondition: {} })),
    )
  }

  test.each([
    [
      '<chain id="filed"><operation id="Document.Mial"/></chain>',
      { message: 'unknown operation "Document.Mial", did you mean "Document.Mail"?', line: 3, column: 21 },
    ],
    [
      '<chain id="filed"><operation id="filed"/></chain>',
      { message: expect.stringContaining('the chain calls itself'), line: 3, column: 21 },
    ],
  ])('is refused with the place of what is wrong with %s', async (chain, detail) => {
    await expect(deployFile(chain)).rejects.toMatchObject({
      code: 'invalid',
      details: [expect.objectContaining({ ...detail, contribution: 'chains/filed' })],
    })
  })
})

describe('files of the configuration', () => {
  test.each([
    [
      'eventHandlers:\n  a:\n    events: documentCreated\n    chain: nowhere',
      '4:12 eventHandlers.a.chain: no chain "nowhere"',
    ],
    [
      'chains:\n  c: [{RunInNewTransaction: {id: d}}]\n  d: [Log: {message: x}]\neventHandlers:\n  a: {events: x, chain: c}',
      '5:25 eventHandlers.a.chain: "c" commits on its way',
    ],
    [
      'schedules:\n  s: {chain: gone, cron: 0 3 * * *, username: a}',
      '2:14 schedules.s.chain: no chain "gone"',
    ],
    [
      'chains:\n  c: [Log: {message: x}]\nschedules:\n  s: {chain: c, cron: 0 3 * * *}',
      '4:3 schedules.s.username: is missing',
    ],
    ['schedules:\n  s: {chain: c, cron: 0 3 * * 9}', '2:23 schedules.s.cron: day of week'],
  ])('keep the product from starting with a chain that cannot be started: %s', async (text, message) => {
    const config = await mkdtemp(join(tmpdir(), 'archivolt-config-'))
    await writeFile(join(config, 'own.yaml'), text)
    const settings = { ...platform.settings, config }
    const starting = async () => {
      const other = await createPlatform(settings, pino({ level: 'silent' }))
      try {
        await (await createAutomationRuntime(other)).close()
      } finally {
        await other.close()
      }
    }
    await expect(starting()).rejects.toThrow(`own.yaml:${message}`)
    await rm(config, { recursive: true })
  })
})

test.each([
  ['a chain that is not there', { chain: 'nowhere' }, /refused: chain: no chain "nowhere"/],
  [
    'a repository that is not there',
    { repository: 'nowhere' },
    /refused: repository: there is no repository/,
  ],
  ['a user who is not there', { username: 'nobody' }, /refused: username: there is no user "nobody"/],
  ['a time that never comes', { cron: '0 0 30 2 *' }, /cron: day of month: there is no such day/],
])('a schedule is refused with %s', async (_, content, message) => {
  await expect(
    deploy('schedules', 'refused', { chain: 'mark', cron: '0 3 * * *', ...content }),
  ).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) })
})

test('a schedule is deployed by administrators alone', async () => {
  const deploying = runtime.deployments.deploy({
    principal: ANN,
    point: 'schedules',
    name: 'mine',
    text: 'chain: mark\ncron: 0 3 * * *\nusername: Administrator',
    format: 'yaml',
    precondition: {},
  })
  await expect(deploying).rejects.toMatchObject({ code: 'forbidden' })
})
