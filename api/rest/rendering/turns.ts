import type { Principal } from '../../../core/access/security/index.js'
import { createFairSemaphore, tooManyAtOnce } from '../../../core/platform/limits/index.js'

/** Documents from which a list takes a turn. */
const LONG = 20

/** Long lists that are rendered at a time, and how long one waits for its turn, milliseconds. */
const turns = createFairSemaphore({ places: 4, waitTimeoutMs: 10_000 })

const tooMany = tooManyAtOnce('lists of documents')

/**
 * Renders a list; a long one in its turn, so that the lists of one user hold up nobody else. Administrators take what they need.
 *
 * @throws tooManyRequests when no turn comes in time, and what rendering throws.
 */
export const inTurn = <Rendered>(
  { name, isAdministrator }: Pick<Principal, 'name' | 'isAdministrator'>,
  documents: number,
  render: () => Promise<Rendered>,
): Promise<Rendered> => (isAdministrator || documents < LONG ? render() : turns.within(name, render, tooMany))
