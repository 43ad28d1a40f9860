import {
  type EventHandlers,
  eventHandlersPoint,
  eventHandlersRegistry,
  hearsFrom,
  type NamedHandler,
} from '../core/automation/events/index.js'
import type { Platform } from '../runtime/index.js'

/** Who is told of what happens after the commit. */
export type Hearing = Pick<EventHandlers, 'postCommit'> & {
  /** The mark behind which a handler is told of events. */
  from(handler: NamedHandler): string
}

/**
 * Looks up who is told, with everything that any process has deployed before the call: asked after some events were
 * read, it knows every handler that was deployed before they happened.
 */
export const createHearing = ({ store, feed, snapshots }: Platform['deployed']): (() => Promise<Hearing>) => {
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
        return [name, hearsFrom(versions, { handler, configured: configuredOf(name) })] as const
      })
      known = { postCommit, marks: new Map(await Promise.all(marks)) }
    }
    const { marks } = known
    return { postCommit, from: ({ name }) => marks.get(name) ?? '' }
  }
}
