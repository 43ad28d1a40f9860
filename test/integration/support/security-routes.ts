import type { Call, Entity } from './rest-client.js'
import { API, AUTOMATION, OPEN } from './security-support.js'

export const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const
export type Verb = (typeof VERBS)[number]

/** What an address and a body may name; created again for each request that writes. */
export type Fixture = {
  /** The document, in a folder that the stranger may not see. */
  document: Entity
  comment: Entity
  annotation: Entity
  /** A run and a conversion of the administrator's, both complete. */
  run: string
  conversion: string
  /** A user, a group, an entry of a directory and a contribution that nobody else uses. */
  user: string
  group: string
  entry: string
  chain: string
}

export type Request = (fixture: Fixture) => Call

export type Served = {
  /** In the order of `USERS`: without rights, with Read, with Write, with Everything, administrator. */
  statuses: readonly number[]
  request?: Request
}

/** A route: where it is registered, how it is called here, and what it answers to whom. */
export type Route = {
  /** As the app has registered it; `id` and `path` for what hangs on documents. */
  registered: string | 'document'
  /** Address, or what follows that of the document. */
  at: (fixture: Fixture) => string
  /** Whoever calls needs no name. */
  isPublic?: true
  /** The document is a folder. */
  isFolder?: true
  /** The document is a saved search. */
  isSavedSearch?: true
  serves: { [verb in Exclude<Verb, 'HEAD' | 'OPTIONS' | 'PATCH'>]?: Served }
  /** Verbs of another route that takes in this address too. */
  shadowed?: readonly Verb[]
}

const all = (status: number): number[] => [status, status, status, status, status]
const forAdministrators = (status: number): number[] => [403, 403, 403, 403, status]
/** Its owner's, who is the administrator. */
const owned = (status: number): number[] => [404, 404, 404, 404, status]

const READING = [404, 200, 200, 200, 200]
const SHOWING = [404, 303, 303, 303, 303]
const WRITING = [404, 403, 200, 200, 200]
const MAKING = [404, 403, 201, 201, 201]
const COMMENTING = [404, 201, 201, 201, 201]
const EDITING = [404, 403, 403, 403, 200]
const MODERATING = [404, 403, 403, 204, 204]
const REMOVING = [404, 403, 204, 204, 204]

const json =
  (entity: object): Request =>
  () => ({ json: entity })

const served = (statuses: readonly number[], request: Request = () => ({})): Served => ({ statuses, request })

const upload: Request = () => {
  const body = new FormData()
  body.append('f', new Blob(['new'], { type: 'text/plain' }), 'f.txt')
  return { body }
}

const entity = (type: string, more: object): object => ({ 'entity-type': type, ...more })
const change = entity('document', { properties: { 'dc:title': 'changed' } })
const child = entity('document', { name: 'made', type: 'File', properties: {} })
const business = entity('Plain', { value: { title: 'changed' } })
const remark = (type: string): Request =>
  json(entity(type, { text: 'a remark', ...(type === 'annotation' && { xpath: 'file:content' }) }))

const onDocument = (
  suffix: string | ((fixture: Fixture) => string),
  serves: Route['serves'],
  more: Pick<Route, 'isFolder' | 'shadowed'> = {},
): Route => ({
  registered: 'document',
  at: typeof suffix === 'string' ? () => suffix : suffix,
  serves,
  ...more,
})

const remarks = (type: 'comment' | 'annotation'): Route[] => [
  onDocument(`/@${type}`, { GET: served(READING), POST: served(COMMENTING, remark(type)) }, {}),
  onDocument((fixture) => `/@${type}/${fixture[type].id}`, {
    GET: served(READING),
    PUT: served(EDITING, remark(type)),
    DELETE: served(MODERATING),
  }),
]

const review = entity('workflow', { workflowModelName: 'SerialDocumentReview' })

