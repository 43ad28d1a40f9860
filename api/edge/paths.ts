/** Repository that every document is in. */
export const REPOSITORY = 'default'

/** One tree under each of these (rest-documents.md §1), most specific first. */
const REST_ROOTS = ['/api/v1', '/site/api/v1', '/site/api']

const API = '/api/v1'
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

/**
 * The one spelling of a request's path by which it is routed: without context path, the REST tree and the
 * automation endpoint under `/api/v1`, without `/repo/default`. Still percent-encoded.
 */
export const routedPath = (url: string): string => {
  const path = withoutContext(rawPath(url))
  if (isUnder(path, '/site/automation')) return `${API}${path.slice('/site'.length)}`
  const root = REST_ROOTS.find((candidate) => isUnder(path, candidate))
  if (root === undefined) return path
  const rest = path.slice(root.length)
  const repository = `/repo/${REPOSITORY}`
  return `${API}${isUnder(rest, repository) ? rest.slice(repository.length) : rest}` || '/'
}
