import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { principalOf } from '../../core/access/security/index.js'
import type { RequestContext } from './environment.js'
import { inListTurn } from './list-turns.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const contextOf = (name: string, outgoing = { destroyed: false }) =>
  ({ env: { outgoing }, get: () => principalOf(name, [], name === 'root') }) as unknown as RequestContext

test('the lists of one user leave a place to others, and are not read for who has gone', async () => {
  const ends: (() => void)[] = []
  const begun: string[] = []
  const ask = (name: string, outgoing?: { destroyed: boolean }) =>
    inListTurn(contextOf(name, outgoing), () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const connection = { destroyed: false }
  const asked = [ask('ann'), ask('ann'), ask('ann')]
  const gone = expect(ask('ann', connection)).rejects.toThrow('has closed the connection')
  const next = ask('ann')
  const refused = expect(ask('ann')).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 1 })
  asked.push(next, ask('bob'), ask('root'))
  await vi.advanceTimersByTimeAsync(1)
  expect(begun.toSorted()).toEqual(['ann', 'ann', 'ann', 'bob', 'root'])
  connection.destroyed = true
  ends[0]!()
  ends[3]!()
  await vi.advanceTimersByTimeAsync(1)
  await gone
  expect(begun.slice(5)).toEqual(['ann'])
  await vi.advanceTimersByTimeAsync(10_000)
  await refused
  for (const end of ends) end()
  await Promise.all(asked)
})
