import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCurrency, forgetting, type Marks } from './currency.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const bench = () => {
  let marks: Marks = { contributions: '1', identities: '1', directories: '1' }
  const forgotten: string[] = []
  const errors: unknown[] = []
  const read = vi.fn(async () => marks)
  const follower = (kind: string) => forgetting(() => void forgotten.push(kind))
  const currency = createCurrency({
    store: { read },
    followers: {
      contributions: follower('contributions'),
      identities: follower('identities'),
      directories: follower('directories'),
    },
    onError: (error) => void errors.push(error),
    lookMs: 1_000,
  })
  const change = (changed: Partial<Marks>) => {
    marks = { ...marks, ...changed }
  }
  return { currency, forgotten, errors, read, change }
}

test('what has changed is forgotten, and nothing else', async () => {
  const { currency, forgotten, change } = bench()
  await currency.current()
  forgotten.length = 0
  await currency.current()
  expect(forgotten).toEqual([])
  change({ identities: '2' })
  await currency.current()
  expect(forgotten).toEqual(['identities'])
  currency.close()
})

test('a call never shares a look that began before it', async () => {
  const { currency, read } = bench()
  const first = currency.current()
  const [second, third] = [currency.current(), currency.current()]
  await Promise.all([first, second, third])
  expect(read).toHaveBeenCalledTimes(2)
  currency.close()
})

test('it looks by itself from time to time, also after a failure', async () => {
  const { currency, forgotten, errors, read, change } = bench()
  read.mockRejectedValueOnce(new Error('away'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(errors).toEqual([new Error('away')])
  change({ directories: '2' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(forgotten).toContain('directories')
  currency.close()
  const looks = read.mock.calls.length
  await vi.advanceTimersByTimeAsync(5_000)
  expect(read).toHaveBeenCalledTimes(looks)
})
