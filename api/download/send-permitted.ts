import type { Session } from '../../core/content/documents/index.js'
import {
  type Download,
  noteDownload,
  requireDownload,
} from '../../core/content/download-permissions/index.js'
import type { Platform } from '../../runtime/index.js'
import type { RequestContext } from '../edge/index.js'
import { sendBlob } from './send-blob.js'

/**
 * Sends a file of a document that the caller may read, when the deployment's scripts permit the download.
 *
 * @throws forbidden when they do not.
 */
export const sendPermitted = async (
  c: RequestContext,
  { blobs }: Pick<Platform, 'blobs'>,
  { session, fileName, ...download }: Download & { session: Session; fileName?: string | undefined },
): Promise<Response> => {
  await requireDownload(session, download)
  const { blob, document } = download
  return sendBlob(c, {
    blobs,
    blob,
    fileName,
    modified: document.properties['dc:modified'],
    onSent: (redirect) => noteDownload(session, { ...download, fileName, redirect }),
  })
}
