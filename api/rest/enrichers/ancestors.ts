import type { DocumentRecord, Session } from '../../../core/documents/index.js'

/** Absolute paths of all ancestors, the root first; none of the root itself, and of what has no place. */
export const ancestorPaths = (path: string | null): string[] => {
  if (path === null || path === '/') return []
  const steps = path.split('/').filter((step) => step !== '')
  return ['/', ...steps.slice(0, -1).map((_, depth) => `/${steps.slice(0, depth + 1).join('/')}`)]
}

/** A session lasts as long as an answer: what lies above many documents of one page is read once. */
const readOf = new WeakMap<Session, Map<string, Promise<DocumentRecord | undefined>>>()

/** The document at the path of an ancestor, without a look at rights; read once for each session. */
export const readAncestor = (session: Session, path: string): Promise<DocumentRecord | undefined> => {
  const known = readOf.get(session) ?? new Map<string, Promise<DocumentRecord | undefined>>()
  readOf.set(session, known)
  const reading = known.get(path) ?? session.store.get(path)
  known.set(path, reading)
  return reading
}
