import { fail } from '../../core/platform/errors/index.js'
import { createOwnerQuota } from '../../core/platform/limits/index.js'
import { outgoingOf, type RequestContext } from '../edge/index.js'

/** Downloads at a time of one user, and of all: each keeps a file open, and has a MiB in memory. */
const PLACES = { each: 100, all: 1_000 }

/** Seconds after which a client may try again. */
const LATER = 1

const quota = createOwnerQuota(PLACES)

/**
 * Counts a download of the caller until its response has ended.
 *
 * @throws tooManyRequests when too many are under way.
 */
export const beginDownload = (c: RequestContext): void => {
  const outgoing = outgoingOf(c)
  if (!outgoing) return
  const { name } = c.get('principal')
  const release = quota.take(name)
  if (!release)
    throw fail('tooManyRequests', `User ${name}, or this server, has too many downloads under way`, {
      retryAfter: LATER,
    })
  outgoing.once('close', release)
}
