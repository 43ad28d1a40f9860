import type { CoreEvent, Listener, Listeners } from './types.js'

/** Sorts listeners by event and priority (workflow-audit.md §7). */
export const createListeners = <Session, Event extends CoreEvent, Changes>(
  listeners: readonly Listener<Session, Event, Changes>[],
  onFailure: Listeners<Session, Event, Changes>['onFailure'],
): Listeners<Session, Event, Changes> => {
  const byEvent = new Map<string, Listener<Session, Event, Changes>[]>()
  const sorted = [...listeners].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
  for (const listener of sorted) {
    for (const event of listener.events) byEvent.set(event, [...(byEvent.get(event) ?? []), listener])
  }
  return { of: (event) => byEvent.get(event) ?? [], onFailure }
}
