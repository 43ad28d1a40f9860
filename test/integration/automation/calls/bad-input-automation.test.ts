import { beforeAll, expect, test } from 'vitest'
import { createTestService, withFile } from '../../support/bad-input-support.js'
import { addUser, type Call } from '../../support/rest-client.js'

const { platform, call, deploy, traces, openTransactions } = await createTestService({
  ARCHIVOLT_MAX_JSON_BYTES: '300000',
  ARCHIVOLT_MAX_UPLOAD_BYTES: '200000',
})

const AUTOMATION = '/api/v1/automation'
const CHAINS = '/api/v1/contributions/chains'
const text = (body: string, type = 'application/json'): Call => ({ body, headers: { 'Content-Type': type } })
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const indexes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`dc:subjects/${index}`, 'x']))

beforeAll(async () => {
  await addUser(platform, 'stranger')
  await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: { 'entity-type': 'document', name: 'target', type: 'File', properties: { 'dc:title': 'target' } },
  })
  await call('POST', '/api/v1/path/default-domain/workspaces', {
    json: {
      'entity-type': 'document',
      name: 'text',
      type: 'File',
      properties: { 'file:content': { data: 'x', name: 'x.txt' } },
    },
  })
  await deploy(
    'echo',
    'params:\n  - text: {type: string}\noperations:\n  - Context.SetVar: {name: said, value: "expr:ChainParameters[\'text\']"}\n',
  )
})

type Case = [name: string, method: string, path: string, request: Call, status: number, message: RegExp]

const post = (operation: string, name: string, request: Call, status: number, message: RegExp): Case => [
  name,
  'POST',
  `${AUTOMATION}/${operation}`,
  request,
  status,
  message,
]

const bodies: Case[] = [
  post('Log', 'an empty body', text(''), 400, /No content/),
  post('Log', 'half a body', text('{"params":'), 400, /not JSON/),
  post('Log', 'a list', text('[]'), 400, /^body:/),
  post('Log', 'a text', text('"x"'), 400, /^body:/),
  post('Log', 'a number', text('7'), 400, /^body:/),
  post('Log', 'a form without JSON', text('a=b', 'application/x-www-form-urlencoded'), 400, /^jsondata:/),
  post(
    'Log',
    'a form with half a JSON',
    text('jsondata=%7B', 'application/x-www-form-urlencoded'),
    400,
    /not JSON/,
  ),
  post('Log', 'XML', text('<a/>', 'text/xml'), 415, /^Content-Type:/),
  post(
    'Log',
    'a large body',
    { json: { params: { message: 'x'.repeat(300_000) } } },
    413,
    /larger than 300000/,
  ),
  post('Log', 'a deep body', text(`{"input":${nested(100_000)}}`), 400, /deep/),
  post('Log', 'a deep parameter', text(`{"params":{"message":${nested(20_000)}}}`), 400, /deep/),
  post(
    'Log',
    'a body of many names',
    text(`{"params":{${'"":1,'.repeat(50_000)}"a":1}}`),
    400,
    /50000 names/,
  ),
  post('echo', 'a deep variable of a chain', text(`{"context":{"a":${nested(20_000)}}}`), 400, /deep/),
  post('Blob.ToPDF', 'a large JSON part', withFile({ params: { a: 'x'.repeat(300_000) } }), 413, /300000/),
  post('Blob.ToPDF', 'a large file', withFile({}, new File(['x'.repeat(200_001)], 'f.txt')), 413, /200000/),
  post(
    'Blob.ToPDF',
    'a multipart body cut short',
    text('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n{', 'multipart/form-data; boundary=x'),
    400,
    /multipart/,
  ),
  ...(['params', 'context'] as const).flatMap((field) =>
    [[], 'x', 7, true].map((value) =>
      post(
        'Log',
        `${field}: ${JSON.stringify(value)}`,
        { json: { [field]: value } },
        400,
        new RegExp(`^${field}:`),
      ),
    ),
  ),
]

