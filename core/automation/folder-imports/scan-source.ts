import { importablePath, walk } from '../../content/folder-import/index.js'
import { importScanned, type Scan, settleDescriptor } from '../../content/scan-import/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { ImportSource, SourceContext } from './run-page.js'

/** The folder of descriptors that are done; undefined where there is none. */
const processedFolder = async (
  folders: readonly string[],
  path: string | undefined,
): Promise<string | undefined> => {
  try {
    return path === undefined ? undefined : await importablePath(folders, path)
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    return undefined
  }
}

/**
 * The source of the scan importer: each descriptor below the folder of a deployment, or each file.
 *
 * @throws forbidden for a folder that may not be imported from, notFound for one that is not there.
 */
export const createScanSource = async (
  scan: Scan,
  { folders, services, principal, signal }: SourceContext,
): Promise<ImportSource> => {
  const { config } = scan
  const root = await importablePath(folders, config.sourcePath)
  const processed = await processedFolder(folders, config.processedPath)
  const files = {
    ...{ blobs: services.blobs.ownedBy(principal), signal },
    maxBytes: services.limits.fileBytes,
  }
  const isScanned = (path: string): boolean =>
    (!config.useXMLMapping || /\.xml$/i.test(path)) &&
    (processed === undefined || !`${root}/${path}`.startsWith(`${processed}/`))
  return {
    entries: async function* (after, lines) {
      const onOther = (path: string, reason: string): void => {
        lines.push(`${path || '.'}: left out: ${reason}`)
      }
      for await (const entry of walk(root, { after, onOther }))
        if (!entry.isFolder && isScanned(entry.path)) yield entry
    },
    importEntry: (session, { path }, warn) =>
      importScanned(scan, path, { session, root, files, folders, warn }),
    ...(config.useXMLMapping && {
      settle: async (paths) => {
        for (const path of paths) await settleDescriptor(path, { root, processed })
      },
    }),
  }
}
