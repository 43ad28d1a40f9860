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

/** Those that the session's principal has on each document, but for what policies demand by queries. */
export const heldByFacts = (
  session: Session,
  documents: readonly DocumentRecord[],
  permissions: readonly string[],
): Promise<(readonly string[])[]> => {
  const byFacts = new Map<string, Promise<readonly string[]>>()
  return Promise.all(
    documents.map((document) => {
      const key = keyOf(document)
      const held = byFacts.get(key) ?? keep(permissions, (asked) => isHeldByFacts(session, document, asked))
      byFacts.set(key, held)
      return held
    }),
  )
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
  const held = await heldByFacts(session, documents, permissions)
  if (session.permissions.policies.every(({ query }) => query === null)) return held
  return Promise.all(
    documents.map((document, position) =>
      keep(held[position]!, (asked) => meetsPolicyQueries(session, document, asked)),
    ),
  )
}