const inputs: Case[] = (
  [
    [{ 'entity-type': 'document' }, 400, /^input\b/],
    [{ 'entity-type': 'document', uid: 7 }, 400, /^input\b/],
    [{ 'entity-type': 'document', uid: { a: 1 } }, 400, /^input\b/],
    [{ 'entity-type': 'documents' }, 400, /^input\b/],
    [{ 'entity-type': 'documents', entries: 7 }, 400, /^input\b/],
    [{ 'entity-type': 'documents', entries: [7] }, 400, /^input\b/],
    [{ 'entity-type': 'documents', entries: [{}] }, 400, /^input\b/],
    [{ 'entity-type': 'date', value: {} }, 400, /^input\b/],
    [7, 400, /number/],
    [true, 400, /boolean/],
    [{ 'mime-type': 'text/plain', digest: 'd41d8cd98f00b204e9800998ecf8427e' }, 400, /./],
    ['doc:nothing', 404, /nothing/],
    ['doc:', 400, /^input\b/],
    ['docs:nothing,else', 404, /./],
    ['doc:/default-domain/../..', 404, /./],
    ["doc:' OR '1'='1", 404, /./],
    ['doc:a\u0000b', 400, /^input\b/],
    ['doc:/\ud800', 400, /^input\b/],
    [`doc:/${'x'.repeat(3_000)}`, 404, /./],
    [`doc:${'x'.repeat(3_000)}`, 404, /./],
  ] as const
).map(([input, status, message]) =>
  post(
    'Document.Update',
    `input ${JSON.stringify(input).slice(0, 70)}`,
    { json: { input, params: { properties: 'dc:title=x' } } },
    status,
    message,
  ),
)

const chainInputs: Case[] = [
  post('echo', 'a very long reference', { json: { input: `doc:${'x'.repeat(3_000)}` } }, 404, /./),
  post('echo', 'an unknown document', { json: { input: 'doc:nothing' } }, 404, /nothing/),
  post('echo', 'a NUL in a reference', { json: { input: 'doc:a\u0000b' } }, 400, /^input\b/),
  post(
    'echo',
    'a NUL in a large variable',
    { json: { context: { a: `\u0000${'x'.repeat(200_000)}` } } },
    400,
    /./,
  ),
]

const operations: Case[] = [
  post('Nothing', 'an unknown operation', { json: {} }, 404, /Nothing/),
  post('constructor', 'a name that objects have', { json: {} }, 404, /constructor/),
  post('__proto__', 'a prototype', { json: {} }, 404, /__proto__/),
  post('..%2F..%2Fetc%2Fpasswd', 'a path', { json: {} }, 404, /./),
  post('%00', 'a NUL', { json: {} }, 404, /./),
  post('%E9', 'half a character', { json: {} }, 404, /./),
  post('x'.repeat(3_000), 'a very long id', { json: {} }, 404, /./),
  post(
    'RunOperation',
    'RunOperation of a name that objects have',
    { json: { params: { id: 'constructor' } } },
    404,
    /constructor/,
  ),
  post(
    'RunOperation',
    'RunOperation of __proto__',
    { json: { params: { id: '__proto__' } } },
    404,
    /__proto__/,
  ),
  post(
    'RunOperationOnList',
    'a list that objects have',
    { json: { params: { id: 'Log', list: 'constructor' } } },
    400,
    /^.*list: /,
  ),
  post(
    'Context.RunOperationOnListInNewTx',
    'a list that objects have',
    { json: { params: { id: 'Log', list: 'constructor' } } },
    400,
    /list: /,
  ),
  post(
    'RunInNewTransaction',
    'a huge timeout of an unknown target',
    { json: { params: { id: 'Nothing', timeout: 9e15 } } },
    404,
    /Nothing/,
  ),
  post(
    'Log',
    'a key too long',
    { json: { params: { message: 'x' } }, headers: { 'Idempotency-Key': 'x'.repeat(256) } },
    400,
    /^Idempotency-Key:/,
  ),
  post('echo', 'an empty key', { json: {}, headers: { 'Idempotency-Key': ' ' } }, 400, /^Idempotency-Key:/),
]

