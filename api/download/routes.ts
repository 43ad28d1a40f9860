import { type Handler, Hono } from 'hono'
import { getDocument } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'
import type { Platform } from '../../storage/platform/index.js'
import { routedPath } from '../edge/index.js'
import type { Environment } from '../environment.js'
import { blobAt } from './blob-at.js'
import { parseDownloadPath } from './download-path.js'
import { sendBlob } from './send-blob.js'

/** `/nxfile/…` and `/nxbigfile/…`: the same downloads under two names (blobs-conversions.md §2). */
export const createDownloadRoutes = (platform: Platform): Hono<Environment> => {
  const download: Handler<Environment> = async (c) => {
    const path = routedPath(c.req.url)
    const target = parseDownloadPath(path)
    if (!target) throw fail('notFound', path)
    const session = platform.readSession(c.get('principal'))
    const document = await getDocument(session, target.id)
    const blob = blobAt(session.model, document, target.xpath)
    if (!blob) throw fail('notFound', `No blob at ${target.xpath} of ${target.id}`)
    return sendBlob(c, {
      blobs: platform.blobs,
      blob,
      fileName: target.fileName,
      modified: document.properties['dc:modified'],
    })
  }
  const routes = new Hono<Environment>()
  routes.get('/nxfile/:repository/:id/*', download)
  routes.get('/nxbigfile/:repository/:id/*', download)
  return routes
}
