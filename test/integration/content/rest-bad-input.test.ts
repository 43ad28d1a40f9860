import { expect, test } from 'vitest'
import { type Call, createClient } from '../support/rest-client.js'
import { createTestPlatform } from '../support/rest-support.js'

const platform = await createTestPlatform({ ARCHIVOLT_MAX_JSON_BYTES: '20000' })
const call = createClient(platform)

const ROOT = '/api/v1/path/default-domain'
const NOBODY = '00000000-0000-4000-8000-000000000000'
const file = (extra: object) => ({ json: { 'entity-type': 'document', name: 'bad', type: 'File', ...extra } })
const properties = (values: object) => file({ properties: values })
const text = (body: string, type = 'application/json') => ({ body, headers: { 'Content-Type': type } })
const multipart = (...parts: [name: string, content: string, type?: string][]): Call => {
  const body = new FormData()
  for (const [name, content, type] of parts) {
    if (type) body.append(name, new Blob([content], { type }), `${name}.bin`)
    else body.append(name, content)
  }
  return { body }
}
const json = JSON.stringify({ 'entity-type': 'document', name: 'bad', type: 'File' })

const cases: [string, string, Call, number, RegExp][] = [
  // Bodies
  ['POST', ROOT, text('{'), 400, /not JSON/],
  ['POST', ROOT, text(''), 400, /No content in request body/],
  ['POST', ROOT, {}, 400, /No content in request body/],
  ['POST', ROOT, text('[]'), 400, /must be an entity of type document/],
  ['POST', ROOT, text('null'), 400, /must be an entity of type document/],
  ['POST', ROOT, { json: { name: 'a', type: 'File' } }, 400, /^entity-type:/],
  ['POST', ROOT, { json: { 'entity-type': 'user', name: 'a', type: 'File' } }, 400, /not "user"/],
  ['POST', ROOT, text('a=b', 'application/x-www-form-urlencoded'), 415, /is not JSON/],
  ['POST', ROOT, text('<a/>', 'text/xml'), 415, /is not JSON/],
  ['POST', ROOT, properties({ 'dc:title': 'x'.repeat(20_000) }), 413, /larger than 20000 bytes/],
  [
    'POST',
    ROOT,
    { ...text(json), headers: { 'Content-Type': 'application/json', 'Content-Length': '30000' } },
    413,
    /larger/,
  ],
  [
    'POST',
    ROOT,
    { ...text(json), headers: { 'Content-Type': 'application/json', Accept: 'text/html' } },
    406,
    /^Accept:/,
  ],
  // Fields
  ['POST', ROOT, file({ name: '' }), 400, /type or name property is missing/],
  ['POST', ROOT, file({ type: null }), 400, /type or name property is missing/],
  ['POST', ROOT, file({ name: 7 }), 400, /^name: must be a text/],
  ['POST', ROOT, file({ type: 'Spaceship' }), 400, /Type: Spaceship does not exist/],
  ['POST', ROOT, file({ type: "File'; DROP TABLE documents; --" }), 400, /does not exist/],
  ['POST', ROOT, file({ name: '..' }), 400, /^name:/],
  ['POST', ROOT, file({ name: '@children' }), 400, /^name:/],
  ['POST', ROOT, file({ name: 'x'.repeat(5_000) }), 400, /^name:/],
  ['POST', ROOT, file({ properties: [] }), 400, /Unable to deserialize property: properties/],
  ['POST', ROOT, properties({ 'dc:title': ['a'] }), 400, /Unable to deserialize property: dc:title/],
  ['POST', ROOT, properties({ 'dc:title': 'a\u0000b' }), 400, /dc:title/],
  ['POST', ROOT, properties({ 'dc:created': 'yesterday' }), 400, /dc:created/],
  ['POST', ROOT, properties({ 'dc:subjects': 'one' }), 400, /dc:subjects/],
  ['POST', ROOT, properties({ 'uid:major_version': 1.5 }), 400, /uid:major_version/],
  ['POST', ROOT, properties({ 'file:content': 'text' }), 400, /file:content/],
  ['POST', ROOT, properties({ 'file:content': { data: 'x', encoding: 'EBCDIC' } }), 400, /encoding/],
  [
    'POST',
    ROOT,
    properties({ 'file:content': { data: 'http://localhost/nxfile/default/x/file:content' } }),
    404,
    /^x$/,
  ],
  [
    'POST',
    ROOT,
    properties({ 'file:content': { data: 'http://elsewhere.example/a.bin' } }),
    400,
    /no blob of this server/,
  ],
  ['POST', ROOT, properties({ 'dc:description': 'x'.repeat(2_001) }), 422, /^$/],
  ['POST', ROOT, { ...file({}), headers: { 'X-Versioning-Option': 'HUGE' } }, 400, /X-Versioning-Option/],
  [
    'POST',
    ROOT,
    { ...file({ type: 'Folder' }), headers: { 'X-Versioning-Option': 'MAJOR' } },
    400,
    /not versionable/,
  ],
  // Multipart
  ['POST', ROOT, multipart(['file', 'x', 'text/plain']), 400, /first part/],
  ['POST', ROOT, multipart(['document', '{']), 400, /not JSON/],
  [
    'POST',
    ROOT,
    multipart(['document', json], ['a', 'x', 'text/plain'], ['b', 'y', 'text/plain']),
    400,
    /upload-part/,
  ],
  [
    'POST',
    ROOT,
    multipart(
      ['document', json.replace('}', ',"properties":{"file:content":{"upload-part":"zz"}}}')],
      ['a', 'x', 'text/plain'],
    ),
    400,
    /no file part named 'zz'/,
  ],
  [
    'POST',
    ROOT,
    multipart(['document', json.replace('"File"', '"Note"')], ['a', 'x', 'text/plain']),
    400,
    /^file:content: .*upload-part/,
  ],
  [
    'POST',
    ROOT,
    { body: 'garbage', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
    400,
    /multipart/,
  ],
  ['POST', ROOT, { body: 'garbage', headers: { 'Content-Type': 'multipart/form-data' } }, 400, /oundary/],
  [
    'POST',
    ROOT,
    {
      body: '--x\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\nabc',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    },
    400,
    /multipart/,
  ],
  // Places
  ['GET', `/api/v1/id/${NOBODY}`, {}, 404, new RegExp(NOBODY)],
  ['GET', '/api/v1/id/not-a-uuid', {}, 404, /not-a-uuid/],
  ['GET', "/api/v1/id/'%20OR%201=1", {}, 404, /OR 1=1/],
  ['GET', '/api/v1/id/%00', {}, 400, /NUL/],
  ['GET', '/api/v1/id', {}, 404, /id is missing/],
  ['GET', '/api/v1/path/nowhere', {}, 404, /^\/nowhere$/],
  ['GET', '/api/v1/path/a%2F..%2F..%2Fetc', {}, 400, /segments/],
  ['GET', '/api/v1/path/%E9', {}, 400, /percent-encoded/],
  ['GET', '/api/v1/path/a%00b', {}, 400, /NUL/],
  ['GET', '/api/v1/repo/other/path/', {}, 404, /No such repository: other/],
  ['GET', '/api/v1/path/', { headers: { 'X-NXRepository': 'other' } }, 404, /No such repository: other/],
  ['GET', `${ROOT}/@nonsense`, {}, 404, /No such adapter: @nonsense/],
  ['GET', `${ROOT}/@acl/@children`, {}, 404, /No such adapter/],
  ['GET', '/api/v1/nothing', {}, 404, /No such resource/],
  ['GET', '/nuxeo/nothing', {}, 404, /No such resource/],
  ['PUT', `/api/v1/id/${NOBODY}`, { json: { 'entity-type': 'document' } }, 404, new RegExp(NOBODY)],
  ['PUT', ROOT, { json: { 'entity-type': 'document', uid: NOBODY } }, 404, new RegExp(NOBODY)],
  ['PUT', ROOT, { json: { 'entity-type': 'document', changeToken: 7 } }, 400, /^changeToken:/],
  ['POST', '/api/v1/path/nowhere', file({}), 404, /^\/nowhere$/],
  ['DELETE', '/api/v1/path/', {}, 400, /^The root document can be neither removed nor moved$/],
  // Methods
  ['PATCH', ROOT, {}, 405, /PATCH is not among GET, HEAD, POST, PUT, DELETE, OPTIONS/],
  ['POST', `${ROOT}/@acl`, {}, 405, /POST is not among GET, HEAD, OPTIONS/],
  ['DELETE', '/api/v1/me', {}, 405, /DELETE is not among GET, HEAD, OPTIONS/],
  // Lists and queries
  ['GET', `${ROOT}/@children?pageSize=ten`, {}, 400, /^pageSize: 'ten'/],
  ['GET', `${ROOT}/@children?currentPageIndex=-1`, {}, 400, /^currentPageIndex: -1/],
  ['GET', `${ROOT}/@children?sortBy=dc:title%20OR%201`, {}, 400, /^sortBy:/],
  ['GET', `${ROOT}/@children?sortBy=no:such`, {}, 400, /no:such/],
  ['GET', '/api/v1/query?query=SELECT', {}, 400, /./],
  ['GET', '/api/v1/query?query=SELECT%20*%20FROM%20Nothing', {}, 400, /Nothing/],
  [
    'GET',
    '/api/v1/query?query=SELECT%20*%20FROM%20Document%20WHERE%20dc:title%20=%20%3F',
    {},
    400,
    /parameter 1/,
  ],
  [
    'GET',
    '/api/v1/query?query=SELECT%20*%20FROM%20Document%20WHERE%20dc:title%20=%20:x',
    {},
    400,
    /parameter x/,
  ],
  ['GET', '/api/v1/search/lang/SQL/execute', {}, 400, /invalid query language/],
  ['GET', '/api/v1/query/my_provider', {}, 404, /page provider/],
  ['GET', '/api/v1/user/nobody', {}, 404, /user does not exist/],
  ['GET', '/api/v1/user/%00', {}, 404, /user does not exist/],
  // Blobs
  ['GET', `${ROOT}/@blob/file:content`, {}, 404, /No blob/],
  ['GET', `${ROOT}/@blob/content`, {}, 404, /No blob/],
  ['GET', `${ROOT}/@blob/blobholder:01`, {}, 404, /No blob/],
  ['PUT', `${ROOT}/@blob/file:content`, multipart(['f', 'x', 'text/plain']), 400, /no such blob/],
  ['PUT', `${ROOT}/@blob/dc:title`, multipart(['f', 'x', 'text/plain']), 400, /no such blob/],
  ['DELETE', `${ROOT}/@blob/dc:title`, {}, 400, /no such blob/],
  ['GET', '/nxfile/default/x', {}, 404, /x/],
  ['GET', `/nxfile/other/${NOBODY}/file:content`, {}, 404, /No such repository/],
  ['GET', `/nxbigfile/default/${NOBODY}/file:content/a%00.txt`, {}, 404, new RegExp(NOBODY)],
]

test.each(cases)('%s %s %j: %i', async (method, path, request, status, message) => {
  const before = await platform.database.sql`SELECT count(*) FROM documents`
  const answer = await call(method, path, request)
  expect(answer.json?.message ?? '').toMatch(message)
  expect(answer.status).toBe(status)
  if (status !== 422)
    expect(Object.keys(answer.json).slice(0, 4)).toEqual(['entity-type', 'code', 'status', 'message'])
  expect(answer.json['entity-type']).toBe(status === 422 ? 'validation_report' : 'exception')
  if (status === 405) expect(answer.headers.get('allow')).toMatch(/OPTIONS$/)
  expect(await platform.database.sql`SELECT count(*) FROM documents`).toEqual(before)
})

test('a violated constraint is reported with its place', async () => {
  const { json } = await call('POST', ROOT, properties({ 'dc:description': 'x'.repeat(2_001) }))
  expect(json).toMatchObject({
    has_error: true,
    number: 1,
    violations: [{ constraint: { name: 'LengthConstraint' }, path: [{ field_name: 'dc:description' }] }],
  })
})

test.each(['__proto__', 'constructor', 'toString'])(
  'a parameter called %s is one like any other',
  async (name) => {
    const answer = await call('GET', `${ROOT}?${name}=1&depth=${name}`)
    expect(answer.status, JSON.stringify(answer.json)).toBe(200)
  },
)

test('an unexpected error is not disclosed', async () => {
  const broken = createClient({
    ...platform,
    readSession: () => {
      throw new Error('SELECT secret FROM users')
    },
  })
  const answer = await broken('GET', ROOT)
  expect(answer.json).toEqual({
    'entity-type': 'exception',
    code: 'internal',
    status: 500,
    message: 'Internal Server Error',
  })
})

test('a request id is answered back when it is sane, else made', async () => {
  const id = async (header: string) =>
    (await call('GET', '/health/live', { user: null, headers: { 'X-Request-Id': header } })).headers.get(
      'x-request-id',
    )
  expect(await id('abc-1')).toBe('abc-1')
  expect(await id('x'.repeat(200))).toMatch(/^[0-9a-f-]{36}$/)
  expect(await id('<script>')).toMatch(/^[0-9a-f-]{36}$/)
})
