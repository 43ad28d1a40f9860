import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { storeArchive } from '../export/index.js'
import type { Rendition } from './rendition.js'

const isFolder = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes('Folderish')

/** The zip archive of a document, or of a folder with all below it that the caller may read (blobs-conversions.md §3, §7). */
const zipRendition = ({ name, isTree }: { name: string; isTree: boolean }): Rendition => ({
  name,
  kind: 'nuxeo:rendition',
  icon: '/icons/zip.png',
  isAvailable: (session, document) => isFolder(session, document) === isTree,
  render: ({ session, document, tools: { blobs, signal } }) =>
    storeArchive({ session, blobs, signal }, document, { isTree }),
})

export const zipExport = zipRendition({ name: 'zipExport', isTree: false })

export const zipTreeExport = zipRendition({ name: 'zipTreeExport', isTree: true })
