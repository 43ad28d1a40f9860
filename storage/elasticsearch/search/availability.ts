import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Principal } from '../../../core/access/security/index.js'
import type { IndexFeed, SearchedWords } from '../../../core/content/stores/index.js'
import { sharing } from '../../../core/platform/currency/index.js'
import { clientErrors } from '../engine/index.js'

/** How far an index may lag behind commits and still answer. */
const LAG_SECONDS = 30

/** How long a search waits for the engine, and how long it is left alone after it has failed, milliseconds. */
const WAIT_TIMEOUT_MS = 10_000
const PAUSE_MS = 5_000

/** What holds of an index until it is notified of more: it is remembered for so long. */
export type Known = {
  /** By text that was searched for. */
  words: Map<string, SearchedWords>
  /** Searches for values that were left out of the index, which have found none. */
  complete: Set<string>
}

/** Whether the index answers at a moment. */
export type Availability = {
  waitTimeoutMs: number
  /** The same as `live`, with what is known of the index as it is. */
  ready(principal: Pick<Principal, 'isAdministrator'>): Promise<{ index: string; known: Known } | undefined>
  /**
   * Name of the index to ask for somebody; undefined while there is none, it lags, or the engine is away. Nor for
   * whose rights count while something waits to be written to the index that changes what rights are looked up by.
   */
  live(principal: Pick<Principal, 'isAdministrator'>): Promise<string | undefined>
  /**
   * Undefined when the engine has failed, which is logged. Where it does not answer at all it is left alone for a
   * while; a search that was too much for it is no reason to keep others' from it.
   */
  trying<Result>(ask: () => Promise<Result>): Promise<Result | undefined>
}

export const createAvailability = (
  feed: IndexFeed,
  {
    isEnabled,
    isAlive,
    logger,
  }: {
    isEnabled: () => boolean
    /** Whether the engine answers what costs nothing. */
    isAlive: () => Promise<boolean>
    logger: Logger
  },
): Availability => {
  let pausedUntil = 0
  let remembered: { of: string; known: Known } | undefined
  const knownAt = (index: string, position: string | undefined): Known => {
    const of = `${index} ${position}`
    if (position !== undefined && remembered?.of === of) return remembered.known
    remembered = { of, known: { words: new Map(), complete: new Set() } }
    return remembered.known
  }
  // Searches that wait at the same time share one look, which begins after each of them was asked.
  const readiness = sharing(() => feed.readiness(LAG_SECONDS))
  const ready: Availability['ready'] = async ({ isAdministrator }) => {
    if (!isEnabled() || performance.now() < pausedUntil) return undefined
    const { live, isLate, isRegrouping, position } = await readiness()
    if (live === undefined || isLate || (isRegrouping && !isAdministrator)) return undefined
    return { index: live, known: knownAt(live, position) }
  }
  return {
    waitTimeoutMs: WAIT_TIMEOUT_MS,
    ready,
    live: async (principal) => (await ready(principal))?.index,
    trying: async (ask) => {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof clientErrors().ElasticsearchClientError)) throw error
        if (await isAlive()) {
          logger.warn(
            { reason: error.message },
            'a search has failed in the search engine; the database answers it',
          )
          return undefined
        }
        pausedUntil = performance.now() + PAUSE_MS
        logger.warn(
          { reason: error.message },
          'the search engine does not answer; the database answers searches',
        )
        return undefined
      }
    },
  }
}

/** How long a search waits that only the index can answer, and how often it looks, milliseconds. */
const WAIT_MS = 5_000
const LOOK_MS = 50

/** Name of the index to ask for somebody, as soon as it may answer; undefined where it does not in time. */
export const awaitLive = async (
  { live }: Availability,
  principal: Pick<Principal, 'isAdministrator'>,
): Promise<string | undefined> => {
  const endsAt = performance.now() + WAIT_MS
  for (;;) {
    const index = await live(principal)
    if (index !== undefined || performance.now() >= endsAt) return index
    await pause(LOOK_MS)
  }
}
