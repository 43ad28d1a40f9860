import { beforeAll, describe, expect, test } from 'vitest'
import { enrichersByName } from '../../../api/rest/rendering/index.js'
import { routeDocs } from '../../../api/route-docs.js'
import { createValidator } from '../../support/json-schema.js'
import { soon } from '../../support/soon.js'
import { createTestService, withFile } from '../support/bad-input-support.js'
import { pngBomb } from '../support/png-bomb.js'
import { addUser, type Entity } from '../support/rest-client.js'

const { platform, call, deploy } = await createTestService({ ARCHIVOLT_MAX_JSON_BYTES: '5000' })

const API = '/api/v1'
const PARENT = '/default-domain/workspaces'

type Operation = {
  path: string
  method: string
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: Entity }[]
  requestBody?: { content: { [type: string]: { schema: Entity } } }
  responses: { [status: string]: { content?: { [type: string]: { schema: Entity } } } }
}

const openapi: Entity = (await call('GET', `${API}/openapi.json`)).json
/** Single operations of automation stand beside the routes; `openapi-operations.test.ts` is about them. */
const isOfRoute = ({ operationId }: Operation): boolean => !operationId.startsWith('call.')
const operations: Operation[] = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item as { [method: string]: Operation })
    .filter(([method, operation]) => method !== 'servers' && isOfRoute(operation))
    .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
)
const atRoot = new Set(
  routeDocs({ hasEngine: true }).flatMap(({ path }) => (path.startsWith('//') ? [path.slice(1)] : [])),
)
const validate = createValidator(openapi)

const make = async (parent: string, name: string, type: string, properties: object = {}): Promise<Entity> => {
  const json = { 'entity-type': 'document', name, type, properties }
  const answer = await call('POST', `${API}/path${parent}`, { json })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json
}

/** Values of the parameters of paths, filled when there is what they name. */
const values: { [name: string]: string } = {
  repository: 'default',
  language: 'NXQL',
  directory: 'continent',
  entry: 'europe',
  user: 'ann',
  group: 'members',
  type: 'File',
  schema: 'dublincore',
  facet: 'Picture',
  operation: 'retitle',
  point: 'chains',
  name: 'retitle',
  adapter: 'Titled',
  rendition: 'mainBlob',
  provider: 'CURRENT_DOC_CHILDREN',
  xpath: 'file:content',
  handler: 'default',
  file: 'file:content/a.txt',
  entityId: 'from-elsewhere',
  action: 'trash',
  modelName: 'SerialDocumentReview',
  button: 'start_review',
}

/** What single routes need besides. */
const QUERIES: { [operation: string]: string } = {
  searchHere: 'fullText=first',
  getBusinessObjectsOfSearch: 'query=SELECT * FROM File',
  callOperationOnSearch: 'query=SELECT * FROM File',
  getEmptyDocument: 'type=File',
  convertMainBlob: 'type=text/html',
  convertBlob: 'format=html',
  queryProvider: 'queryParams=ROOT',
  searchProvider: 'queryParams=ROOT',
  searchUsers: 'q=*',
  searchGroups: 'q=*',
  // What is there already: a stream does not end by itself.
  streamEvents: 'seconds=0',
}

const operationOf = ({ operationId }: Operation): string => operationId.replace(/ByPath$/, '')

const addressOf = (operation: Operation): string => {
  const { path } = operation
  // Where a page is asked for, the folder; else the file.
  const isOfFolder = /@children|@search|@pp|@emptyWithDefault/.test(path)
  const place: { [name: string]: string | undefined } = {
    ...values,
    ...(isOfFolder && { id: values.folderId, path: `${PARENT}/folder`.slice(1) }),
    ...(path.startsWith('/search/saved') && { id: values.savedSearch }),
    ...(path.startsWith('/upload') && { file: '0' }),
    // Its GET drops a batch.
    ...(path.startsWith('/automation/batch') && { batch: 'older' }),
    ...(path.includes('@comparePictures') && {
      ...{ id: values.picture, other: values.picture },
      path: `${PARENT}/picture`.slice(1),
    }),
    ...(path.includes('@annotation') && { entityId: 'note-from-elsewhere' }),
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = place[name]
    if (value === undefined) throw new Error(`${path} needs a value of ${name}`)
    return value
  })
  return `${atRoot.has(path) ? '' : API}${filled}`
}

const withQuery = (address: string, ...parts: (string | undefined)[]): string => {
  const query = parts.filter((part) => part).join('&')
  return query === '' ? address : `${address}?${encodeURI(query)}`
}

