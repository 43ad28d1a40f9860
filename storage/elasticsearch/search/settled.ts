import { setTimeout as pause } from 'node:timers/promises'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { IndexFeed, QueryBackend } from '../../../core/content/stores/index.js'
import type { Availability } from './availability.js'

const LOOK_MS = 50

/** Waits until the index has been told of what is committed, unless the repository answers searches in its place. */
export const createSettled =
  (feed: IndexFeed, availability: Availability): QueryBackend['settled'] =>
  async (timeoutMs) => {
    const endsAt = performance.now() + timeoutMs
    const mark = await feed.mark()
    for (;;) {
      const live = await availability.live(SYSTEM)
      if (!live || (await feed.isPast(live, mark))) return true
      if (performance.now() >= endsAt) return false
      await pause(LOOK_MS)
    }
  }
