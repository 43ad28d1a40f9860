import { ServiceError } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createPresence } from './presence.js'

const away = Object.assign(new ServiceError('away'), { code: 14, details: '', metadata: {} })

const bench = () => {
  let answer: 'there' | 'away' = 'there'
  const asked: string[] = []
  const respond = async (what: string): Promise<void> => {
    asked.push(what)
    if (answer === 'away') throw away
  }
  const { check, interceptors } = createPresence(() => respond('check'))
  const [interceptor] = interceptors
  return {
    check,
    asked,
    set: (state: typeof answer) => {
      answer = state
    },
    start: (error?: Error): Promise<unknown> =>
      interceptor!.startWithDetails!({} as never, async () => {
        if (error) throw error
        await respond('start')
        return { runId: 'run', eagerlyStarted: false }
      }),
  }
}

test('a start asks nothing while all goes well, and first once a start or a check has failed', async () => {
  for (const failing of ['start', 'check'] as const) {
    const { check, start, asked, set } = bench()
    await start()
    set('away')
    await expect(failing === 'start' ? start() : check()).rejects.toBe(away)
    await Promise.all([1, 2, 3].map(() => expect(start()).rejects.toBe(away)))
    set('there')
    await start()
    await start()
    expect(asked).toEqual(['start', failing, 'check', 'check', 'start', 'start'])
  }
})

test('a start that Temporal refuses says nothing of the connection', async () => {
  const { start, asked } = bench()
  await expect(start(new Error('refused'))).rejects.toThrow('refused')
  await start()
  expect(asked).toEqual(['start'])
})

test('a start waits for a check that is under way', async () => {
  let refuse = (_: Error): void => undefined
  const { check, interceptors } = createPresence(
    () =>
      new Promise((_, reject) => {
        refuse = reject
      }),
  )
  const checked = expect(check()).rejects.toBe(away)
  const started = interceptors[0]!.startWithDetails!({} as never, async () => {
    throw new Error('the connection was tried')
  })
  refuse(away)
  await expect(started).rejects.toBe(away)
  await checked
})
