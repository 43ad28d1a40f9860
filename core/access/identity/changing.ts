import { type CoreEvent, notifyWithoutDocument } from '../../platform/events/index.js'
import type { IdentityChangeSession } from './rights.js'
import type { MemberKind } from './types.js'

/**
 * Runs a change of users and groups in one transaction of the main database, also in a session of another
 * repository: what a guard refuses after the change is then taken back there too.
 */
export const changing = <Result>(
  session: IdentityChangeSession,
  work: (session: IdentityChangeSession) => Promise<Result>,
): Promise<Result> => {
  const { rules } = session.identities
  return session.identities.atomically((store) => work({ ...session, identities: { ...store, rules } }))
}

const STEPS = ['created', 'modified', 'deleted'] as const

/** What alone tells of users and groups: nobody else may say that it has happened. */
export const IDENTITY_EVENTS: ReadonlySet<string> = new Set(
  (['user', 'group'] as const).flatMap((kind) => STEPS.map((step) => `${kind}_${step}`)),
)

/**
 * Tells what happened to a user or group, in the transaction of the change (workflow-audit.md, events that are
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