/** What hangs on documents; each is called by id and by path. */
export const DOCUMENT_ROUTES: readonly Route[] = [
  onDocument(
    '',
    {
      GET: served(READING),
      POST: served(MAKING, json(child)),
      PUT: served(WRITING, json(change)),
      DELETE: served(REMOVING),
    },
    { isFolder: true },
  ),
  onDocument('/@acl', { GET: served(READING) }),
  onDocument('/@audit', { GET: served(READING) }),
  onDocument('/@children', { GET: served(READING) }, { isFolder: true }),
  onDocument('/@search?fullText=secret', { GET: served(READING) }, { isFolder: true }),
  onDocument('/@pp/document_content', { GET: served(READING) }, { isFolder: true }),
  onDocument('/@blob/file:content', {
    GET: served(READING),
    PUT: served(WRITING, upload),
    DELETE: served(REMOVING),
  }),
  onDocument('/@convert?type=text/plain', { GET: served(READING), POST: served(READING) }),
  onDocument('/@blob/file:content/@convert?type=text/plain', { GET: served(READING), POST: served(READING) }),
  // Files that are no pictures.
  onDocument(({ document }) => `/@comparePictures/${document?.uid}`, {
    GET: served([404, 400, 400, 400, 400]),
  }),
  onDocument('/@media', { GET: served(READING) }),
  onDocument('/@media/events', { GET: served(READING) }),
  onDocument('/@preview', { GET: served(SHOWING) }),
  onDocument('/@rendition/mainBlob', { GET: served(READING) }),
  onDocument('/@emptyWithDefault?type=File', { GET: served(READING) }, { isFolder: true }),
  onDocument('/@op/Document.Update', {
    POST: served(WRITING, json({ params: { properties: 'dc:title=x' } })),
  }),
  onDocument('/@op/retitle', { POST: served(WRITING, json({})) }),
  onDocument(
    '/@children/@op/Document.Update',
    { POST: served(WRITING, json({ params: { properties: 'dc:title=x' } })) },
    { isFolder: true },
  ),
  onDocument('/@bo/Plain', {
    GET: served(READING),
    PUT: served(WRITING, json(business)),
    DELETE: served(REMOVING),
  }),
  onDocument(
    '/@bo/Plain/made',
    { POST: served([404, 403, 200, 200, 200], json(business)) },
    { isFolder: true },
  ),
  onDocument('/@children/@bo/Plain', { GET: served(READING) }, { isFolder: true }),
  onDocument('/@workflow', { GET: served(READING), POST: served(MAKING, json(review)) }),
  onDocument('/@task', { GET: served(READING) }),
  ...remarks('comment'),
  ...remarks('annotation'),
]

const get = (
  registered: string,
  at: string | ((fixture: Fixture) => string) = registered,
  statuses: readonly number[] = all(200),
  more: Partial<Route> = {},
): Route => ({
  registered,
  at: typeof at === 'string' ? () => at : at,
  serves: { GET: served(statuses) },
  ...more,
})

const query = 'query=SELECT%20*%20FROM%20Document'

const QUERIES: readonly Route[] = [
  get(`${API}/query`, `${API}/query?${query}`),
  get(`${API}/query/NXQL`, `${API}/query/NXQL?${query}`),
  get(`${API}/search/execute`, `${API}/search/execute?${query}`),
  get(`${API}/search/lang/NXQL/execute`, `${API}/search/lang/NXQL/execute?${query}`),
  get(`${API}/search/lang/:language/execute`, `${API}/search/lang/SQL/execute`, all(400)),
  get(`${API}/query/:provider`, `${API}/query/default_search`),
  get(`${API}/search/pp/:provider/execute`, `${API}/search/pp/default_search/execute`),
  get(`${API}/search/pp/:provider`, `${API}/search/pp/default_search`),
]

const AUDIT: readonly Route[] = [
  get(`${API}/audit`, `${API}/audit`, forAdministrators(200)),
  get(`${API}/audit/export`, `${API}/audit/export`, forAdministrators(200)),
]

const savedSearch = entity('savedSearch', { title: 'changed', pageProviderName: 'default_search' })

/** A search is a document, in the folder that the stranger may not see. */
const onSavedSearch = (suffix: string, serves: Route['serves']): Route => ({
  registered: `${API}/search/saved/:id${suffix}`,
  at: ({ document }) => `${API}/search/saved/${document.uid}${suffix}`,
  isSavedSearch: true,
  serves,
})

const SAVED_SEARCHES: readonly Route[] = [
  {
    registered: `${API}/search/saved`,
    at: () => `${API}/search/saved`,
    serves: { GET: served(all(200)), POST: served(all(200), json(savedSearch)) },
  },
  onSavedSearch('', {
    GET: served(READING),
    PUT: served(WRITING, json(savedSearch)),
    DELETE: served(REMOVING),
  }),
  onSavedSearch('/execute', { GET: served(READING) }),
]

