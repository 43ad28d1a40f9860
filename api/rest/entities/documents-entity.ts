import { type DocumentPage, pagingFields } from '../../../core/content/documents/index.js'
import type { DocumentEntity } from './document-entity.js'

export type DocumentsEntity = { 'entity-type': 'documents'; entries: readonly DocumentEntity[] }

/** A list without paging fields (rest-documents.md §2). */
export const plainDocumentsEntity = (entries: readonly DocumentEntity[]): DocumentsEntity => ({
  'entity-type': 'documents',
  entries,
})

/** Further fields of a page; undefined ones are omitted. */
export type PageExtras = {
  isSortable?: boolean
  aggregations?: object | undefined
  quickFilters?: readonly { name: string; active: boolean }[] | undefined
}

/** A page with all paging fields. */
export const documentsEntity = <Entry>(
  page: Omit<DocumentPage, 'entries'>,
  entries: readonly Entry[],
  { isSortable = true, aggregations, quickFilters }: PageExtras = {},
): Omit<DocumentsEntity, 'entries'> & { entries: readonly Entry[] } => {
  return {
    'entity-type': 'documents',
    ...{
      ...pagingFields(page, { shown: entries.length, isSortable }),
      ...(aggregations && { aggregations }),
      ...(quickFilters && { quickFilters }),
    },
    entries,
  }
}
