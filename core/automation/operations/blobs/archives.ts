import { createBlobValue } from '../../../files/blobs/index.js'
import { type BlobValue, blobKey } from '../../../model/properties/index.js'
import { createEntryNames, zipOf } from '../../../platform/archives/index.js'
import { fail } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
} from '../../language/index.js'
import { mainBlob } from './main-blob.js'

const CATEGORY = 'Files'

const requireBounded = (files: readonly BlobValue[], maxBytes: number): void => {
  const bytes = files.reduce((sum, { length }) => sum + length, 0)
  if (bytes > maxBytes)
    throw fail(
      'tooLarge',
      `The files to zip have ${bytes} bytes, more than ARCHIVOLT_MAX_UPLOAD_BYTES (${maxBytes})`,
    )
}

/** A file that is listed twice under one name is one entry. */
const zipped = async (
  { services, signal }: OperationContext,
  blobs: readonly BlobValue[],
  filename: string | undefined,
): Promise<Value> => {
  const [first] = blobs
  if (!first) throw fail('badRequest', 'There are no files to zip')
  const files = [...new Map(blobs.map((blob) => [`${blobKey(blob)} ${blob.name}`, blob])).values()]
  requireBounded(files, services.limits.fileBytes)
  const nameOf = createEntryNames()
  const entries = files.map((blob) => ({
    name: nameOf(blob.name),
    length: blob.length,
    open: () => services.blobs.open(blob),
  }))
  const stored = await services.blobs.write(zipOf(entries), { signal })
  const blob = createBlobValue({ stored, name: filename?.trim() || first.name, mimeType: 'application/zip' })
  return { type: 'blob', blob }
}

const FILENAME = {
  type: 'string',
  description: "Name of the archive; the first file's when absent.",
} as const

const createZip = defineOperation({
  id: 'Blob.CreateZip',
  label: 'Zip',
  category: CATEGORY,
  description: 'Packs the input files into a zip archive.',
  isSlow: true,
  params: { filename: FILENAME },
  methods: ({ method }) => [
    method('blob', 'blob', ({ context, input, params }) => zipped(context, [input], params.filename)),
    method('bloblist', 'blob', ({ context, input, params }) => zipped(context, input, params.filename)),
  ],
})

const bulkDownload = defineOperation({
  id: 'Blob.BulkDownload',
  label: 'Bulk Download',
  category: CATEGORY,
  description: 'Packs the main files of the input documents into a zip archive; gives none without files.',
  isSlow: true,
  params: { filename: { ...FILENAME, description: 'Name of the archive; export.zip when absent.' } },
  methods: ({ method }) => [
    method('documents', 'blob', async ({ context, input, params }) => {
      const blobs: BlobValue[] = []
      for (const document of input) {
        throwIfStopped(context.signal)
        const blob = await mainBlob(context, document, 'export')
        if (blob) blobs.push(blob)
      }
      return blobs.length > 0 ? zipped(context, blobs, params.filename?.trim() || 'export.zip') : VOID
    }),
  ],
})

export const blobArchiveOperations: readonly Operation[] = [createZip, bulkDownload]