const none = 'query=SELECT%20*%20FROM%20Note%20WHERE%20ecm%3Auuid%20IS%20NULL'
const trashing = served(all(202), json({ value: true }))

/** What commands do, and who may see them: bulk.test.ts. */
const BULK: readonly Route[] = [
  {
    registered: `${API}/search/bulk/:action`,
    at: () => `${API}/search/bulk/trash?${none}&queryLimit=1`,
    serves: { POST: trashing },
  },
  {
    registered: `${API}/search/pp/:provider/bulk/:action`,
    at: () => `${API}/search/pp/default_search/bulk/trash?queryLimit=1`,
    serves: { POST: trashing },
  },
  {
    registered: `${API}/search/saved/:id/bulk/:action`,
    at: ({ document }) => `${API}/search/saved/${document.uid}/bulk/trash?queryLimit=1`,
    isSavedSearch: true,
    serves: { POST: served([404, 202, 202, 202, 202], json({ value: true })) },
  },
  get(`${API}/bulk/:command`, `${API}/bulk/none`, all(404)),
  {
    registered: `${API}/bulk/:command/abort`,
    at: () => `${API}/bulk/none/abort`,
    serves: { PUT: served(all(404)) },
  },
]

const AUTOMATION_ROUTES: readonly Route[] = [
  get(AUTOMATION),
  get(`${AUTOMATION}/doc`, `${AUTOMATION}/doc?id=retitle`, all(200), { shadowed: ['POST'] }),
  get(`${AUTOMATION}/:id/yaml`, `${AUTOMATION}/retitle/yaml`, forAdministrators(200)),
  {
    registered: `${AUTOMATION}/login`,
    at: () => `${AUTOMATION}/login`,
    // The registry is asked for an operation of that name.
    shadowed: ['GET', 'HEAD'],
    serves: { POST: served(all(200)) },
  },
  {
    registered: `${AUTOMATION}/:id`,
    at: () => `${AUTOMATION}/retitle`,
    serves: {
      GET: served(all(200)),
      POST: served(WRITING, ({ document }) => ({ json: { input: document.uid } })),
    },
  },
  {
    registered: `${AUTOMATION}/:id`,
    at: () => `${AUTOMATION}/retitle?dryRun=true`,
    serves: { POST: served(WRITING, ({ document }) => ({ json: { input: document.uid } })) },
    shadowed: ['GET', 'HEAD'],
  },
  get(`${AUTOMATION}/files/:id`, ({ document }) => `${AUTOMATION}/files/${document.uid}`, READING),
  {
    registered: `${AUTOMATION}/:id/@async`,
    at: () => `${AUTOMATION}/retitle/@async`,
    // What may be seen may be tried: the run itself finds that it may not be written.
    serves: {
      POST: served([404, 202, 202, 202, 202], ({ document }) => ({ json: { input: `doc:${document.uid}` } })),
    },
  },
  get(
    `${AUTOMATION}/:id/@async/:execution/status`,
    ({ run }) => `${AUTOMATION}/retitle/@async/${run}/status`,
    owned(303),
  ),
  {
    registered: `${AUTOMATION}/:id/@async/:execution`,
    at: ({ run }) => `${AUTOMATION}/retitle/@async/${run}`,
    // It is complete: nothing is left to be cancelled.
    serves: { GET: served(owned(200)), DELETE: served(all(404)) },
  },
  get(`${AUTOMATION}/runs`, `${AUTOMATION}/runs?chain=retitle`, all(200), { shadowed: ['POST'] }),
  get(`${AUTOMATION}/schedules`, `${AUTOMATION}/schedules`, forAdministrators(200), { shadowed: ['POST'] }),
  get(`${API}/webhooks`, `${API}/webhooks`, forAdministrators(200)),
  get(`${API}/webhooks/deliveries`, `${API}/webhooks/deliveries`, forAdministrators(200)),
  {
    registered: `${API}/webhooks/deliveries/:id/redeliver`,
    at: () => `${API}/webhooks/deliveries/none/redeliver`,
    serves: { POST: served(forAdministrators(404)) },
  },
  {
    registered: `${API}/webhooks/:name/redeliver`,
    at: () => `${API}/webhooks/none/redeliver`,
    serves: { POST: served(forAdministrators(404)) },
  },
  get(`${API}/events`, `${API}/events?seconds=0`, all(200)),
  {
    registered: `${AUTOMATION}/schedules/:name/run`,
    at: () => `${AUTOMATION}/schedules/none/run`,
    serves: { POST: served(forAdministrators(404)) },
  },
  {
    registered: `${AUTOMATION}/runs/:execution`,
    at: ({ run }) => `${AUTOMATION}/runs/${run}`,
    // It is complete: nothing is left to be cancelled, to be started again, or to be done again of it.
    serves: { GET: served(owned(200)), DELETE: served(owned(409)) },
  },
  {
    registered: `${AUTOMATION}/runs/:execution/retry`,
    at: ({ run }) => `${AUTOMATION}/runs/${run}/retry`,
    serves: { POST: served(owned(409)) },
  },
  get(`${AUTOMATION}/runs/:execution/items`, ({ run }) => `${AUTOMATION}/runs/${run}/items`, owned(200)),
  {
    registered: `${AUTOMATION}/runs/:execution/items/retry`,
    at: ({ run }) => `${AUTOMATION}/runs/${run}/items/retry`,
    serves: { POST: served(all(404)) },
  },
]

