import type { DocumentRecord } from '../../model/properties/index.js'
import { blobsOf, queryDocuments, type Session } from '../documents/index.js'
import { downloadPermissionsPoint } from './download-permissions-point.js'
import { permittedBlobs } from './permitted.js'

/** Documents that are in memory at a time. */
const PAGE_SIZE = 200

const requirePermitted = (session: Session, document: DocumentRecord): Promise<unknown> =>
  permittedBlobs(session, document, { placed: blobsOf(document), reason: 'copy' })

/**
 * Asks the scripts of the deployment whether the files of a document, and of all below it that the caller may read, may
 * be those of a copy: whoever owns a copy changes what the scripts look at.
 *
 * @throws forbidden for the first file that may not be downloaded.
 */
export const requireCopyable = async (session: Session, document: DocumentRecord): Promise<void> => {
  const scripts = [...session.contributions.get(downloadPermissionsPoint).values()]
  if (!scripts.some(({ enabled = true }) => enabled)) return
  await requirePermitted(session, document)
  const below = `SELECT * FROM Document WHERE ecm:ancestorId = '${document.id}'`
  for (let last: string | undefined = ''; last !== undefined; ) {
    const behind = last === '' ? '' : ` AND ecm:uuid > '${last}'`
    const { entries } = await queryDocuments(session, `${below}${behind} ORDER BY ecm:uuid`, {
      pageSize: PAGE_SIZE,
      maxResults: 1,
    })
    for (const entry of entries) await requirePermitted(session, entry)
    last = entries.length === PAGE_SIZE ? entries.at(-1)?.id : undefined
  }
}
