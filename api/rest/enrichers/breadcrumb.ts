import { type DocumentRecord, keepReadable } from '../../../core/documents/index.js'
import { plainDocumentsEntity } from '../documents-entity.js'
import { ancestorPaths, readAncestor } from './ancestors.js'
import type { Enricher } from './enricher.js'

/** From the root to the document itself, as far as the caller may read them. */
export const breadcrumb: Enricher = {
  name: 'breadcrumb',
  enrich: async ({ document, session, renderer }) => {
    const found = await Promise.all(ancestorPaths(document.path).map((path) => readAncestor(session, path)))
    const ancestors = found.filter((ancestor): ancestor is DocumentRecord => ancestor !== undefined)
    const visible = await keepReadable(session, ancestors)
    return { breadcrumb: plainDocumentsEntity(await renderer.many([...visible, document])) }
  },
}
