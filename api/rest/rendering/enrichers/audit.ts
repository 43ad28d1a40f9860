import { documentHistory, logEntriesEntity } from '../../../../core/search/audit/index.js'
import { type Enricher, each } from './enricher.js'

/** As many as a page of a document shows beside it (rest-documents.md §6). */
const ENTRIES = 10

/** What has happened to the document last, newest first. */
export const audit: Enricher = {
  name: 'audit',
  enrich: each(async (document, { session }) => {
    const page = await documentHistory(session, document, { pageSize: ENTRIES, named: {} })
    return { audit: logEntriesEntity(page).entries }
  }),
}
