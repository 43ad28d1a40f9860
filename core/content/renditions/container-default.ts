import { createBlobValue } from '../../files/blobs/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { createEntryNames, type ZipEntry, zipOf } from '../../platform/archives/index.js'
import { getChildren, type Session } from '../documents/index.js'
import { permittedBlobs } from '../download-permissions/index.js'
import { mainFile } from './main-file.js'
import type { Rendition, RenditionTools } from './rendition.js'

async function* filesOf({
  session,
  document,
  tools: { blobs },
}: {
  session: Session
  document: DocumentRecord
  tools: RenditionTools
}): AsyncGenerator<ZipEntry> {
  const nameOf = createEntryNames()
  for (const child of await getChildren(session, document)) {
    const placed = mainFile(session, child)
    const permitted = placed
      ? await permittedBlobs(session, child, { placed: [placed], reason: 'rendition' })
      : []
    for (const blob of permitted)
      yield {
        name: nameOf(blob.name ?? child.name ?? child.id),
        length: blob.length,
        open: () => blobs.open(blob),
      }
  }
}

/** The main files of what is in a folder, as far as the caller may read them, in a zip (blobs-conversions.md §3). */
export const containerDefault: Rendition = {
  name: 'containerDefaultRendition',
  kind: 'nuxeo:rendition',
  icon: '/icons/zip.png',
  isHidden: true,
  isAvailable: ({ model }, { type, facets }) => model.facetsOf(type, facets).includes('Folderish'),
  render: async (call) => {
    const { blobs, signal } = call.tools
    const stored = await blobs.write(zipOf(filesOf(call)), { ...(signal && { signal }) })
    return createBlobValue({
      stored,
      name: `${call.document.name ?? 'files'}.zip`,
      mimeType: 'application/zip',
    })
  },
}
