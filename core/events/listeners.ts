import type { Listener, Listeners } from './types.js'

/** Sorts listeners by event and priority (workflow-audit.md §7). */
export const createListeners = <Session>(
  listeners: readonly Listener<Session>[],
  onFailure: Listeners<Session>['onFailure'],
): Listeners<Session> => {
  const byEvent = new Map<string, Listener<Session>[]>()
  const sorted = [...listeners].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
  for (const listener of sorted) {
    for (const event of listener.events) byEvent.set(event, [...(byEvent.get(event) ?? []), listener])
  }
  return { of: (event) => byEvent.get(event) ?? [], onFailure }
}
