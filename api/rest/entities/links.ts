import { DEFAULT_REPOSITORY } from '../../../core/platform/settings/index.js'
import { API, contextPathOf, type RequestContext } from '../../edge/index.js'

/** Addresses of this server for the caller. */
export type Links = {
  /** Without a trailing slash. */
  base: string
  /** The REST tree of the repository; the default one needs no name. */
  api: string
  /** The repository that they lead to. */
  repository: string
  blob(documentId: string, xpath: string): string
  /** The document itself in the REST tree. */
  document(documentId: string): string
}

/**
 * Links of the public address, or of the address that the request was sent to when none is configured. The
 * context path is that of the request, so that a client stays in its tree.
 */
export const linksOf = (
  c: RequestContext,
  { publicUrl, repository }: { publicUrl: string | undefined; repository: string },
): Links => {
  const { url } = c.req
  const origin =
    publicUrl?.replace(/(?<!\/)\/+$/, '') ?? url.slice(0, url.indexOf('/', url.indexOf('://') + 3))
  const context = contextPathOf(url)
  const base = origin.endsWith(context) ? origin : `${origin}${context}`
  return {
    base,
    api: `${base}${API}${repository === DEFAULT_REPOSITORY ? '' : `/repo/${repository}`}`,
    repository,
    document: (id) => `${base}${API}/repo/${repository}/id/${id}`,
    blob: (documentId, xpath) => `${base}/nxbigfile/${repository}/${documentId}/${encodeURIComponent(xpath)}`,
  }
}