const NOBODY = '00000000-0000-4000-8000-000000000000'
const ending = served(all(404), json(entity('task', {})))

/** Who may see and move workflows: workflows.test.ts. */
const WORKFLOWS: readonly Route[] = [
  {
    registered: `${API}/workflow`,
    at: () => `${API}/workflow`,
    serves: {
      GET: served(all(200)),
      POST: served(MAKING, ({ document }) => ({
        json: { ...review, attachedDocumentIds: [document.uid] },
      })),
    },
  },
  {
    registered: `${API}/workflow/:id`,
    at: () => `${API}/workflow/${NOBODY}`,
    serves: { GET: served(all(404)), DELETE: served(all(404)) },
  },
  ...['graph', 'diagram', 'escalations'].map((part) =>
    get(`${API}/workflow/:id/${part}`, `${API}/workflow/${NOBODY}/${part}`, all(404)),
  ),
  {
    registered: `${API}/workflowModel`,
    at: () => `${API}/workflowModel`,
    serves: {
      GET: served(all(200)),
      POST: served(forAdministrators(400), () => ({
        body: 'no archive',
        headers: { 'Content-Type': 'application/zip' },
      })),
    },
  },
  ...['', '/graph', '/diagram'].map((part) =>
    get(`${API}/workflowModel/:name${part}`, `${API}/workflowModel/SerialDocumentReview${part}`),
  ),
  {
    registered: `${API}/workflowModel/:name/trial`,
    at: () => `${API}/workflowModel/SerialDocumentReview/trial`,
    serves: {
      POST: served(forAdministrators(400), () => ({
        json: entity('workflowTrial', { attachedDocumentIds: 1 }),
      })),
    },
  },
  get(`${API}/workflowRun`, `${API}/workflowRun`, forAdministrators(200)),
  get(`${API}/workflowBacklog`, `${API}/workflowBacklog`, forAdministrators(200)),
  ...['retry', 'migrate'].map(
    (verb): Route => ({
      registered: `${API}/workflowRun/:id/${verb}`,
      at: () => `${API}/workflowRun/${NOBODY}/${verb}`,
      serves: { POST: served(forAdministrators(404)) },
    }),
  ),
  get(`${API}/task`),
  get(`${API}/task/:id`, `${API}/task/${NOBODY}`, all(404)),
  ...['reassign?actors=reader', 'delegate?delegatedActors=reader'].map(
    (call): Route => ({
      registered: `${API}/task/:id/${call.split('?')[0]}`,
      at: () => `${API}/task/${NOBODY}/${call}`,
      serves: { PUT: served(all(404)) },
    }),
  ),
  {
    registered: `${API}/task/:id/:action`,
    at: () => `${API}/task/${NOBODY}/validate`,
    serves: { PUT: ending },
  },
]

const CHAIN = '- Log: {message: hello}\n'
const yaml: Request = () => ({ body: CHAIN, headers: { 'Content-Type': 'application/yaml' } })

const component: Request = () => ({
  body: '<component><extension><chain id="Contributed"><operation id="Log"><param name="message">x</param></operation></chain></extension></component>',
  headers: { 'Content-Type': 'application/xml' },
})

