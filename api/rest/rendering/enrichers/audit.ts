import { hasPermission } from '../../../../core/content/documents/index.js'
import { documentHistory, logEntriesEntity } from '../../../../core/search/audit/index.js'
import { type Enricher, each } from './enricher.js'

/** As many as a page of a document shows beside it (rest-documents.md §6). */
const ENTRIES = 10

/** What has happened to the document last, newest first; left out where it may not be read. */
export const audit: Enricher = {
  name: 'audit',
  enrich: each(async (document, { session }) => {
    if (!(await hasPermission(session, document, 'Read'))) return {}
    const page = await documentHistory(session, document, { pageSize: ENTRIES, named: {} })
    return { audit: logEntriesEntity(page).entries }
  }),
}
