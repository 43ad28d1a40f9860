import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTurn } from './turns.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const person = (name: string, isAdministrator = false) => ({ name, isAdministrator })

test('the long lists of one user leave a place to others, and wait for their turn', async () => {
  const ends: (() => void)[] = []
  const begun: string[] = []
  const ask = (name: string, documents = 1_000, isAdministrator = false) =>
    inTurn(person(name, isAdministrator), documents, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const asked = Array.from({ length: 5 }, () => ask('ann'))
  const refused = expect(asked[4]).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 1 })
  const waited = [...asked.slice(0, 4), ask('bob'), ask('root', 1_000, true), ask('ann', 5)]
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['ann', 'ann', 'ann', 'bob', 'root', 'ann'])
  ends[0]!()
  ends[3]!()
  await vi.advanceTimersByTimeAsync(1)
  expect(begun.slice(6)).toEqual(['ann'])
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  for (const end of ends) end()
  await Promise.all(waited)
})
