import { beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../../../core/automation/language/index.js'
import { operations } from '../../../../core/automation/operations/index.js'
import { sampled } from '../../../support/size.js'
import { createTestService, withFile } from '../../support/bad-input-support.js'
import type { Answer } from '../../support/rest-client.js'

const { platform, call, traces, openTransactions } = await createTestService()

let file: string

beforeAll(async () => {
  const made = await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name: 'target', type: 'File', properties: { 'dc:title': 'target' } },
  })
  file = made.json.uid
})

/** What nobody should send, for parameters of every type. */
const HOSTILE: readonly unknown[] = [
  {},
  [],
  [[]],
  { 'entity-type': 'document' },
  { 'entity-type': 'document', uid: { a: 1 } },
  { 'entity-type': 'documents', entries: [{ uid: null }, 7] },
  { 'entity-type': 'date', value: {} },
  { digest: 'd41d8cd98f00b204e9800998ecf8427e', digestAlgorithm: 'MD5', length: 0 },
  { 'file:content': { digest: 'd41d8cd98f00b204e9800998ecf8427e', digestAlgorithm: 'MD5', length: 0 } },
  { constructor: 'x', toString: 'y', hasOwnProperty: 1 },
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_991,
  true,
  '',
  ' ',
  'nothing-that-exists',
  '/nowhere/at/all',
  '../../../../etc/passwd',
  './..',
  '@children',
  "' OR '1'='1",
  "x'; DROP TABLE documents; --",
  '$currentUser',
  'expr:Session.query("SELECT * FROM Document")',
  '@{CurrentUser.name}',
  'a\u0000b',
  '\ud800',
  'e\u0301\u202e\ufeff',
  'constructor',
  '__proto__',
  'dc:title',
  'dc:subjects/99999999999',
  'dc:title=a\u0000b',
  'dc:created=yesterday',
  'no-equals-sign',
  'x'.repeat(5_000),
]

const INPUTS: readonly unknown[] = [
  undefined,
  ...HOSTILE,
  'doc:',
  'doc:x',
  'doc:a\u0000b',
  'doc:/a\u0000b',
  'doc:/\ud800',
  'doc:\ud800',
  `doc:${'x'.repeat(5_000)}`,
  'doc:../..',
  'doc:/default-domain/../..',
  "doc:' OR 1=1",
  'docs:a,b,,c',
  `docs:${'x,'.repeat(400)}`,
]

/** Good values, so that a call is refused for the one that is not. */
const GOOD: { [parameter: string]: unknown } = {
  type: 'File',
  target: '/default-domain/workspaces',
  document: () => file,
  mimeType: 'text/plain',
  converter: 'pictureResize',
  message: 'hello',
  permission: 'Read',
  username: 'members',
  id: 'Log',
  list: 'list',
  name: 'variable',
  xpath: 'dc:title',
  version: 'minor',
  properties: {},
}

const goodParameters = (operation: Operation): { [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(operation.params)
      .filter(([, parameter]) => parameter.isRequired)
      .map(([name]) => {
        const value = name === 'value' ? 'nothing' : GOOD[name]
        return [name, typeof value === 'function' ? value() : value]
      }),
  )

const takesFiles = (operation: Operation): boolean =>
  operation.methods.every((method) => method.input === 'blob' || method.input === 'bloblist')

const request = (operation: Operation, params: unknown, input?: unknown): Promise<Answer> => {
  const path = `/api/v1/automation/${encodeURIComponent(operation.id)}`
  if (takesFiles(operation) && input === undefined) return call('POST', path, withFile({ params }))
  return call('POST', path, { json: { input, params } })
}

/** Codes of refusals that the wire protocol has as 5xx: types that no converter joins, what is not available. */
const FORESEEN = new Set(['operationFailed', 'notSupported'])

const isRefusal = ({ json }: Answer): boolean =>
  json?.['entity-type'] === 'validation_report' ||
  (json?.['entity-type'] === 'exception' && json.message !== '')

/** Nothing but an answer or a refusal that says why, and a refusal leaves everything as it was. */
const expectSane = async (name: string, send: () => Promise<Answer>): Promise<string[]> => {
  const before = await traces()
  const answer = await send()
  if (answer.status < 400) return []
  const after = await traces()
  const problems: string[] = []
  if (answer.status >= 500 && !FORESEEN.has(answer.json?.code)) problems.push(`status ${answer.status}`)
  if (!isRefusal(answer)) problems.push('no exception entity')
  for (const [table, digest] of Object.entries(before))
    if (after[table] !== digest) problems.push(`wrote ${table}`)
  return problems.map((problem) => `${name}: ${problem}: ${answer.text.slice(0, 200)}`)
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 60)

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '%s refuses what it cannot use, and leaves no trace of it',
  async (_id, operation) => {
    const problems: string[] = []
    for (const [parameter] of Object.entries(operation.params)) {
      for (const value of sampled(HOSTILE, operation.id + parameter)) {
        const params = { ...goodParameters(operation), [parameter]: value }
        problems.push(
          ...(await expectSane(`${parameter}=${shown(value)}`, () =>
            request(operation, params, takesFiles(operation) ? undefined : `doc:${file}`),
          )),
        )
      }
    }
    for (const input of sampled(INPUTS, operation.id)) {
      if (input === undefined && takesFiles(operation)) continue
      problems.push(
        ...(await expectSane(`input=${shown(input)}`, () =>
          request(operation, goodParameters(operation), input),
        )),
      )
    }
    expect(problems).toEqual([])
    await expect.poll(openTransactions).toBe(0)
  },
  300_000,
)

/** Beside single values, what a list or a map of a property might be sent as. */
const PROPERTY_VALUES: readonly unknown[] = [
  ...HOSTILE,
  ...HOSTILE.map((value) => [value]),
  ...HOSTILE.map((value) => ({ file: value })),
  '[[',
  '{"file":',
  '99999999999999999999',
  '-1e400',
  '0000-00-00',
  '9999999-12-31T00:00:00Z',
  'http://127.0.0.1:1/nxfile/default/x/file:content',
  { data: 'http://169.254.169.254/latest/meta-data' },
  { data: 'x', name: 7, 'mime-type': {}, encoding: 'EBCDIC' },
  { data: 'x', name: '../../etc/passwd\u0000' },
  { 'upload-batch': '../..', 'upload-fileId': '0' },
]

const properties = platform
  .snapshot()
  .model.schemasOf('File', [])
  .flatMap((schema) => [...schema.fields.values()].map((field) => `${schema.prefix}:${field.name}`))

test.each(properties)(
  'the property %s takes what it can hold, and leaves no trace of anything else',
  async (xpath) => {
    const problems: string[] = []
    for (const value of sampled(PROPERTY_VALUES, xpath)) {
      const send = (params: object) => () =>
        call('POST', '/api/v1/automation/Document.Update', { json: { input: file, params } })
      problems.push(...(await expectSane(shown(value), send({ properties: { [xpath]: value } }))))
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      problems.push(...(await expectSane(`text ${text}`, send({ properties: `${xpath}=${text}` }))))
    }
    expect(problems).toEqual([])
    const read = await call('GET', `/api/v1/id/${file}`, { headers: { properties: '*' } })
    const ordered = await call('POST', '/api/v1/automation/Repository.Query', {
      json: { params: { query: `SELECT * FROM File WHERE ${xpath} IS NOT NULL` } },
    })
    expect([read.status, ordered.status < 500]).toEqual([200, true])
  },
)
