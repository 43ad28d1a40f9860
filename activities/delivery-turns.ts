/** Deliveries of a worker at once: to one webhook, and to all. One whose server does not answer leaves the others theirs. */
const OF_ONE = 5
const OF_ALL = 20

/** Milliseconds between which a delivery that found no place comes again. */
const SOONEST = 5_000
const LATEST = 3_600_000

/** What a delivery is taken to last before one has ended, and the share of the last one in the average of all. */
const FIRST_MS = 1_000
const SHARE = 0.2

type Line = { underWay: number; averageMs: number; nextAt: number }

/** The place of a delivery, or when to ask for one again, milliseconds from now. */
export type Turn = { end(): void } | { againInMs: number }

export type DeliveryTurns = { take(webhook: string): Turn }

/**
 * Places for deliveries. Those that find none come again one after the other, as quickly as those before them end: a long
 * line that came again all at once would take the worker from everybody else.
 *
 * @param now milliseconds.
 */
export const createDeliveryTurns = (now: () => number = () => performance.now()): DeliveryTurns => {
  const lines = new Map<string, Line>()
  let underWay = 0

  const lineOf = (webhook: string): Line => {
    const line = lines.get(webhook) ?? { underWay: 0, averageMs: FIRST_MS, nextAt: 0 }
    lines.set(webhook, line)
    return line
  }

  return {
    take: (webhook) => {
      const line = lineOf(webhook)
      const at = now()
      if (line.underWay >= OF_ONE || underWay >= OF_ALL) {
        line.nextAt = Math.max(line.nextAt, at + SOONEST) + line.averageMs / OF_ONE
        return { againInMs: Math.min(line.nextAt - at, LATEST) }
      }
      line.underWay++
      underWay++
      return {
        end: () => {
          line.underWay--
          underWay--
          line.averageMs += SHARE * (now() - at - line.averageMs)
        },
      }
    },
  }
}
