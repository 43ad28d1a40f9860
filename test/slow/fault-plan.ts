import { seededRandom } from '../support/random.js'
import { VICTIMS, type Victim } from './fault-stack.js'

export type Kill = {
  victim: Victim
  /** How far the work must be, from 0 to 1. */
  progress: number
  /** Waited after that, so that a kill may hit any statement of a transaction. */
  delayMs: number
}

/** Kills at random moments: every victim as often as the others, in an order and at moments of the seed's. */
export const planKills = (
  seed: number,
  { each, maxDelayMs, among = VICTIMS }: { each: number; maxDelayMs: number; among?: readonly Victim[] },
): Kill[] => {
  const random = seededRandom(seed)
  const victims = among.flatMap((victim) => Array.from({ length: each }, () => ({ victim, rank: random() })))
  const moments = victims.map(() => random()).sort((a, b) => a - b)
  return victims
    .sort((a, b) => a.rank - b.rank)
    .map(({ victim }, index) => ({ victim, progress: moments[index] ?? 1, delayMs: random() * maxDelayMs }))
}
