import type { Call } from './rest-client.js'

/** A request that an unprepared client might send. */
export type RandomRequest = { method: string; path: string; call: Call }

type Random = () => number

/** Documents that requests may aim at; those under `scratch` may be removed by them. */
export type Aims = { ids: readonly string[]; paths: readonly string[]; scratch: readonly string[] }

const STRANGE = [
  '%00',
  '%',
  '%E0%A4',
  '%2F',
  '%2e%2e',
  '..',
  '.',
  '//',
  '@',
  '@@',
  '@children',
  '+',
  '%20',
  ';',
  '?',
  '#',
  '\\',
  '\u{1F600}',
  'é',
  "'",
  '"',
  '%27%20OR%201=1--',
  '$x',
  '<script>',
  '*',
  '~default',
  'a'.repeat(300),
  '-1',
  '0',
  '999999999999999999999',
  '%F0%9F%98%80',
  '%ED%A0%80',
  'null',
  '__proto__',
  'constructor',
]
const ROOTS = [
  '/api/v1',
  '/site/api/v1',
  '/site/api',
  '/nuxeo/api/v1',
  '/nuxeo/site/api',
  '/api/v1/repo/default',
  '/api/v1/repo/other',
  '',
]
const PLACES = [
  'id',
  'path',
  'query',
  'search/execute',
  'search/pp/x/execute',
  'search/saved',
  'search/saved/x',
  'search/saved/x/execute',
  'user',
  'group',
  'directory',
  'me',
  'config/types',
  'upload',
  'automation',
  'capabilities',
  'nxfile/default',
  'nxbigfile/default',
  'nothing',
]
const ADAPTERS = [
  '@children',
  '@search',
  '@pp/x',
  '@blob/file:content',
  '@blob/files:files/0/file',
  '@blob/blobholder:0',
  '@acl',
  '@op/Document.Fetch',
  '@op/Nothing',
  '@bo/Nothing',
  '@bo/Nothing/x',
  '@preview',
  '@rendition/thumbnail',
  '@rendition',
  '@emptyWithDefault',
  '@comment',
  '@unknown',
  '@',
  '@blob',
]
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const PARAMETERS = [
  'query',
  'queryParams',
  'pageSize',
  'currentPageIndex',
  'offset',
  'maxResults',
  'sortBy',
  'sortOrder',
  'fullText',
  'orderBy',
  'properties',
  'enrichers.document',
  'fetch.document',
  'translate.directoryEntry',
  'depth',
  'type',
  'name',
  'nxrepository',
  'inline',
  'x',
]
const HEADERS = [
  'properties',
  'X-NXDocumentProperties',
  'enrichers-document',
  'X-NXContext-Category',
  'fetch-document',
  'depth',
  'Accept',
  'Content-Type',
  'X-NXRepository',
  'X-Versioning-Option',
  'Update-Comment',
  'source',
  'X-NXDocumentJsonLegacy',
  'X-Batch-No-Drop',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Want-Digest',
  'Accept-Language',
  'X-Request-Id',
  'Idempotency-Key',
  'Content-Length',
]
const VALUES = [
  '*',
  'dublincore',
  'dublincore,file,,',
  'children',
  'max',
  'root',
  'acls,breadcrumb,children,permissions',
  'preview,thumbnail,renditions,subtypes,vocabularies,publications,hasContent,hasFolderishChild,firstAccessibleAncestor',
  'properties',
  'dc:creator',
  'dc',
  'versionLabel,lock',
  'application/json',
  'application/json+nxentity',
  'text/html',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'default',
  'other',
  'MINOR',
  'none',
  'true',
  'bytes=0-1,5-',
  'bytes=-',
  '"x"',
  'SELECT * FROM Document',
  "SELECT * FROM File WHERE dc:title LIKE '%a%'",
  'SELECT',
  'asc',
  'dc:title',
  'ecm:uuid',
  'dc:title; DROP TABLE documents',
  '1',
  '0',
  '-1',
  '1e9',
  '',
  ' ',
  ',',
  ';;',
  "'",
]
const PROPERTIES = [
  'dc:title',
  'dc:description',
  'dc:subjects',
  'dc:created',
  'dc:creator',
  'dc:coverage',
  'file:content',
  'files:files',
  'note:note',
  'uid:major_version',
  'no:such',
  '__proto__',
  'dc:title/x',
  '',
]
const TYPES = ['File', 'Folder', 'Note', 'Workspace', 'Picture', 'Root', 'Document', 'Nothing', '']

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!

const chance = (random: Random, share: number): boolean => random() < share

