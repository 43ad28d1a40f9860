/** Prefix of the ids of runs of event handlers. */
export const EVENT_PREFIX = 'event-'

/** The extension point whose names stand alone. */
const HANDLERS = 'eventHandlers'

/**
 * The id of the run that an event starts for a handler or a listener. The engine takes an id once, so that each event
 * starts each of them once, however often it is read.
 *
 * @param event `repository`: absent for the default one; `id`: that of the outbox.
 */
export const eventRunId = (
  { repository, id }: { repository: string | undefined; id: number },
  { point, name }: { point: string; name: string },
): string => {
  const place = repository === undefined ? '' : `${repository}-`
  return `${EVENT_PREFIX}${place}${id}-${name}${point === HANDLERS ? '' : `@${point}`}`
}
