import { decodePath } from '../edge/index.js'

export type DownloadPath = { repository: string; id: string; xpath: string; fileName?: string }

const FORMS = /^\/(?:nxfile|nxbigfile)\/([^/]+)\/([^/]+)(?:\/(.*))?$/

/** The last segment is a file name unless it is a step of an xpath (a position, a field). */
const XPATH_STEP = /^(?:\d+|file|content|info|[\w-]+[:;][\w-]+)$/

const splitXpath = (parts: readonly string[]): { xpath: string; fileName?: string } => {
  if (parts.length < 2) return { xpath: parts[0] ?? 'blobholder:0' }
  const last = parts.at(-1)!
  if (parts.length > 2 && XPATH_STEP.test(last) && parts.slice(1).every((part) => XPATH_STEP.test(part)))
    return { xpath: parts.join('/') }
  return { xpath: parts.slice(0, -1).join('/'), fileName: last }
}

/**
 * Reads `/nxfile/{repo}/{id}[/{xpath}[/{filename}]]` and `/nxbigfile/…` (blobs-conversions.md §2); undefined
 * for a path of another form.
 *
 * @throws badRequest when it is not percent-encoded UTF-8.
 */
export const parseDownloadPath = (path: string): DownloadPath | undefined => {
  const [, repository, id, rest = ''] = FORMS.exec(path) ?? []
  if (repository === undefined || id === undefined) return undefined
  const parts = decodePath(rest)
    .split('/')
    .filter((part) => part !== '')
  return { repository: decodePath(repository), id: decodePath(id), ...splitXpath(parts) }
}
