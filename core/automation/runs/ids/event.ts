/** Prefix of the ids of runs of event handlers. */
export const EVENT_PREFIX = 'event-'

/**
 * The id of the run that an event starts for a handler. The engine takes an id once, so that each event starts each
 * handler's chain once, however often it is read.
 *
 * @param event `repository`: absent for the default one; `id`: that of the outbox.
 */
export const eventRunId = (
  { repository, id }: { repository: string | undefined; id: number },
  handler: string,
): string => `${EVENT_PREFIX}${repository === undefined ? '' : `${repository}-`}${id}-${handler}`
