import { requireAtomic } from '../../../platform/errors/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import type { Session } from '../session.js'

/**
 * To be called as a change begins: loops of whatever kind end there, with the time that their transaction may hold what it
 * has changed. A change that has begun takes as long as it needs, of a large subtree, too.
 *
 * @throws timeout
 */
export const throwIfOver = ({ over }: Pick<Session, 'over'>): void => {
  if (over) throwIfStopped(over)
}

/** The same for a change that is several writes. */
export const beginChange = (session: Pick<Session, 'isAtomic' | 'over'>): void => {
  requireAtomic(session)
  throwIfOver(session)
}
