import { type Handler, Hono } from 'hono'
import { findDownload } from '../../core/automation/run-store/index.js'
import { getDocument } from '../../core/content/documents/index.js'
import { noteDownload } from '../../core/content/download-permissions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import { type Environment, routedPath } from '../edge/index.js'
import { downloadable, routeGroup } from '../openapi/index.js'
import { fileAtPath, parseDownloadPath } from './download-path.js'
import { sendBlob } from './send-blob.js'
import { sendPermitted } from './send-permitted.js'

const DOWNLOAD = 'Downloads a file of a document'
const ofDocument = downloadable('The file', 403)

const describeDownloads = routeGroup({
  tag: 'files',
  path: {
    repository: 'Name of the repository',
    id: 'Id of the document',
    file: 'Xpath of the file, and the name to save it under: file:content/report.pdf',
    key: 'As in the redirection to the download',
  },
})

export const downloadDocs = describeDownloads({
  downloadOfDocument: ['GET //nxfile/{repository}/{id}', DOWNLOAD, ofDocument],
  download: ['GET //nxfile/{repository}/{id}/{file}', DOWNLOAD, ofDocument],
  downloadBigOfDocument: ['GET //nxbigfile/{repository}/{id}', DOWNLOAD, ofDocument],
  downloadBig: ['GET //nxbigfile/{repository}/{id}/{file}', DOWNLOAD, ofDocument],
  downloadUnbound: [
    'GET //nxbigblob/{key}',
    'Downloads a file without a document, which a chain has stored for its caller',
    downloadable('The file'),
  ],
})

/**
 * `/nxfile/…` and `/nxbigfile/…`: the same downloads under two names; `/nxbigblob/…`: files without a document
 * (blobs-conversions.md §2).
 */
export const createDownloadRoutes = (platform: Platform): Hono<Environment> => {
  const download: Handler<Environment> = async (c) => {
    const path = routedPath(c.req.url)
    const target = parseDownloadPath(path)
    if (!target) throw fail('notFound', path)
    const session = platform.readSession(c.get('principal'))
    const document = await getDocument(session, target.id)
    const file = fileAtPath(session.model, document, target)
    if (!file) throw fail('notFound', `No blob at ${target.xpath} of ${target.id}`)
    return sendPermitted(c, platform, { session, document, ...file, reason: 'download' })
  }
  const unbound: Handler<Environment> = async (c) => {
    const key = c.req.param('key') ?? ''
    // The address does not name the repository of the chain that stored the file.
    for (const { units } of platform.repositories.values()) {
      const { session, transient } = units.reading(c.get('principal'))
      const blob = await findDownload(transient, { key, session })
      const noted = { document: null, xpath: null, reason: 'download' }
      if (blob)
        return sendBlob(c, {
          blobs: platform.blobs,
          blob,
          onSent: (redirect) => noteDownload(session, { ...noted, blob, redirect }),
        })
    }
    throw fail('notFound', `Download ${key} does not exist`)
  }
  const routes = new Hono<Environment>()
  routes.get('/nxfile/:repository/:id/*', download)
  routes.get('/nxbigfile/:repository/:id/*', download)
  routes.get('/nxbigblob/:key', unbound)
  return routes
}
