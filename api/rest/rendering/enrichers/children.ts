import { getChildren } from '../../../../core/content/documents/index.js'
import { plainDocumentsEntity } from '../../entities/index.js'
import { type Enricher, each } from './enricher.js'

/** All direct children, not paged, hidden and trashed ones included. */
export const children: Enricher = {
  name: 'children',
  enrich: each(async (document, { session, renderer }) => ({
    children: plainDocumentsEntity(await renderer.many(await getChildren(session, document))),
  })),
}