beforeAll(async () => {
  const folder = await make(PARENT, 'folder', 'Folder', { 'dc:title': 'folder' })
  await make(`${PARENT}/folder`, 'inner', 'File', { 'dc:title': 'first' })
  const file = await make(PARENT, 'file', 'File', {
    'dc:title': 'first',
    'dc:subjects': ['art/architecture'],
    'dc:coverage': 'europe/France',
    'file:content': { name: 'a.txt', data: 'some text', 'mime-type': 'text/plain' },
    'files:files': [{ file: { name: 'b.txt', data: 'more' } }],
  })
  Object.assign(values, { folderId: folder.uid, id: file.uid, path: file.path.slice(1) })
  await addUser(platform, 'ann', ['members'])
  const batch = await call('POST', `${API}/upload`)
  values.batch = batch.json.batchId
  await call('POST', `${API}/upload/${batch.json.batchId}/0`, { body: 'text' })
  const picture = await make(PARENT, 'picture', 'File', { 'dc:title': 'first' })
  const body = new FormData()
  body.append('content', new Blob([pngBomb(8) as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'a.png')
  await call('PUT', `${API}/id/${picture.uid}/@blob/file:content`, { body })
  values.picture = picture.uid
  const saved = await call('POST', `${API}/search/saved`, {
    json: { 'entity-type': 'savedSearch', title: 'saved', pageProviderName: 'default_search' },
  })
  if (saved.status !== 200) throw new Error(saved.text)
  values.savedSearch = saved.json.id
  const none = encodeURIComponent("SELECT * FROM File WHERE dc:title = 'none'")
  const bulk = await call('POST', `${API}/search/bulk/trash?query=${none}`, { json: {} })
  if (bulk.status !== 202) throw new Error(bulk.text)
  values.command = bulk.json.commandId
  await deploy(
    'retitle',
    '- Context.FetchDocument\n- Document.SetProperty: {xpath: "dc:title", value: first}\n',
  )
  const adapter = await call('PUT', `${API}/contributions/adapters/Titled`, {
    body: 'type: File\nfields: {title: dc:title, content: file:content}\n',
    headers: { 'Content-Type': 'application/yaml' },
  })
  if (adapter.status !== 201) throw new Error(adapter.text)
  for (const [type, more] of [
    ['comment', { entityId: 'from-elsewhere' }],
    ['annotation', { entityId: 'note-from-elsewhere', xpath: 'file:content' }],
  ] as const) {
    const json = { 'entity-type': type, text: 'well', ...more }
    const { status, json: made, text } = await call('POST', `${API}/id/${file.uid}/@${type}`, { json })
    if (status !== 201) throw new Error(text)
    values[`${type}Id`] = made.id
  }
  const started = await call('POST', `${API}/automation/retitle/@async`, {
    json: { input: `doc:${file.uid}` },
  })
  values.run = started.headers.get('Archivolt-Workflow-Id') ?? ''
  await soon(async () => {
    const { json } = await call('GET', `${API}/automation/runs/${values.run}`)
    expect(json.status).toBe('COMPLETED')
  })
  const workflow = await call('POST', `${API}/id/${file.uid}/@workflow`, {
    json: { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' },
  })
  if (workflow.status !== 201) throw new Error(workflow.text)
  values.workflowId = workflow.json.id
  values.taskId = (await call('GET', `${API}/id/${file.uid}/@task`)).json.entries[0].id
  const big = new File(['x'.repeat(6_000_000)], 'big.txt', { type: 'text/plain' })
  const kept = await call('POST', `${API}/automation/WebUI.DownloadFile`, withFile({}, big))
  values.key = kept.headers.get('Location')?.split('/').at(-1) ?? ''
  const conversion = await call('POST', `${API}/id/${file.uid}/@convert?type=text/html&async=true`)
  values.conversion = conversion.json.conversionId
  await soon(async () => {
    const { json } = await call('GET', `${API}/conversions/${values.conversion}/poll`)
    expect(json.status).toBe('completed')
  })
})

// Without a search engine they have nothing to answer; `search/passthrough` calls them with one.
const OF_ENGINE = '/site/es/'
const reads = operations.filter(({ method, path }) => method === 'GET' && !path.includes(OF_ENGINE))
const named = (list: readonly Operation[]) =>
  list.map((operation) => [operation.operationId, operation] as const)

const expectDescribed = (
  { operationId, responses }: Operation,
  { status, headers, json, text }: Awaited<ReturnType<typeof call>>,
): void => {
  expect(Object.keys(responses), `${operationId} ${status} ${text.slice(0, 300)}`).toContain(String(status))
  expect(status, text.slice(0, 300)).toBeLessThan(400)
  const content = responses[String(status)]?.content
  const type = headers.get('Content-Type')?.split(';')[0] ?? ''
  if (!content) {
    expect(text).toBe('')
    return
  }
  const schema = (content[type] ?? content['*/*'])?.schema
  expect(schema, `${operationId} answers ${type}`).toBeDefined()
  if (type.endsWith('json')) expect(validate(schema, json)).toEqual([])
}

test('every GET answers what is described', () => {
  expect(reads.length).toBeGreaterThan(60)
})

test.each(named(reads))('%s answers what is described', async (_, operation) => {
  const address = withQuery(addressOf(operation), QUERIES[operationOf(operation)])
  expectDescribed(operation, await call('GET', address))
})

const ofDocuments = reads.filter(({ parameters }) =>
  parameters.some(({ name }) => name === 'enrichers-document'),
)

test.each(named(ofDocuments))('%s describes all that can be shown of documents', async (_, operation) => {
  const everything = [
    'properties=*',
    `enrichers-document=${[...enrichersByName.keys()].join(',')}`,
    'fetch-document=properties,lock,versionLabel',
    'fetch-acls=username,creator,extended',
    'depth=max',
  ]
  const address = withQuery(addressOf(operation), QUERIES[operationOf(operation)], ...everything)
  const answer = await call('GET', address)
  expectDescribed(operation, answer)
  for (const document of answer.json.entries ?? [answer.json])
    expect(
      validate({ $ref: `#/components/schemas/properties.${document.type}` }, document.properties),
    ).toEqual([])
})

test.each(['listSchemas', 'getType', 'getFacet'])('%s describes constraints', async (operationId) => {
  const operation = reads.find((candidate) => candidate.operationId === operationId)!
  expectDescribed(operation, await call('GET', withQuery(addressOf(operation), 'fetch-schema=fields')))
})

const document = (fields: object) => ({ 'entity-type': 'document', ...fields })
const titled = (value: object) => ({ 'entity-type': 'Titled', value })
const continent = (id: string) => ({
  'entity-type': 'directoryEntry',
  directoryName: 'continent',
  id,
  properties: { id, label: id },
})
const group = (groupname: string) => ({
  'entity-type': 'group',
  id: groupname,
  properties: { groupname, grouplabel: 'Some' },
})

/** Bodies of writes; undefined where there is none. */
const WRITES: [operation: string, body: unknown][] = [
  ['createDocument', document({ name: 'made', type: 'Note', properties: { 'note:note': 'x' } })],
  ['updateDocument', document({ properties: { 'dc:description': 'x' } })],
  ['updateDocumentByPath', document({ uid: null, changeToken: null, properties: {} })],
  ['createComment', { 'entity-type': 'comment', text: 'again' }],
  ['updateComment', { 'entity-type': 'comment', text: 'better' }],
  ['updateAnnotationByEntityId', { 'entity-type': 'annotation', text: 'better' }],
  ['createEntry', continent('atlantis')],
  ['updateEntry', continent('europe')],
  ['createUser', { 'entity-type': 'user', id: 'bob', properties: { username: 'bob', password: 'secret' } }],
  ['updateUser', { 'entity-type': 'user', id: 'ann', properties: { company: 'x' } }],
  ['createGroup', group('some')],
  ['updateGroup', group('members')],
  ['addToGroup', undefined],
  ['removeFromGroupOfGroup', undefined],
  ['updateBusinessObject', titled({ title: 'other' })],
  ['createBusinessObject', titled({ title: 'new' })],
  ['login', undefined],
  ['callOperation', { input: 'doc:/default-domain/workspaces/file', params: {}, context: {} }],
  ['callOperationOn', { params: {} }],
  ['callOperationOnChildren', {}],
  ['startToConvertMainBlob', undefined],
  ['startWorkflow', { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }],
  ['completeTask', { 'entity-type': 'task', variables: { participants: ['ann'] } }],
  ['cancelWorkflow', undefined],
  ['deleteComment', undefined],
  ['deleteBlob', undefined],
]

test.each(WRITES)('%s takes and answers what is described', async (operationId, body) => {
  const operation = operations.find((candidate) => candidate.operationId === operationId)!
  const schema = operation.requestBody?.content['application/json']?.schema
  if (body !== undefined) expect(validate(schema, body)).toEqual([])
  const address = withQuery(
    addressOf(operation),
    operationId === 'startToConvertMainBlob' ? 'type=text/html' : '',
  )
  expectDescribed(operation, await call(operation.method, address, { json: body }))
})

describe('what is not as described is refused', () => {
  const picky = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ in: place, schema }) => place === 'query' && ['integer', 'boolean'].includes(schema.type))
      .map(({ name }) => [operation.operationId, name, operation] as const),
  )

  test.each(picky)('%s with %s=wrong', async (_, name, operation) => {
    // Nothing is sent with a PUT: the parameter is looked at before its body.
    const usual = QUERIES[operationOf(operation)]
    const others = usual?.startsWith(`${name}=`) ? '' : usual
    const address = withQuery(addressOf(operation), others, `${name}=wrong`)
    const { status, json } = await call(operation.method, address, {
      ...(operation.method === 'PUT' && { body: '[]', headers: { 'Content-Type': 'application/yaml' } }),
    })
    expect([status, json.message]).toEqual([400, expect.stringMatching(new RegExp(`^${name}: .*wrong`))])
    expect(validate({ $ref: '#/components/schemas/exception' }, json)).toEqual([])
  })

  const needy = operations.filter(({ parameters }) =>
    parameters.some(({ in: place, required }) => place === 'query' && required),
  )

  test.each(named(needy))('%s without what it needs', async (_, operation) => {
    const { status } = await call(operation.method, addressOf(operation))
    expect(status).toBe(400)
  })

  const typed = operations.filter(
    // What no converter converts is 415, too.
    ({ requestBody, responses, operationId }) =>
      requestBody && '415' in responses && !operationId.startsWith('startToConvert'),
  )

  test('most bodies have to be of a type that is described', () => {
    expect(typed.length).toBeGreaterThan(40)
  })

  test.each(named(typed))('%s with a body of another type', async (_, operation) => {
    const address = withQuery(addressOf(operation), QUERIES[operationOf(operation)])
    const { status, text } = await call(operation.method, address, {
      body: 'text',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(status, text).toBe(415)
  })

  const limited = operations.filter(
    ({ path, requestBody }) => requestBody?.content['application/json'] && !path.startsWith('/contributions'),
  )

  test.each(named(limited))('%s with a body that is too large', async (_, operation) => {
    const address = withQuery(addressOf(operation), QUERIES[operationOf(operation)])
    const { status, text } = await call(operation.method, address, { json: { text: 'x'.repeat(6_000) } })
    expect(status, text).toBe(413)
    expect(Object.keys(operation.responses)).toContain('413')
  })

  const resolved = (schema: Entity): Entity =>
    schema.$ref ? openapi.components.schemas[schema.$ref.split('/').at(-1)] : schema

  const entities = operations.flatMap((operation) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    const type = schema && resolved(schema).properties?.['entity-type']?.const
    return type ? [[operation.operationId, type as string, operation] as const] : []
  })

  test.each(entities)('%s with an entity that is no %s', async (_, type, operation) => {
    for (const [json, message] of [
      [{ 'entity-type': 'wrong' }, /^entity-type: /],
      [[], new RegExp(`entity of type ${type}`)],
    ] as const) {
      const answer = await call(operation.method, addressOf(operation), { json })
      expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(message)])
    }
  })

  const calls = operations.filter(({ requestBody }) =>
    requestBody?.content['application/json']?.schema.$ref?.endsWith('/automationCall'),
  )

  test.each(named(calls))('%s with parameters that are no object', async (_, operation) => {
    const { status, json } = await call(
      operation.method,
      withQuery(addressOf(operation), QUERIES[operationOf(operation)]),
      { json: { params: [] } },
    )
    expect([status, json.message]).toEqual([400, 'params: an object is expected'])
  })
})

