import { fail } from '../errors/index.js'

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Lets so much work run at once and so much wait for its turn, in order.
 *
 * @throws unavailable when as many are waiting as may; the work is then not begun.
 */
export const createTurns = ({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Turns => {
  const waiting: (() => void)[] = []
  let running = 0

  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= maxWaiting)
      throw fail('unavailable', 'Too many passwords are being checked at this moment')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The turn goes to the next one, who counts as running from the same moment on. */
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
