import {
  createMetadata,
  importablePath,
  importEntry,
  METADATA_FILE,
  walk,
} from '../../content/folder-import/index.js'
import type { ImportSource, SourceContext } from './run-page.js'
import type { BulkImportRequest } from './types.js'

const isMetadata = (path: string): boolean => path === METADATA_FILE || path.endsWith(`/${METADATA_FILE}`)

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/**
 * The source of the bulk importer: each folder and file below a folder of the server.
 *
 * @throws forbidden for a folder that may not be imported from, notFound for one that is not there.
 */
export const createBulkSource = async (
  { inputPath, targetPath, ...bulk }: BulkImportRequest,
  { folders, services, principal, signal }: SourceContext,
): Promise<ImportSource> => {
  const root = await importablePath(folders, inputPath)
  const metadata = createMetadata(root)
  const files = {
    blobs: services.blobs.ownedBy(principal),
    maxBytes: services.limits.fileBytes,
    signal,
  }
  return {
    entries: async function* (after, lines) {
      if (after === null && bulk.hasContainer) yield { path: '', isFolder: true }
      const onOther = (path: string, reason: string): void => {
        lines.push(`${path || '.'}: left out: ${reason}`)
      }
      const found = walk(root, { after: after === '' ? null : after, onOther })
      for await (const entry of found) if (!isMetadata(entry.path)) yield entry
    },
    importEntry: async (session, entry, warn) =>
      importEntry({ ...bulk, root, target: targetPath }, entry, {
        ...{ session, files, warn },
        metadata: entry.path === '' ? {} : await metadata(folderOf(entry.path)),
      }),
  }
}
