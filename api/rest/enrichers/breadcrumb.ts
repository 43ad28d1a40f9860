import { type DocumentRecord, keepReadable } from '../../../core/documents/index.js'
import { plainDocumentsEntity } from '../documents-entity.js'
import type { Enricher } from './enricher.js'

/** Absolute paths of all ancestors, the root first. */
const ancestorPaths = (path: string): string[] => {
  const steps = path.split('/').filter((step) => step !== '')
  return ['/', ...steps.slice(0, -1).map((_, depth) => `/${steps.slice(0, depth + 1).join('/')}`)]
}

/** From the root to the document itself, as far as the caller may read them. */
export const breadcrumb: Enricher = {
  name: 'breadcrumb',
  enrich: async ({ document, session, renderer }) => {
    const paths = document.path === null || document.path === '/' ? [] : ancestorPaths(document.path)
    const found = await Promise.all(paths.map((path) => session.store.get(path)))
    const ancestors = found.filter((ancestor): ancestor is DocumentRecord => ancestor !== undefined)
    const visible = await keepReadable(session, ancestors)
    return { breadcrumb: plainDocumentsEntity(await renderer.many([...visible, document])) }
  },
}
