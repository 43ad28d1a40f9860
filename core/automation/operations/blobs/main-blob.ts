import { blobsIn } from '../../../content/documents/index.js'
import { createBlobValue } from '../../../files/blobs/index.js'
import {
  type BlobValue,
  type DocumentRecord,
  isBlobValue,
  type PropertyValue,
} from '../../../model/properties/index.js'
import type { OperationContext } from '../../language/index.js'

const text = (value: PropertyValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The file that a document stands for: its main file, or the text of a note. */
export const mainBlob = async (
  { services }: OperationContext,
  { name, properties }: DocumentRecord,
): Promise<BlobValue | undefined> => {
  const content = properties['file:content']
  if (isBlobValue(content)) return content
  const note = text(properties['note:note'])
  if (note === undefined) return undefined
  const mimeType = text(properties['note:mime_type']) ?? 'text/html'
  return createBlobValue({
    stored: await services.blobs.write(Buffer.from(note)),
    name,
    mimeType,
    encoding: 'UTF-8',
  })
}

/** All files of a document: the one that it stands for, then its attachments. */
export const allBlobs = async (
  context: OperationContext,
  document: DocumentRecord,
): Promise<readonly BlobValue[]> => {
  const main = await mainBlob(context, document)
  return [...(main ? [main] : []), ...blobsIn(document.properties['files:files'])]
}

/** What stands for a file that is not there: `<name>.null`, a text of no length (reference: automation.md §11). */
export const absentBlob = async (
  { services }: OperationContext,
  { name }: DocumentRecord,
): Promise<BlobValue> =>
  createBlobValue({
    stored: await services.blobs.write(new Uint8Array()),
    name: `${name}.null`,
    mimeType: 'text/plain',
  })
