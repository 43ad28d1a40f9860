import type { Principal } from '../../../access/security/index.js'
import type { Session } from '../../../content/documents/index.js'
import { createDocumentReader, type DocumentReader, type TransientStore } from '../../language/index.js'

/** Who acts at a place of a run, beside the one who called it: the last that a chain has logged in. */
export type Acting = { stack: Principal[]; known: Map<Principal, Actor> }

type Actor = { session: Session; reader: DocumentReader }

type Place = Actor & {
  acting: Acting
  transient: TransientStore
  sessionAs(principal: Principal): Session
}

export const openActing = (): Acting => ({ stack: [], known: new Map() })

/** The same identities for a chain or a script of its own: what it changes of them ends with it. */
export const innerActing = ({ acting }: Pick<Place, 'acting'>): Acting => ({
  stack: [...acting.stack],
  known: acting.known,
})

/** The same identities on another way to the transaction. */
export const actingWithin = ({ acting }: Pick<Place, 'acting'>): Acting => ({
  stack: [...acting.stack],
  known: new Map(),
})

/** The session of who acts, and what reads documents with his rights. */
export const actorOf = (place: Place): Actor => {
  const { acting, session, reader, transient } = place
  const principal = acting.stack.at(-1)
  if (!principal) return { session, reader }
  const known = acting.known.get(principal)
  if (known) return known
  const own = place.sessionAs(principal)
  const actor = { session: own, reader: createDocumentReader(own, transient) }
  acting.known.set(principal, actor)
  return actor
}
