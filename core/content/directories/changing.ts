import type { DirectorySession } from './backends/backend.js'

/**
 * Runs changes of directories in one transaction of the main database, also in a session of another repository:
 * all of them are done, or none.
 */
export const changingDirectories = <OfSession extends DirectorySession, Result>(
  session: OfSession,
  work: (session: OfSession) => Promise<Result>,
): Promise<Result> => {
  const { registry, store } = session.directories
  return store.atomically((inside) => work({ ...session, directories: { registry, store: inside } }))
}
