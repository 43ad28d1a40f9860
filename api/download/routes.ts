import { type Handler, Hono } from 'hono'
import { findDownload } from '../../core/automation/run-store/index.js'
import { blobAt, getDocument } from '../../core/content/documents/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { routedPath } from '../edge/index.js'
import type { Environment } from '../environment.js'
import { parseDownloadPath } from './download-path.js'
import { sendBlob } from './send-blob.js'
import { sendPermitted } from './send-permitted.js'

/**
 * `/nxfile/…` and `/nxbigfile/…`: the same downloads under two names; `/nxbigblob/…`: what belongs to no document
 * (blobs-conversions.md §2).
 */
export const createDownloadRoutes = (platform: Platform): Hono<Environment> => {
  const download: Handler<Environment> = async (c) => {
    const path = routedPath(c.req.url)
    const target = parseDownloadPath(path)
    if (!target) throw fail('notFound', path)
    const session = platform.readSession(c.get('principal'))
    const document = await getDocument(session, target.id)
    const blob = blobAt(session.model, document, target.xpath)
    if (!blob) throw fail('notFound', `No blob at ${target.xpath} of ${target.id}`)
    const { xpath, fileName } = target
    return sendPermitted(c, platform, { session, document, blob, xpath, fileName, reason: 'download' })
  }
  const unbound: Handler<Environment> = async (c) => {
    const key = c.req.param('key') ?? ''
    // The address does not say which repository the chain ran on that has left the file.
    for (const { units } of platform.repositories.values()) {
      const { session, transient } = units.reading(c.get('principal'))
      const blob = await findDownload(transient, { key, session })
      if (blob) return sendBlob(c, { blobs: platform.blobs, blob })
    }
    throw fail('notFound', `There is no download ${key}`)
  }
  const routes = new Hono<Environment>()
  routes.get('/nxfile/:repository/:id/*', download)
  routes.get('/nxbigfile/:repository/:id/*', download)
  routes.get('/nxbigblob/:key', unbound)
  return routes
}
