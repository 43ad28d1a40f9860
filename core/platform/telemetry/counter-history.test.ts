import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCounterHistory } from './counter-history.js'

const START = 1_700_000_000_000

const bench = () => {
  const registry = new Registry()
  const registers = [registry]
  const clock = { now: START }
  const history = createCounterHistory({
    now: () => clock.now,
    onError: (error) => {
      throw error
    },
  })
  history.follow(registry)
  return {
    clock,
    history,
    done: new Counter({ name: 'done_total', help: 'x', labelNames: ['kind'], registers }),
    time: new Histogram({ name: 'time_seconds', help: 'x', labelNames: ['kind'], registers }),
    open: new Gauge({ name: 'open', help: 'x', registers }),
  }
}

describe('the history of counters', () => {
  test('has values, what each adds, and the speed of the last interval', async () => {
    const { clock, history, done } = bench()
    await history.sample()
    done.inc({ kind: 'a' }, 4)
    clock.now += 5_000
    await history.sample()
    done.inc({ kind: 'b' }, 6)
    clock.now += 2_000
    expect(await history.read(['done_total'])).toEqual({
      done_total: {
        values: [
          [START + 5_000, 4],
          [START + 7_000, 10],
        ],
        deltas: [[START + 7_000, 6]],
        speed: 3,
      },
    })
  })

  test('shows what is measured how often and how much in all, and of no gauge', async () => {
    const { history, time, open } = bench()
    time.observe({ kind: 'a' }, 2)
    time.observe({ kind: 'b' }, 3)
    open.set(7)
    const read = await history.read(['time_seconds_count', 'time_seconds_sum', 'time_seconds', 'open'])
    expect(
      Object.entries(read).map(([name, { values }]) => [name, values.map(([, value]) => value)]),
    ).toEqual([
      ['time_seconds_count', [2]],
      ['time_seconds_sum', [5]],
      ['time_seconds', []],
      ['open', []],
    ])
  })

  test.each(['none', 'constructor', '__proto__'])('has no values of %s', async (name) => {
    const read = await bench().history.read([name])
    expect(Object.entries(read)).toEqual([[name, { values: [], deltas: [], speed: 0 }]])
  })

  test('keeps the last ten minutes, and no interval of a clock that does not move on', async () => {
    const { clock, history, done } = bench()
    done.inc(1)
    for (let count = 0; count < 130; count++) {
      await history.sample()
      clock.now += 5_000
    }
    clock.now -= 5_000
    const { values, deltas, speed } = (await history.read(['done_total'])).done_total!
    expect([values.length, deltas.length, speed]).toEqual([120, 119, 0])
    clock.now = START
    expect((await history.read(['done_total'])).done_total!.values).toEqual([[START, 1]])
  })
})

describe('the timer', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('samples every five seconds until it is stopped', async () => {
    const { clock, history, done } = bench()
    history.start()
    history.start()
    expect(vi.getTimerCount()).toBe(1)
    done.inc(2)
    await vi.advanceTimersByTimeAsync(5_000)
    clock.now += 5_000
    await vi.waitFor(async () =>
      expect((await history.read(['done_total'])).done_total!.values).toEqual([
        [START, 2],
        [START + 5_000, 2],
      ]),
    )
    history.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
