import type { DocumentRecord } from '../../../model/properties/index.js'
import type { AccessFacts } from '../../stores/index.js'
import type { Session } from '../session.js'
import { isHeldByFacts } from './access.js'
import { meetsPolicyQueries } from './policy-queries.js'

const keyOf = ({ aclId, type, facets, lifecycleState, lockOwner, isVersion }: AccessFacts): string =>
  JSON.stringify([aclId, type, facets, lifecycleState, lockOwner, isVersion])

const keep = async (
  permissions: readonly string[],
  isHeld: (permission: string) => Promise<boolean>,
): Promise<readonly string[]> => {
  const held = await Promise.all(permissions.map(isHeld))
  return permissions.filter((_, position) => held[position])
}

/**
 * Which of some permissions the session's principal has on each of some documents, in the order of both. Documents
 * of one folder mostly agree in what decides about rights: then the permissions are checked once.
 */
export const heldPermissions = async (
  session: Session,
  documents: readonly DocumentRecord[],
  permissions: readonly string[],
): Promise<(readonly string[])[]> => {
  const byFacts = new Map<string, Promise<readonly string[]>>()
  const heldByFacts = (document: AccessFacts): Promise<readonly string[]> => {
    const key = keyOf(document)
    const known = byFacts.get(key) ?? keep(permissions, (asked) => isHeldByFacts(session, document, asked))
    byFacts.set(key, known)
    return known
  }
  const hasQueries = session.permissions.policies.some(({ query }) => query !== null)
  return Promise.all(
    documents.map(async (document) => {
      const held = await heldByFacts(document)
      return hasQueries ? keep(held, (asked) => meetsPolicyQueries(session, document, asked)) : held
    }),
  )
}
