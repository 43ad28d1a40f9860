import {
  labelOf,
  type Subscription,
  type Subscriptions,
  subscribedSince,
  subscriptionsRegistry,
} from '../../core/automation/events/index.js'
import type { Platform } from '../../runtime/index.js'

/** The handlers and listeners that run after a commit, as deployed at one moment. */
export type HandlerSnapshot = Pick<Subscriptions, 'postCommit'> & {
  /** The mark after which one subscribes to events. */
  from(subscription: Subscription): string
}

/**
 * Looks up the handlers and listeners, with everything that any process has deployed before the call: called after some
 * events were read, it knows all that were deployed before they happened.
 */
export const createHandlerSnapshots = ({
  store,
  feed,
  snapshots,
}: Platform['deployed']): (() => Promise<HandlerSnapshot>) => {
  const { postCommit: configured } = snapshots.configured.get(subscriptionsRegistry)
  const configuredOf = (label: string): Subscription | undefined =>
    [...configured.values()].flat().find((subscription) => labelOf(subscription) === label)
  let known: { postCommit: Subscriptions['postCommit']; marks: ReadonlyMap<string, string> } | undefined

  return async () => {
    const { postCommit } = snapshots.of(await feed.current()).get(subscriptionsRegistry)
    if (known?.postCommit !== postCommit) {
      const handlers = new Map([...postCommit.values()].flat().map((each) => [labelOf(each), each]))
      const marks = [...handlers].map(async ([label, handler]) => {
        const versions = await store.versions(handler.point, handler.name)
        return [label, subscribedSince(versions, { handler, configured: configuredOf(label) })] as const
      })
      known = { postCommit, marks: new Map(await Promise.all(marks)) }
    }
    const { marks } = known
    return { postCommit, from: (subscription) => marks.get(labelOf(subscription)) ?? '' }
  }
}
