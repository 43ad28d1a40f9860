import type { RelayedEvent } from '../../core/content/stores/index.js'
import type { createOutboxRelay } from '../../storage/postgres/index.js'
import type { Follow } from './follow-repositories.js'

/** Events of one transaction. */
const PAGE = 200

/** Milliseconds between two times that events which nobody wants are passed over. */
const SKIP_MS = 5_000

type Outbox = ReturnType<typeof createOutboxRelay>

/**
 * Follows an outbox while somebody wants its events, and passes over them while nobody does.
 *
 * @property isWanted by what this process knows: asked before each look, as it costs nothing, so that the first who wants
 * them does not wait for the end of a long pause.
 * @property isUnwanted by what is deployed at this moment, asked before events are passed over.
 * @property look does what is to be done for some events; returns for how many, the first of them.
 * @property lookMs between two looks, unless the first brought a whole page.
 */
export const followOutbox = (
  outbox: Outbox,
  {
    isWanted,
    isUnwanted,
    look,
    lookMs,
  }: {
    isWanted(): boolean
    isUnwanted(): Promise<boolean>
    look(events: readonly RelayedEvent[]): Promise<number>
    lookMs: number
  },
): Follow => {
  let skipAt = 0
  const next = async (): Promise<number> => {
    let done = 0
    const count = await outbox.next(PAGE, async (events) => {
      done = await look(events)
      return done
    })
    return count === PAGE && done > 0 ? 0 : lookMs
  }
  return async () => {
    if (isWanted()) return next()
    if (performance.now() >= skipAt) {
      await outbox.skip(isUnwanted)
      skipAt = performance.now() + SKIP_MS
    }
    return lookMs
  }
}
