import type { Principal } from '../../../access/security/index.js'
import type { Session } from '../../../content/documents/index.js'
import {
  createDocumentReader,
  type DocumentReader,
  type OperationServices,
  type TransientStore,
} from '../../language/index.js'

/**
 * Who acts at a place of a run, beside the one who called it: the last that a chain has logged in.
 *
 * `given`: how many of them the product itself has let act, before any chain, which gives none of these back;
 * `hasLoggedIn`: whether the chain or script has let others act.
 */
export type Acting = {
  stack: Principal[]
  given: number
  known: Map<Principal, Actor>
  hasLoggedIn: boolean
}

type Actor = { session: Session; reader: DocumentReader; services: OperationServices }

type Place = Actor & {
  acting: Acting
  transient: TransientStore
  sessionAs(principal: Principal): Session
}

/** @param principal who acts in place of the caller. */
export const openActing = (principal?: Principal): Acting => {
  const stack = principal ? [principal] : []
  return { stack, given: stack.length, known: new Map(), hasLoggedIn: false }
}

/** The same identities for a chain or a script of its own: what it changes of them ends with it. */
export const innerActing = ({ acting }: Pick<Place, 'acting'>): Acting => ({
  ...acting,
  stack: [...acting.stack],
  hasLoggedIn: false,
})

/** The same identities on another way to the transaction. */
export const actingWithin = ({ acting }: Pick<Place, 'acting'>): Acting => ({
  ...innerActing({ acting }),
  known: new Map(),
})

/** Goes on as who acts at the end of what has been done on another way to the transaction. */
export const goOnAs = ({ acting }: Pick<Place, 'acting'>, { stack, hasLoggedIn }: Acting): void => {
  acting.stack.splice(0, acting.stack.length, ...stack)
  acting.hasLoggedIn ||= hasLoggedIn
}

/** Whether somebody else than the caller acts: what callers give is not looked up there. */
export const isForOthers = ({ acting }: Pick<Place, 'acting'>): boolean => acting.stack.length > 0

/** Whether the product itself has let act who acts here. */
export const isOfProduct = ({ acting }: Pick<Place, 'acting'>): boolean =>
  acting.given > 0 && !isLoggedIn({ acting })

/** Whether a chain has logged somebody in who acts here. */
export const isLoggedIn = ({ acting }: Pick<Place, 'acting'>): boolean => acting.stack.length > acting.given

/** Whether variables are of who acts: of the caller, or of the product. */
export const mayStandIn = ({ acting }: Pick<Place, 'acting'>): boolean =>
  acting.given > 0 || acting.stack.length === 0

/** The services, whose files belong to whoever acts. */
export const ownedBy = (owner: Principal, services: OperationServices): OperationServices => ({
  ...services,
  blobs: { ...services.blobs, ...services.blobs.ownedBy(owner) },
})

/** The session of who acts, what reads documents with his rights, and the services that he uses. */
export const actorOf = (place: Place): Actor => {
  const { acting, session, reader, services, transient } = place
  const principal = acting.stack.at(-1)
  if (!principal) return { session, reader, services }
  const known = acting.known.get(principal)
  if (known) return known
  const own = place.sessionAs(principal)
  const actor = {
    session: own,
    // A chain cannot know where a text comes from: what it names is for its caller to see.
    reader: createDocumentReader(own, transient, isLoggedIn(place) ? reader : undefined),
    services: ownedBy(own.principal, services),
  }
  acting.known.set(principal, actor)
  return actor
}