describe('the document itself', () => {
  test('is for those who are authenticated', async () => {
    expect((await call('GET', `${API}/openapi.json`, { user: null })).status).toBe(401)
    expect((await call('GET', `${API}/openapi.json`, { user: 'ann' })).status).toBe(200)
  })

  test('is sent again only when another content model is in force', async () => {
    const first = await call('GET', `${API}/openapi.json`)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const known = { headers: { 'If-None-Match': `"other", W/${etag}` } }
    expect((await call('GET', `${API}/openapi.json`, known)).status).toBe(304)
    const deployed = await call('PUT', `${API}/contributions/types/Leaflet`, {
      body: 'extends: File\n',
      headers: { 'Content-Type': 'application/yaml' },
    })
    expect(deployed.status, deployed.text).toBe(201)
    const after = await call('GET', `${API}/openapi.json`, known)
    expect(after.status).toBe(200)
    expect(Object.keys(after.json.components.schemas)).toContain('properties.Leaflet')
  })

  test('reports where the caller reached the server', async () => {
    const { json } = await call('GET', '/nuxeo/api/v1/openapi.json')
    expect(json.servers.map(({ url }: { url: string }) => url)).toEqual([
      'http://localhost/nuxeo/api/v1',
      'http://localhost/nuxeo/api/v1/repo/{repository}',
    ])
  })
})
