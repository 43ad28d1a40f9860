import type { CoreEvent } from '../../platform/events/index.js'

/** Events that are written with their cause, and relayed after its commit. */
export type Outbox = {
  emit(events: readonly CoreEvent[]): Promise<void>
}
