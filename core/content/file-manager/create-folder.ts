import { quoteNxql } from '../../model/nxql/index.js'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { createDocument, type Session } from '../documents/index.js'
import { saveDocument } from '../versioning/index.js'
import { findChild } from './find-child.js'

const TYPE = 'Folder'

/**
 * Creates a folder with a title, which is its name too.
 *
 * @param overwrite reuse the folder that already has this title, and set the properties on it.
 * @throws badRequest without a title, forbidden without the right to add children or, to change one, to write.
 */
export const createFolder = async (
  session: Session,
  {
    parent,
    title,
    overwrite,
    properties,
  }: { parent: DocumentRecord; title: string; overwrite: boolean; properties: Properties },
): Promise<DocumentRecord> => {
  if (title.trim() === '') throw fail('badRequest', 'title: must not be empty')
  const values = { 'dc:title': title, ...properties }
  if (!overwrite)
    return createDocument(session, { parent: parent.id, name: title, type: TYPE, properties: values })
  const condition = `ecm:primaryType = ${quoteNxql(TYPE)} AND dc:title = ${quoteNxql(title)}`
  const current = await findChild(session, parent, condition)
  if (!current)
    return createDocument(session, { parent: parent.id, name: title, type: TYPE, properties: values })
  return Object.keys(properties).length === 0
    ? current
    : (await saveDocument(session, current, properties)).document
}