const tooMuch: Case[] = (
  [
    [
      'Directory.SuggestEntries',
      { directoryName: 'country', searchTerm: 'x'.repeat(1_001) },
      400,
      /searchTerm: .* 1000 /,
    ],
    ['UserGroup.Suggestion', { prefix: 'x'.repeat(1_001) }, 400, /searchTerm: .* 1000 /],
    ['Collection.Suggestion', { searchTerm: 'x'.repeat(1_001) }, 400, /searchTerm: .* 1000 /],
    ['Tag.Suggestion', { value: ','.repeat(1_000) }, 400, /value: .* 1000 /],
    ['Services.TagDocument', { tags: ','.repeat(100_000) }, 413, /tags: .* 100000 /],
    ['Services.TagDocument', { tags: Array(100_001).fill(1) }, 413, /tags: .* 100000 /],
    ['Services.TagDocument', { tags: 'a,'.repeat(1_001) }, 400, /tags: .* 1000 /],
    ['Document.Update', { properties: 'a=1\n'.repeat(10_001) }, 400, /properties: .* 10000 lines/],
    ['Document.Update', { properties: indexes(10_001) }, 400, /properties: has more than 10000 properties/],
  ] as const
).map(([id, params, status, message]) =>
  post(
    id,
    `${id} ${JSON.stringify(params).slice(0, 40)}`,
    { json: { input: '/default-domain/workspaces/target', params } },
    status,
    message,
  ),
)

const queries: Case[] = (
  [
    [{ query: 'SELECT' }, /./],
    [{ query: "SELECT * FROM Document WHERE dc:title = 'a' UNION SELECT * FROM users" }, /./],
    [{ query: 'SELECT * FROM users' }, /users/],
    [{ query: "SELECT * FROM Document WHERE dc:title = 'a'; DROP TABLE documents" }, /./],
    [{ query: 'SELECT * FROM Document WHERE no:such = 1' }, /no:such/],
    [{ query: "SELECT * FROM Document WHERE dc:title = 'a\u0000b'" }, /./],
    [{ query: `SELECT * FROM Document WHERE ${'('.repeat(5_000)}dc:title = 'a'${')'.repeat(5_000)}` }, /./],
    [{ query: `SELECT * FROM Document WHERE ${Array(9_000).fill("dc:title = 'a'").join(' OR ')}` }, /./],
    [{ sortBy: 'dc:title; DROP TABLE documents' }, /sortBy/],
    [{ sortBy: "dc:title', (SELECT 1)" }, /sortBy/],
    [{ sortBy: 'no:such' }, /no:such/],
    [{ sortBy: 'dc:title', sortOrder: 'ASC; DROP TABLE documents' }, /sortOrder/],
    [{ query: 'SELECT * FROM Document WHERE dc:title = ?' }, /parameter/],
    [{ query: 'SELECT * FROM Document WHERE dc:title = :x', namedParameters: { x: {} } }, /namedParameters/],
    [{ pageSize: -1 }, /pageSize/],
    [{ pageSize: 1.5 }, /pageSize/],
    [{ maxResults: 'many' }, /maxResults/],
    [{ language: 'SQL' }, /language/],
  ] as const
).map(([params, message]) =>
  post(
    'Repository.Query',
    `query ${JSON.stringify(params).slice(0, 80)}`,
    { json: { params } },
    400,
    message,
  ),
)

const put = (
  name: string,
  id: string,
  body: string,
  status: number,
  message: RegExp,
  type = 'application/yaml',
): Case => [name, 'PUT', `${CHAINS}/${id}`, text(body, type), status, message]

