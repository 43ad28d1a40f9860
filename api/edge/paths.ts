import { fail } from '../../core/platform/errors/index.js'

/** The base of the oldest clients, which get all properties of documents without asking (rest-documents.md §1). */
const UNVERSIONED = '/site/api'

/** Prefixes of the same tree (rest-documents.md §1), most specific first. */
const REST_ROOTS = ['/api/v1', '/site/api/v1', UNVERSIONED]

/** Where the REST tree is routed, by whichever of its prefixes a request names it. */
export const API = '/api/v1'
const CONTEXT = '/nuxeo'

const isUnder = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/')

/** Path of an absolute address as it was sent: neither decoded nor normalised. */
export const rawPath = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

const withoutContext = (path: string): string =>
  isUnder(path, CONTEXT) ? path.slice(CONTEXT.length) || '/' : path

/** The context path that a request was sent under: clients default to a base ending `/nuxeo/`. */
export const contextPathOf = (url: string): string => (isUnder(rawPath(url), CONTEXT) ? CONTEXT : '')

/** `files/{id}?path={xpath}`: addresses of files that older clients have kept, below any base. */
const ofFiles = (path: string): string => (path.startsWith('/files/') ? `/automation${path}` : path)

const REPOSITORY_SEGMENT = /^\/repo\/([^/]+)(?=\/|$)/

/** Document paths end at the first `/@`, and the id of a directory's entry may end in a slash: theirs are kept. */
const WITH_SLASHES = /^\/(?:(?:path|id)(?:\/|$)|directory\/[^/]+\/.)/

/** Clients may append a slash to a resource with others below it, e.g. `/site/automation/`. */
const withoutLastSlash = (rest: string): string =>
  rest.endsWith('/') && !WITH_SLASHES.test(rest) ? rest.slice(0, -1) : rest

/** Whether a request names the REST tree by its base without a version. */
export const isUnversioned = (url: string): boolean => {
  if (!url.includes(UNVERSIONED)) return false
  const path = withoutContext(rawPath(url))
  return REST_ROOTS.find((candidate) => isUnder(path, candidate)) === UNVERSIONED
}

type Address = {
  path: string
  /** The repository that the path names, still percent-encoded. */
  repository: string | undefined
}

/** Where a request is routed, and the repository that its path names. */
export const addressOf = (url: string): Address => {
  const path = withoutContext(rawPath(url))
  if (isUnder(path, '/site/automation'))
    return { path: `${API}${withoutLastSlash(path.slice('/site'.length))}`, repository: undefined }
  const root = REST_ROOTS.find((candidate) => isUnder(path, candidate))
  if (root === undefined)
    return { path: path.startsWith('/files/') ? `${API}${ofFiles(path)}` : path, repository: undefined }
  const rest = path.slice(root.length)
  const named = rest.startsWith('/repo/') ? REPOSITORY_SEGMENT.exec(rest) : null
  const below = withoutLastSlash(named ? rest.slice(named[0].length) : rest)
  return { path: `${API}${ofFiles(below)}`, repository: named?.[1] }
}

/**
 * The one spelling of a request's path by which it is routed: without context path, the REST tree and the
 * automation endpoint under `/api/v1`, without `/repo/{name}`. Still percent-encoded.
 */
export const routedPath = (url: string): string => addressOf(url).path || '/'

const DOWNLOAD = /^\/(?:nxfile|nxbigfile)\/([^/]+)\//

/**
 * A part of a path as it was before it was percent-encoded. Not form encoding: a plus is a plus (rest-documents.md §1).
 *
 * @throws badRequest for what is not percent-encoded UTF-8.
 */
export const decodePath = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw fail('badRequest', `The path is not percent-encoded UTF-8: ${text}`, { cause })
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // No repository has a name that needs escapes.
    return text
  }
}

/**
 * The repository that a request names: in its path, else in the header `X-NXRepository`, else in the query
 * (rest-documents.md §1). Undefined when it names none, or its path belongs to no repository.
 */
export const requestedRepository = (
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  { path, repository }: Address = addressOf(url),
): string | undefined => {
  const named = repository ?? (path.startsWith('/nx') ? DOWNLOAD.exec(path)?.[1] : undefined)
  if (named !== undefined) return decoded(named)
  if (!isUnder(path, API)) return undefined
  const header = headers.get('X-NXRepository')
  if (header) return header
  return (url.includes('nxrepository=') && new URL(url).searchParams.get('nxrepository')) || undefined
}
