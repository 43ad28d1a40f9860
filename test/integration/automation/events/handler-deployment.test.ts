import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOfBody } from '../../../../api/contributions/set.js'
import { createAutomationRuntime, createPlatform } from '../../../../runtime/index.js'
import { createTestPlatform } from '../../../support/platform.js'
import { ADMINISTRATOR, ANN, deployerOf } from '../../support/operations-support.js'

const { platform } = await createTestPlatform()
const runtime = await createAutomationRuntime(platform)
afterAll(() => runtime.close())

const deploy = deployerOf(runtime)
const remove = (name: string) =>
  runtime.deployments.remove({ principal: ADMINISTRATOR, point: 'eventHandlers', name, precondition: {} })

beforeAll(async () => {
  await deploy('chains', 'mark', {
    operations: [
      'Context.FetchDocument',
      { 'Document.SetProperty': { xpath: 'dc:description', value: 'expr:@{Event.name}' } },
    ],
  })
  await deploy('chains', 'commits', { operations: [{ RunInNewTransaction: { id: 'mark' } }] })
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
