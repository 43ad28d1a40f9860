import {
  type EventHandlers,
  eventHandlersPoint,
  eventHandlersRegistry,
  type NamedHandler,
  subscribedSince,
} from '../../core/automation/events/index.js'
import type { Platform } from '../../runtime/index.js'

/** The handlers that run after a commit, as deployed at one moment. */
export type HandlerSnapshot = Pick<EventHandlers, 'postCommit'> & {
  /** The mark after which a handler subscribes to events. */
  from(handler: NamedHandler): string
}

/**
 * Looks up the handlers, with everything that any process has deployed before the call: called after some events were
 * read, it knows every handler that was deployed before they happened.
 */
export const createHandlerSnapshots = ({
  store,
  feed,
  snapshots,
}: Platform['deployed']): (() => Promise<HandlerSnapshot>) => {
  const { postCommit: configured } = snapshots.configured.get(eventHandlersRegistry)
  const configuredOf = (name: string): NamedHandler | undefined =>
    [...configured.values()].flat().find((handler) => handler.name === name)
  let known: { postCommit: EventHandlers['postCommit']; marks: ReadonlyMap<string, string> } | undefined

  return async () => {
    const { postCommit } = snapshots.of(await feed.current()).get(eventHandlersRegistry)
    if (known?.postCommit !== postCommit) {
      const handlers = new Map([...postCommit.values()].flat().map((handler) => [handler.name, handler]))
      const marks = [...handlers].map(async ([name, handler]) => {
        const versions = await store.versions(eventHandlersPoint.point, name)
        return [name, subscribedSince(versions, { handler, configured: configuredOf(name) })] as const
      })
      known = { postCommit, marks: new Map(await Promise.all(marks)) }
    }
    const { marks } = known
    return { postCommit, from: ({ name }) => marks.get(name) ?? '' }
  }
}
