import { keepReadable, type Session } from '../../../../core/content/documents/index.js'
import type { DocumentRecord } from '../../../../core/model/properties/index.js'

/** Absolute paths of all ancestors, the root first; none for the root itself, or for a document without a path. */
export const ancestorPaths = (path: string | null): string[] => {
  if (path === null || path === '/') return []
  const steps = path.split('/').filter((step) => step !== '')
  return ['/', ...steps.slice(0, -1).map((_, depth) => `/${steps.slice(0, depth + 1).join('/')}`)]
}

/** The ancestors of some documents that the caller may read, by path; of those, the wanted ones. */
export const readableAncestors = async (
  session: Session,
  documents: readonly DocumentRecord[],
  isWanted: (path: string) => boolean = () => true,
): Promise<ReadonlyMap<string | null, DocumentRecord>> => {
  const paths = new Set(documents.flatMap(({ path }) => ancestorPaths(path).filter(isWanted)))
  const ancestors = await keepReadable(session, await session.stores.documents.getByPaths([...paths]))
  return new Map(ancestors.map((ancestor) => [ancestor.path, ancestor]))
}
