import type { Session } from '../../core/content/documents/index.js'
import {
  type Download,
  type DownloadJudge,
  requireDownload,
} from '../../core/content/download-permissions/index.js'
import type { Platform } from '../../runtime/index.js'
import type { RequestContext } from '../edge/index.js'
import { sendBlob } from './send-blob.js'

/** The evaluator of download permissions in this process. */
export const downloadJudge = ({
  expressions,
  logger,
}: Pick<Platform, 'expressions' | 'logger'>): DownloadJudge => ({
  expressions,
  onSkipped: (name, reason) =>
    logger.warn({ downloadPermission: name, reason }, 'a download permission was ignored'),
})

/**
 * Sends a file of a document that the caller may read, when the deployment's scripts permit the download.
 *
 * @throws forbidden when they do not.
 */
export const sendPermitted = async (
  c: RequestContext,
  { blobs, expressions, logger }: Pick<Platform, 'blobs' | 'expressions' | 'logger'>,
  { session, fileName, ...download }: Download & { session: Session; fileName?: string | undefined },
): Promise<Response> => {
  await requireDownload(session, download, downloadJudge({ expressions, logger }))
  const { blob, document } = download
  return sendBlob(c, { blobs, blob, fileName, modified: document.properties['dc:modified'] })
}