const CONTRIBUTIONS: readonly Route[] = [
  {
    registered: `${API}/contributions`,
    at: () => `${API}/contributions`,
    serves: { GET: served(forAdministrators(200)), POST: served(forAdministrators(200), component) },
  },
  get(`${API}/contributions/schema.json`, `${API}/contributions/schema.json`, forAdministrators(200)),
  get(`${API}/contributions/:point`, `${API}/contributions/types`, forAdministrators(200)),
  get(`${API}/contributions/:point`, `${API}/contributions/chains`, forAdministrators(200)),
  get(
    `${API}/contributions/:point/schema.json`,
    `${API}/contributions/types/schema.json`,
    forAdministrators(200),
  ),
  get(`${API}/contributions/:point/schema.json`, `${API}/contributions/chains/schema.json`, all(200), {
    shadowed: ['PUT', 'DELETE'],
  }),
  {
    registered: `${API}/contributions/:point/:name`,
    at: ({ chain }) => `${API}/contributions/chains/${chain}`,
    serves: {
      GET: served(forAdministrators(200)),
      PUT: served(forAdministrators(200), yaml),
      DELETE: served(forAdministrators(204)),
    },
  },
  {
    registered: `${API}/contributions/:point/:name`,
    at: ({ chain }) => `${API}/contributions/chains/${chain}?dryRun=true`,
    serves: { PUT: served(forAdministrators(200), yaml) },
    shadowed: ['GET', 'HEAD', 'DELETE'],
  },
  {
    registered: `${API}/contributions/:point/:name`,
    at: () => `${API}/contributions/adapters/Plain`,
    serves: { GET: served(forAdministrators(200)), PUT: served(forAdministrators(422)) },
    shadowed: ['DELETE'],
  },
]

const CONVERSIONS: readonly Route[] = [
  get(`${API}/converters`),
  get(`${API}/conversions`),
  ...['conversion', 'conversions'].map(
    (root): Route => ({
      registered: `${API}/${root}/:id`,
      at: ({ conversion }) => `${API}/${root}/${conversion}`,
      // It is complete: nothing is left to be cancelled.
      serves: { DELETE: served(owned(409)) },
    }),
  ),
  get(`${API}/conversion/:id/poll`, ({ conversion }) => `${API}/conversion/${conversion}/poll`, owned(303)),
  get(
    `${API}/conversion/:id/result`,
    ({ conversion }) => `${API}/conversion/${conversion}/result`,
    owned(200),
  ),
  ...['conversion', 'conversions'].map((root) =>
    get(`${API}/${root}/:id/events`, ({ conversion }) => `${API}/${root}/${conversion}/events`, owned(200)),
  ),
  get(`${API}/conversions/:id/poll`, ({ conversion }) => `${API}/conversions/${conversion}/poll`, owned(200)),
  get(
    `${API}/conversions/:id/result`,
    ({ conversion }) => `${API}/conversions/${conversion}/result`,
    owned(200),
  ),
]

const IDENTITIES: readonly Route[] = [
  get(`${API}/me`),
  {
    registered: `${API}/me/changepassword`,
    at: () => `${API}/me/changepassword`,
    serves: { PUT: served(all(401), json({ oldPassword: 'not it', newPassword: 'another one' })) },
  },
  get(`${API}/user/search`, `${API}/user/search?q=*`, all(200), { shadowed: ['POST', 'PUT', 'DELETE'] }),
  {
    registered: `${API}/user`,
    at: () => `${API}/user`,
    serves: {
      POST: served(forAdministrators(201), ({ user }) => ({
        json: entity('user', {
          id: `${user}-new`,
          properties: { username: `${user}-new`, password: 'pass' },
        }),
      })),
    },
    shadowed: ['GET', 'HEAD', 'PUT', 'DELETE'],
  },
  {
    registered: `${API}/user/*`,
    at: ({ user }) => `${API}/user/${user}`,
    serves: {
      GET: served(all(200)),
      PUT: served(forAdministrators(200), ({ user }) => ({
        json: entity('user', { id: user, properties: { username: user, firstName: 'x' } }),
      })),
      DELETE: served(forAdministrators(204)),
    },
    shadowed: ['POST'],
  },
  {
    registered: `${API}/user/*`,
    at: ({ user, group }) => `${API}/user/${user}/group/${group}`,
    serves: { POST: served(forAdministrators(201)), DELETE: served(forAdministrators(200)) },
    shadowed: ['GET', 'HEAD', 'PUT'],
  },
  {
    registered: `${API}/user/*`,
    at: ({ user }) => `${API}/user/${user}/@loginAttempts`,
    serves: { DELETE: served(forAdministrators(204)) },
    shadowed: ['GET', 'HEAD', 'POST', 'PUT'],
  },
  get(`${API}/group/search`, `${API}/group/search?q=*`, all(200), { shadowed: ['POST', 'PUT', 'DELETE'] }),
  {
    registered: `${API}/group`,
    at: () => `${API}/group`,
    serves: {
      POST: served(forAdministrators(201), ({ group }) => ({
        json: entity('group', { id: `${group}-new`, groupname: `${group}-new` }),
      })),
    },
    shadowed: ['GET', 'HEAD', 'PUT', 'DELETE'],
  },
  {
    registered: `${API}/group/*`,
    at: ({ group }) => `${API}/group/${group}`,
    serves: {
      GET: served(all(200)),
      PUT: served(forAdministrators(200), ({ group }) => ({
        json: entity('group', { id: group, groupname: group, grouplabel: 'x' }),
      })),
      DELETE: served(forAdministrators(204)),
    },
    shadowed: ['POST'],
  },
  {
    registered: `${API}/group/*`,
    at: ({ user, group }) => `${API}/group/${group}/user/${user}`,
    serves: { POST: served(forAdministrators(201)), DELETE: served(forAdministrators(200)) },
    shadowed: ['GET', 'HEAD', 'PUT'],
  },
  get(`${API}/group/*`, ({ group }) => `${API}/group/${group}/@users`, all(200), {
    shadowed: ['POST', 'PUT', 'DELETE'],
  }),
]

