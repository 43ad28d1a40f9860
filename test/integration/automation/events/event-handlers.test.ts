import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createDocument,
  getDocument,
  type Session,
  updateDocument,
} from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'
import { createAutomationRuntime } from '../../../../runtime/index.js'
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
    [
      'a misspelt parameter',
      { operation: 'Document.SetProperty', params: { xpth: 'dc:title', value: '3' } },
      /unknown parameter "xpth" of Document.SetProperty, did you mean "xpath"/,
    ],
    ['a class', { operation: 'org.example.Listener' }, /there is no operation "org.example.Listener"/],
    ['a misspelt operation', { operation: 'Document.SetPropert' }, /did you mean "Document.SetProperty"/],
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
