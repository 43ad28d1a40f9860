import { type ContributionVersion, NO_MARK } from '../../platform/contributions/index.js'
import type { Subscription } from './subscriptions.js'

type Version = Pick<ContributionVersion, 'mark' | 'content' | 'isDeleted'>

/** What a handler waits for, as a text of it says so. */
const waitsFor = (content: unknown): string => {
  const { events, postCommit, async: isAsync } = (content ?? {}) as { [field: string]: unknown }
  return JSON.stringify([events, postCommit === true || isAsync === true])
}

const isInForce = ({ isDeleted, content }: Version): boolean => {
  const { enabled = true, remove = false } = (content ?? {}) as { enabled?: unknown; remove?: unknown }
  return !isDeleted && enabled === true && remove !== true
}

/**
 * The mark after which a handler is subscribed to what happens after the commit: events whose transaction has begun later
 * than it was deployed. Deploying it again, with other filters or another chain, loses no event that is still to come;
 * for other events, or after it was away, it begins again.
 *
 * @param versions of the handler that is in force, newest first.
 * @param configured what the configuration's files say of it, where it has always been.
 */
export const subscribedSince = (
  versions: readonly Version[],
  {
    handler,
    configured,
  }: {
    handler: Pick<Subscription, 'events' | 'postCommit'>
    configured: Pick<Subscription, 'events' | 'postCommit'> | undefined
  },
): string => {
  const newest = waitsFor(versions[0]?.content)
  const end = versions.findIndex((version) => !isInForce(version) || waitsFor(version.content) !== newest)
  const wasConfigured = configured !== undefined && waitsFor(configured) === waitsFor(handler)
  if (end === -1 && wasConfigured) return NO_MARK
  return versions.at(end === -1 ? -1 : end - 1)?.mark ?? NO_MARK
}