const deployments: Case[] = [
  put('no YAML', 'bad', 'a: [', 422, /./),
  put('an empty body', 'bad', '', 422, /./),
  put('a list of numbers', 'bad', '- 1\n- 2', 422, /./),
  put('tags', 'bad', '- Log: !!js/function "f"', 422, /./),
  put(
    'anchors that multiply',
    'bad',
    `a: &a [1,2,3,4,5,6,7,8,9]\n${'bcdefgh'
      .split('')
      .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`)
      .join('\n')}`,
    422,
    /./,
  ),
  put('a deep list', 'bad', nested(50_000), 422, /./),
  put('a NUL', 'bad', '- Log: {message: "a\\0b"}', 422, /./),
  put('broken JSON', 'bad', '[{"Log":', 422, /./, 'application/json'),
  put('broken XML', 'bad', '<chain><operation', 422, /./, 'application/xml'),
  put(
    'entities of XML',
    'bad',
    '<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/passwd">]><chain><operation id="Log"><param name="message">&a;</param></operation></chain>',
    422,
    /./,
    'application/xml',
  ),
  put('another notation', 'bad', 'x', 415, /^Content-Type:/, 'text/plain'),
  put('a large text', 'bad', 'x'.repeat(2_000_000), 413, /./),
  put('an operation of this id', 'Log', '- Log: {message: x}', 422, /./),
  put('a path', '..%2Fetc', '- Log: {message: x}', 422, /./),
  put('an address', '@async', '- Log: {message: x}', 422, /./),
  put('the address of the login', 'login', '- Log: {message: x}', 422, /reserved/),
  put('a NUL', 'a%00b', '- Log: {message: x}', 422, /./),
  put('a long id', 'x'.repeat(201), '- Log: {message: x}', 422, /./),
  put('itself', 'bad', '- RunOperation: {id: bad}', 422, /itself/),
  put(
    'a property set on a file',
    'bad',
    '- Blob.ToPDF\n- Document.SetProperty: {xpath: dc:title, value: x}\n',
    422,
    /Document\.SetProperty.*Blob\.ToPDF|Blob\.ToPDF.*Document\.SetProperty/s,
  ),
  put(
    'a mail about a file',
    'bad',
    '- Document.GetBlob\n- Document.Mail: {from: a@example.org, to: b@example.org, subject: s, message: m}\n',
    422,
    /Document\.Mail.*Document\.GetBlob|Document\.GetBlob.*Document\.Mail/s,
  ),
]

const follow: Case[] = [
  ...['x', 'a%00b', 'x'.repeat(2_000), '%F0%9F%92%A9', '..%2F..', 'archivolt'].flatMap((id): Case[] => [
    ['status of a run', 'GET', `${AUTOMATION}/echo/@async/${id}/status`, {}, 404, /./],
    ['result of a run', 'GET', `${AUTOMATION}/echo/@async/${id}`, {}, 404, /./],
    ['cancelling a run', 'DELETE', `${AUTOMATION}/echo/@async/${id}`, {}, 404, /./],
    ['a run', 'GET', `${AUTOMATION}/runs/${id}`, {}, 404, /./],
    ['a conversion', 'GET', `/api/v1/conversion/${id}/poll`, {}, 404, /./],
    ['a result', 'GET', `/api/v1/conversions/${id}/result`, {}, 404, /./],
  ]),
]

const CONVERT = '/api/v1/path/default-domain/workspaces/text/@convert'
const conversions: Case[] = (
  [
    ['', /No converter, type or format/],
    ['?type=x', /^type:/],
    ['?type=text/html%0D%0AX-Evil:1', /^type:/],
    ['?format=../../etc/passwd', /^format:/],
    ['?format=constructor', /^format:/],
    ['?converter=pictureResize&width=-1', /width|not supported/],
  ] as const
).map(([query, message]) => [
  'a conversion',
  'POST',
  `${CONVERT}${query}`,
  {},
  query.includes('picture') ? 415 : 400,
  message,
])

conversions.push(
  [
    'a large form',
    'POST',
    CONVERT,
    text(`type=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded'),
    413,
    /65536/,
  ],
  [
    'a conversion of what is not there',
    'POST',
    '/api/v1/path/nowhere/@convert?type=text/html',
    {},
    404,
    /nowhere/,
  ],
  [
    'a conversion of no file',
    'POST',
    '/api/v1/path/default-domain/@convert?type=text/html',
    {},
    400,
    /No blob/,
  ],
)

test.each([
  ...bodies,
  ...inputs,
  ...chainInputs,
  ...operations,
  ...queries,
  ...tooMuch,
  ...deployments,
  ...follow,
  ...conversions,
])('%s (%s %s)', async (_name, method, path, request, status, message) => {
  const before = await traces()
  const answer = await call(method, path, request)
  expect({ status: answer.status, entity: answer.json?.['entity-type'] }, answer.text.slice(0, 300)).toEqual({
    status,
    entity: 'exception',
  })
  expect(answer.json.message).not.toBe('')
  expect(answer.json.message.replace(/^Failed to invoke operation: \S+: /, '')).toMatch(message)
  expect(await traces()).toEqual(before)
  await expect.poll(openTransactions).toBe(0)
})