/** Any JSON, hostile more often than not. */
const randomJson = (random: Random, depth = 0): unknown => {
  const kind = Math.floor(random() * (depth > 3 ? 6 : 9))
  switch (kind) {
    case 0:
      return null
    case 1:
      return pick(random, [
        '',
        'x',
        'a\u0000b',
        '\ud800',
        '2020-01-01',
        '2020-13-99',
        'true',
        '12',
        'x'.repeat(5_000),
      ])
    case 2:
      return pick(random, [0, -1, 1.5, 1e308, 2 ** 53, -0])
    case 3:
      return chance(random, 0.5)
    case 4:
      return pick(random, [
        { data: 'inline', name: 'a.txt' },
        { data: 'http://localhost/nxfile/default/x/file:content' },
        { data: 'http://' },
        { 'upload-batch': 'b', 'upload-fileId': '0' },
        { 'upload-batch': 1, 'upload-fileId': 0 },
        { content: 'x', encoding: 'none' },
        { 'entity-type': 'user', id: 'ann' },
      ])
    case 5:
      return pick(random, VALUES)
    case 6:
      return Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 4) }, () => [
          pick(random, [...PROPERTIES, 'file', 'value', 'entity-type', 'uid']),
          randomJson(random, depth + 1),
        ]),
      )
  }
}

const documentJson = (random: Random): unknown => ({
  'entity-type': chance(random, 0.9) ? 'document' : randomJson(random),
  ...(chance(random, 0.8) && { type: pick(random, TYPES) }),
  ...(chance(random, 0.8) && { name: chance(random, 0.5) ? 'made' : pick(random, STRANGE) }),
  ...(chance(random, 0.2) && { uid: randomJson(random) }),
  ...(chance(random, 0.2) && { changeToken: randomJson(random) }),
  properties: chance(random, 0.9)
    ? Object.fromEntries(
        Array.from({ length: Math.floor(random() * 4) }, () => [
          pick(random, PROPERTIES),
          randomJson(random),
        ]),
      )
    : randomJson(random),
})

const randomBody = (random: Random): string => {
  const json = JSON.stringify(
    chance(random, 0.6)
      ? documentJson(random)
      : chance(random, 0.5)
        ? { params: randomJson(random), context: randomJson(random), input: randomJson(random) }
        : randomJson(random),
  )
  if (chance(random, 0.85)) return json
  const at = Math.floor(random() * json.length)
  return chance(random, 0.5)
    ? json.slice(0, at)
    : `${json.slice(0, at)}${pick(random, STRANGE)}${json.slice(at + 1)}`
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const documentPath = (random: Random, { ids, paths }: Aims): string => {
  const which = random()
  if (which < 0.4) return `/id/${pick(random, ids)}`
  if (which < 0.8) return `/path${encoded(pick(random, paths))}`
  return `/path${Array.from({ length: Math.floor(random() * 4) }, () => `/${pick(random, STRANGE)}`).join('')}`
}

const randomPath = (random: Random, aims: Aims): string => {
  const root = chance(random, 0.6) ? '/api/v1' : pick(random, ROOTS)
  const place = chance(random, 0.75)
    ? documentPath(random, aims)
    : `/${pick(random, PLACES)}${chance(random, 0.5) ? `/${pick(random, [...STRANGE, ...aims.ids])}` : ''}`
  const adapters = Array.from(
    { length: Math.floor(random() * random() * 4) },
    () => `/${pick(random, ADAPTERS)}`,
  )
  const end = chance(random, 0.1) ? pick(random, STRANGE) : ''
  return `${root}${place}${adapters.join('')}${end}`
}

const randomQuery = (random: Random): string => {
  const parameters = Array.from({ length: Math.floor(random() * 4) }, () => {
    const value = chance(random, 0.8) ? encodeURIComponent(pick(random, VALUES)) : pick(random, STRANGE)
    return `${pick(random, PARAMETERS)}=${value}`
  })
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

const randomHeaders = (random: Random): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.floor(random() * 4) }, () => [pick(random, HEADERS), pick(random, VALUES)]),
  )

/** The next request of a seed. Removals aim at scratch documents alone, so that something is left to be asked for. */
export const randomRequest = (random: Random, aims: Aims): RandomRequest => {
  const method = pick(random, METHODS)
  const isRemoval = method === 'DELETE'
  const path = isRemoval
    ? `/api/v1/path${encoded(pick(random, aims.scratch))}${chance(random, 0.3) ? '/@blob/file:content' : ''}`
    : `${randomPath(random, aims)}${randomQuery(random)}`
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const headers = {
    ...(hasBody && chance(random, 0.9) && { 'Content-Type': 'application/json' }),
    ...randomHeaders(random),
  }
  return {
    method,
    path,
    call: {
      user: pick(random, ['Administrator', 'ann', 'ann', null]),
      headers,
      ...(hasBody && chance(random, 0.95) && { body: randomBody(random) }),
    },
  }
}
