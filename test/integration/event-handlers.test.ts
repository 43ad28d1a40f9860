import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createDocument,
  type DocumentRecord,
  getDocument,
  type Session,
  updateDocument,
} from '../../core/documents/index.js'
import { createAutomationRuntime } from '../../storage/platform/index.js'
import { createTestPlatform } from '../support/platform.js'
import { documentTools } from './document-support.js'
import { ADMINISTRATOR, ANN } from './operations-support.js'

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

const deploy = (point: string, name: string, content: object) =>
  runtime.deployments.deploy({
    principal: ADMINISTRATOR,
    point,
    name,
    text: JSON.stringify(content),
    format: 'json',
    precondition: {},
  })
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

  test('a chain is not told of what it does itself', async () => {
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

test('a chain that commits on its way may run after the commit', async () => {
  await deploy('eventHandlers', 'later', { events: ['noSuchEvent'], chain: 'commits', postCommit: true })
  await remove('later')
})
