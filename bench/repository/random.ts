import { seededRandom } from '../../test/support/random.js'

/** Random choices from a seed, so that two runs measure the same documents. */
export type Chance = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Whether an event of a probability from 0 to 1 happens. */
  happens(probability: number): boolean
}

export const createChance = (seed: number): Chance => {
  const next = seededRandom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    happens: (probability) => next() < probability,
  }
}
