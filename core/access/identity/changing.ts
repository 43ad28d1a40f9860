import { type CoreEvent, notifyWithoutDocument } from '../../platform/events/index.js'
import type { IdentityChangeSession } from './rights.js'
import type { MemberKind } from './types.js'

/**
 * Runs a change of users and groups in one transaction of the main database, also in a session of another
 * repository: when a guard refuses it afterwards, the change is rolled back there too.
 */
export const changing = <Result>(
  session: IdentityChangeSession,
  work: (session: IdentityChangeSession) => Promise<Result>,
): Promise<Result> => {
  const { rules, passwords } = session.identities
  return session.identities.atomically((store) =>
    work({ ...session, identities: { ...store, rules, passwords } }),
  )
}

const STEPS = ['created', 'modified', 'deleted'] as const

/** Events of users and groups: only the product itself may fire them. */
export const IDENTITY_EVENTS: ReadonlySet<string> = new Set(
  (['user', 'group'] as const).flatMap((kind) => STEPS.map((step) => `${kind}_${step}`)),
)

/**
 * Writes an event about a user or group, in the transaction of the change (workflow-audit.md, events that are
 * logged): `user_created`, `group_deleted`, … with its name as the option `id`.
 */
export const emitIdentityEvent = async (
  session: IdentityChangeSession,
  kind: MemberKind,
  step: (typeof STEPS)[number],
  id: string,
): Promise<void> => {
  const event: CoreEvent = { event: `${kind}_${step}`, documentId: null, payload: { id } }
  await session.identities.emit(session.principal.name, [event])
  await notifyWithoutDocument(session, event)
}
