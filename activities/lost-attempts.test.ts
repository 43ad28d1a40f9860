import { asyncLocalStorage, type Context } from '@temporalio/activity'
import { expect, test } from 'vitest'
import { endingLostAttempts } from './lost-attempts.js'

const controller = () => {
  const created = new AbortController()
  return { signal: created.signal, abort: () => created.abort(new Error('given up')) }
}

/** What Temporal keeps of an activity: the attempt, and the details of the last heartbeat. */
const createActivity = ({ isLocal = false } = {}) => {
  const kept: { attempt: number; details: unknown; isGivenUp: boolean } = {
    ...{ attempt: 0, details: undefined, isGivenUp: false },
  }
  return {
    kept,
    attempt: <Result>(work: (report: (details: object) => void) => Promise<Result>): Promise<Result> => {
      kept.attempt++
      const info = { attempt: kept.attempt, isLocal, heartbeatDetails: kept.details }
      const { signal: cancellationSignal, abort } = controller()
      const heartbeat = (details: unknown) => {
        if (kept.isGivenUp) abort()
        else kept.details = details
      }
      const context = { info, heartbeat, cancellationSignal } as unknown as Context
      return asyncLocalStorage.run(context, () => endingLostAttempts(work))
    },
  }
}

const begins = () => {
  let begun: () => void = () => undefined
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  return { begun: () => begun(), beginning }
}

/** An attempt of which nothing more is heard; it ends later, when nobody listens. */
const lose = async (activity: ReturnType<typeof createActivity>, reported?: object) => {
  const { begun, beginning } = begins()
  let end: () => void = () => undefined
  const attempt = activity.attempt(async (report) => {
    if (reported) report(reported)
    begun()
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  await Promise.race([beginning, attempt])
  const { details } = activity.kept
  end()
  await attempt
  activity.kept.details = details
}

const done = async () => 'done'

test('work is ended before an attempt that ten others were lost with', async () => {
  const activity = createActivity()
  // The first is not counted.
  for (let attempt = 1; attempt <= 11; attempt++) await lose(activity)
  await expect(activity.attempt(done)).rejects.toMatchObject({
    code: 'timeout',
    retryable: false,
    message: expect.stringMatching(/^10 workers/),
  })
})

test('attempts that end by themselves are none, and do not hide those that were lost', async () => {
  const activity = createActivity()
  const away = new Error('the database is away')
  const failed = () => Promise.reject(away)
  for (let attempt = 1; attempt <= 3; attempt++) {
    await lose(activity)
    await expect(activity.attempt(failed)).rejects.toBe(away)
    await expect(activity.attempt(failed)).rejects.toBe(away)
  }
  // One of the three was the first.
  expect(activity.kept.details).toEqual({ lost: 2 })
})

test('the count goes along with what is reported', async () => {
  const activity = createActivity()
  await lose(activity)
  await lose(activity, { position: 3, total: 9 })
  expect(activity.kept.details).toEqual({ lost: 1 })
  await expect(
    activity.attempt(async (report) => {
      report({ position: 4, total: 9 })
      throw new Error('ended')
    }),
  ).rejects.toThrow('ended')
  expect(activity.kept.details).toEqual({ position: 4, total: 9, lost: 1 })
})

test('work that has lost several attempts is done alone, and is not lost while it waits', async () => {
  const [one, two, fresh] = [createActivity(), createActivity(), createActivity()]
  for (const activity of [one, two]) for (let attempt = 1; attempt <= 6; attempt++) await lose(activity)
  const { begun, beginning } = begins()
  let end: () => void = () => undefined
  const first = one.attempt(async () => {
    begun()
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  await beginning
  let isBegun = false
  const second = two.attempt(async () => {
    isBegun = true
  })
  expect(await fresh.attempt(done)).toBe('done')
  expect(await fresh.attempt(done)).toBe('done')
  expect(isBegun).toBe(false)
  expect([one.kept.details, two.kept.details]).toEqual([{ lost: 6 }, { lost: 5 }])
  end()
  await Promise.all([first, second])
  expect(isBegun).toBe(true)
})

test('an attempt that was given up before it began does nothing', async () => {
  const activity = createActivity()
  await lose(activity)
  activity.kept.isGivenUp = true
  let isBegun = false
  const attempt = activity.attempt(async () => {
    isBegun = true
  })
  await expect(attempt).rejects.toThrow('given up')
  expect(isBegun).toBe(false)
})

test('local activities, of which no heartbeat is kept, are not counted', async () => {
  const activity = createActivity({ isLocal: true })
  for (let attempt = 1; attempt <= 15; attempt++) await lose(activity)
  expect(await activity.attempt(done)).toBe('done')
})
