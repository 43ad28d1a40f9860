import type { Principal } from '../../../access/security/index.js'
import { getDocument, type Session } from '../../../content/documents/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import type { RunSearch } from '../runs.js'
import type { RunsFilter } from './types.js'

/** Runs are indexed by the reference that their callers sent, an id or a path: both forms are searched. */
const namesOf = async (session: Session, name: string | undefined): Promise<string[] | undefined> => {
  if (name === undefined) return undefined
  try {
    const { id, path } = await getDocument(session, name)
    return [...new Set([name, id, ...(path === null ? [] : [path])])]
  } catch (error) {
    if (isArchivoltError(error) && error.code === 'notFound') return [name]
    throw error
  }
}

/** The user whose runs are requested; ordinary users see their own. */
const ownerOf = (principal: Principal, user: string | undefined): string | undefined => {
  if (principal.isAdministrator) return user
  if (user !== undefined && user !== principal.name)
    throw fail('forbidden', 'user: only administrators may list the runs of other users')
  return principal.name
}

/** @throws forbidden for the runs of another user. */
export const filterOf = async (
  session: Session,
  { user, document, ...filter }: RunSearch,
): Promise<RunsFilter> => ({
  ...filter,
  principal: ownerOf(session.principal, user),
  documentIds: await namesOf(session, document),
})
