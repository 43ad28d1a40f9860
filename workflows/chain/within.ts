import { ApplicationFailure, CancellationScope, sleep } from '@temporalio/workflow'
import type { RunPlace } from '../../activities/types.js'

/** Of the error table, as activities fail with it. */
const tooLong = (target: string, seconds: number): ApplicationFailure =>
  ApplicationFailure.create({
    message: `${target} lasted longer than its ${seconds} seconds, and was ended; what it has committed stays`,
    type: 'timeout',
    nonRetryable: true,
    details: [{ code: 'timeout', status: 504, details: [] }],
  })

/**
 * Ends work of several transactions that lasts longer than it may.
 *
 * @param seconds absent: as long as it takes, which leaves nothing in the history.
 * @param work gets the time at which it is to be over: a cancellation reaches it with its next task, after what it does in this one.
 * @throws ApplicationFailure of the type `timeout`.
 */
export const within = async <Result>(
  { target, seconds }: { target: string; seconds: number | undefined },
  work: (limit: Pick<RunPlace, 'endsAt'>) => Promise<Result>,
): Promise<Result> => {
  if (seconds === undefined) return work({})
  const endsAt = Date.now() + Math.ceil(seconds * 1000)
  const timing = new CancellationScope()
  const working = new CancellationScope()
  let isOver = false
  const waiting = timing.run(() => sleep(Math.ceil(seconds * 1000)))
  waiting.then(
    () => {
      isOver = true
      working.cancel()
    },
    () => undefined,
  )
  try {
    return await working.run(() => work({ endsAt }))
  } catch (error) {
    throw isOver || Date.now() >= endsAt ? tooLong(target, seconds) : error
  } finally {
    timing.cancel()
  }
}