const DIRECTORIES: readonly Route[] = [
  get(`${API}/directory`, `${API}/directory`, all(200), { shadowed: ['POST', 'PUT', 'DELETE'] }),
  get(`${API}/directory/`, `${API}/directory/`, all(200), { shadowed: ['POST', 'PUT', 'DELETE'] }),
  {
    registered: `${API}/directory/*`,
    at: () => `${API}/directory/nature`,
    serves: {
      GET: served(all(200)),
      POST: served(forAdministrators(201), ({ entry }) => ({
        json: entity('directoryEntry', {
          directoryName: 'nature',
          properties: { id: `${entry}-new`, label: 'x' },
        }),
      })),
    },
    shadowed: ['PUT'],
  },
  {
    registered: `${API}/directory/*`,
    at: ({ entry }) => `${API}/directory/nature/${entry}`,
    serves: {
      GET: served(all(200)),
      PUT: served(forAdministrators(200), ({ entry }) => ({
        json: entity('directoryEntry', { directoryName: 'nature', id: entry, properties: { label: 'y' } }),
      })),
      DELETE: served(forAdministrators(204)),
    },
  },
]

const MODEL: readonly Route[] = [
  get(`${API}/config/types`),
  get(`${API}/config/types/:name`, `${API}/config/types/File`),
  get(`${API}/config/schemas`),
  get(`${API}/config/schemas/:name`, `${API}/config/schemas/dublincore`),
  get(`${API}/config/properties`, `${API}/config/properties`, forAdministrators(200)),
  get(`${API}/config/facets`),
  get(`${API}/config/facets/:name`, `${API}/config/facets/Folderish`),
]

const DISCOVERY: readonly Route[] = [
  get('/json/cmis'),
  get(`${API}/capabilities`),
  get(`${API}/openapi.json`),
  get(`${API}/reference`),
  get('/'),
  get('/ui'),
  get('/ui/'),
  get('/health/live', '/health/live', all(200), { isPublic: true }),
  get('/health/ready', '/health/ready', all(200), { isPublic: true }),
  get('/runningstatus', '/runningstatus', all(200), { isPublic: true }),
  get('/metrics', '/metrics', all(200), { isPublic: true }),
]

/** The service of these tests has no key, so that an administrator learns that there is nothing to read. */
/** Without a search engine there is nothing to change. */
const MANAGEMENT: readonly Route[] = (
  [
    ['', 'GET', 200],
    ['/reindex', 'POST', 404],
    ['/failures', 'GET', 200],
    ['/failures/retry', 'POST', 404],
    ['/drift', 'POST', 404],
    ['/:document/reindex', 'POST', 404],
  ] as const
).map(([path, verb, status]) => ({
  registered: `${API}/management/elasticsearch${path}`,
  at: () => `${API}/management/elasticsearch${path.replace(':document', 'none')}`,
  serves: { [verb]: served(forAdministrators(status)) },
}))

