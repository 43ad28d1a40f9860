import {
  bulkStatusEntity,
  type DocumentEntity,
  documentEntity,
  documentsEntity,
  valueEntity,
} from '../../server/index.js'
import { printable, printableLine, tableOf } from '../../terminal/index.js'

const documentRow = ({ uid, path, title }: DocumentEntity): string[] => [uid, path, title ?? '']

const json = (value: unknown): string[] => printable(JSON.stringify(value, null, 2)).split('\n')

/** The value of a result as lines: documents by uid, path and title; a text as it is; all else as JSON. */
export const entityLines = (entity: unknown): string[] => {
  const document = documentEntity.safeParse(entity)
  if (document.success) return tableOf([documentRow(document.data)])
  const documents = documentsEntity.safeParse(entity)
  if (documents.success) return tableOf(documents.data.entries.map(documentRow))
  const value = valueEntity.safeParse(entity)
  if (!value.success) return json(entity)
  return typeof value.data.value === 'string' ? [printable(value.data.value)] : json(value.data.value)
}

/** A note that these documents are one page of more. */
export const pagingNote = (entity: unknown): string | undefined => {
  const documents = documentsEntity.safeParse(entity)
  if (!documents.success) return undefined
  const { entries, resultsCount = entries.length } = documents.data
  return resultsCount > entries.length ? `${entries.length} of ${resultsCount} documents` : undefined
}

/** How to follow the command whose status a result is. */
export const commandNote = (entity: unknown): string | undefined => {
  const status = bulkStatusEntity.safeParse(entity)
  if (!status.success) return undefined
  return printableLine(`Follow it: archivolt status --watch bulk-${status.data.value.commandId}`)
}
