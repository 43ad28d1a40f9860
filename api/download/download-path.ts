import { blobAt } from '../../core/content/documents/index.js'
import type { ContentModel } from '../../core/model/content-model/index.js'
import type { BlobValue, DocumentRecord } from '../../core/model/properties/index.js'
import { decodePath } from '../edge/index.js'

export type DownloadPath = {
  repository: string
  id: string
  xpath: string
  fileName?: string
  /** All behind the id: the xpath, where it names a file of the document. */
  whole?: string
}

const FORMS = /^\/(?:nxfile|nxbigfile)\/([^/]+)\/([^/]+)(?:\/(.*))?$/

/** Without the content model: the last segment is a file name unless it is a step of an xpath (a position, a field). */
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
  return {
    ...{ repository: decodePath(repository), id: decodePath(id), ...splitXpath(parts) },
    ...(parts.length > 0 && { whole: parts.join('/') }),
  }
}

/** The file that a path names: by all of it, else by what is before a last part that is a name to save it under. */
export const fileAtPath = (
  model: ContentModel,
  document: DocumentRecord,
  { xpath, fileName, whole }: Pick<DownloadPath, 'xpath' | 'fileName' | 'whole'>,
): { blob: BlobValue; xpath: string; fileName?: string } | undefined => {
  const named = whole === undefined ? undefined : blobAt(model, document, whole)
  if (named && whole !== undefined) return { blob: named, xpath: whole }
  const blob = blobAt(model, document, xpath)
  return blob && { blob, xpath, ...(fileName !== undefined && { fileName }) }
}