const COLLECTIONS: Route = {
  registered: `${API}/management/blobs/orphaned`,
  at: () => `${API}/management/blobs/orphaned?dryRun=true`,
  serves: { GET: served(forAdministrators(200)), DELETE: served(forAdministrators(200)) },
}

/** Nothing may be imported from: no setting names a folder. */
const IMPORTERS: readonly Route[] = [
  'run',
  'log',
  'logActivate',
  'logDesactivate',
  'status',
  'running',
  'kill',
].map((name) => ({
  registered: `/site/fileImporter/${name}`,
  at: () => `/site/fileImporter/${name}`,
  serves: { GET: served(forAdministrators(200)) },
}))

const at = (registered: string, serves: Route['serves']): Route => ({
  registered,
  at: () => registered.replace(/:\w+/g, '0'),
  serves,
})

const bytes: Request = () => ({ body: 'x', headers: { 'X-Batch-Id': 'batch' } })
const olderCall = { params: { operationId: 'Document.Fetch', batchId: 'none' } }

/** A batch is its user's: uploads/batches.test.ts. */
const UPLOADS: readonly Route[] = [
  at(`${API}/upload`, { POST: served(all(201)) }),
  {
    ...at(`${API}/upload/new/:handler`, {}),
    at: () => `${API}/upload/new/default`,
    serves: { POST: served(all(200)) },
    shadowed: ['GET', 'HEAD', 'DELETE'],
  },
  at(`${API}/upload/handlers`, { GET: served(all(200)) }),
  {
    ...at(`${API}/upload/handlers/:handler`, { GET: served(all(404)) }),
    shadowed: ['POST', 'DELETE'],
  },
  at(`${API}/upload/:batch`, { GET: served(all(404)), DELETE: served(all(404)) }),
  at(`${API}/upload/:batch/info`, { GET: served(all(404)) }),
  at(`${API}/upload/:batch/refreshToken`, { POST: served(all(404)) }),
  at(`${API}/upload/:batch/:file`, {
    GET: served(all(404)),
    POST: served(all(404), bytes),
    DELETE: served(all(404)),
  }),
  at(`${API}/upload/:batch/:file/complete`, { POST: served(all(404), json({ fileSize: 1, md5: '' })) }),
  at(`${API}/upload/:batch/execute/:operation`, { POST: served(all(404), json({})) }),
  at(`${API}/upload/:batch/:file/execute/:operation`, { POST: served(all(404), json({})) }),
  at(`${API}/automation/batch/upload`, { POST: served(all(200), bytes) }),
  at(`${API}/automation/batch/execute`, { POST: served(all(404), json(olderCall)) }),
  at(`${API}/automation/batch/files/:batch`, { GET: served(all(200)) }),
  at(`${API}/automation/batch/drop/:batch`, { GET: served(all(200)) }),
]

const CODEC: readonly Route[] = ['decode', 'encode'].map((direction) => ({
  registered: `${API}/codec/${direction}`,
  at: () => `${API}/codec/${direction}`,
  serves: { POST: served(forAdministrators(404), () => ({ json: { payloads: [] } })) },
}))

const downloads = (root: string): Route[] => [
  get(
    `/${root}/:repository/:id/*`,
    ({ document }) => `/${root}/default/${document.uid}/file:content/s.txt`,
    READING,
  ),
  get(`/${root}/:repository/:id`, ({ document }) => `/${root}/default/${document.uid}`, READING),
]

/** What is registered at an address of its own. */
export const ROUTES: readonly Route[] = [
  ...QUERIES,
  ...CODEC,
  ...AUDIT,
  ...MANAGEMENT,
  COLLECTIONS,
  ...IMPORTERS,
  ...UPLOADS,
  ...SAVED_SEARCHES,
  ...BULK,
  ...AUTOMATION_ROUTES,
  ...CONTRIBUTIONS,
  ...CONVERSIONS,
  ...WORKFLOWS,
  ...IDENTITIES,
  ...DIRECTORIES,
  ...MODEL,
  ...DISCOVERY,
  ...downloads('nxfile'),
  ...downloads('nxbigfile'),
  // Whoever has not made it finds nothing: operations-download.test.ts.
  get('/nxbigblob/:key', '/nxbigblob/none', all(404)),
  { registered: '/~/*', at: () => `${API}/repo/unknown/path${OPEN}`, serves: {}, shadowed: VERBS },
]
