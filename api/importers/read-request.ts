import type { z } from 'zod'
import type { BulkImportRequest } from '../../core/automation/folder-imports/index.js'
import { isImportable } from '../../core/content/folder-import/index.js'
import type { Platform } from '../../runtime/index.js'
import type { runQuery } from './importers.schema.js'

const MAX_BATCH = 1_000

/** @returns what is to be imported, or why nothing can be. */
export const readImportRequest = (
  query: z.infer<typeof runQuery>,
  { settings, snapshot }: Pick<Platform, 'settings' | 'snapshot'>,
): BulkImportRequest | string => {
  const { inputPath, targetPath, leafType = 'File', folderishType = 'Folder' } = query
  if (inputPath === undefined) return 'missing inputPath'
  if (targetPath === undefined) return 'missing targetPath'
  if (settings.importFolders.length === 0)
    return 'inputPath: this server imports no folders; set ARCHIVOLT_IMPORT_FOLDERS'
  if (!isImportable(settings.importFolders, inputPath))
    return `inputPath: ${inputPath} is not below a folder of ARCHIVOLT_IMPORT_FOLDERS`
  const { types } = snapshot().model
  const unknown = Object.entries({ leafType, folderishType }).find(([, type]) => !types.has(type))
  if (unknown) return `${unknown[0]}: unknown document type ${unknown[1]}`
  const batchSize = Number(query.batchSize ?? '5')
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_BATCH)
    return `batchSize: must be a whole number from 1 to ${MAX_BATCH}, not ${query.batchSize}`
  const hasContainer = query.skipRootContainerCreation !== true
  return { inputPath, targetPath, leafType, folderishType, hasContainer, batchSize }
}
