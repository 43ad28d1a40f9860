import { expect, test } from 'vitest'
import { createDeliveryTurns, type Turn } from './delivery-turns.js'

const bench = () => {
  let time = 0
  const turns = createDeliveryTurns(() => time)
  return { take: turns.take, wait: (ms: number) => (time += ms) }
}

const end = (turn: Turn | undefined): void => {
  if (!turn || !('end' in turn)) throw new Error('has no place')
  turn.end()
}

const againIn = (turn: Turn): number => ('againInMs' in turn ? turn.againInMs : 0)

test('a webhook whose server does not answer leaves others their places', () => {
  const { take } = bench()
  const turns = Array.from({ length: 100 }, () => take('silent'))
  expect(turns.filter((turn) => 'end' in turn)).toHaveLength(5)
  expect('end' in take('other')).toBe(true)
})

test('all of them together have a bound', () => {
  const { take } = bench()
  const turns = Array.from({ length: 30 }, (_, index) => take(`webhook-${index}`))
  expect(turns.filter((turn) => 'end' in turn)).toHaveLength(20)
  end(turns[3])
  expect('end' in take('one more')).toBe(true)
})

test('those that find no place come again one after the other, at the speed of their server', () => {
  const { take, wait } = bench()
  const first = Array.from({ length: 5 }, () => take('slow'))
  wait(20_000)
  for (const turn of first) end(turn)
  for (let place = 0; place < 5; place++) take('slow')
  const again = Array.from({ length: 2_000 }, () => againIn(take('slow')))
  expect(again[0]).toBeGreaterThan(5_000)
  const between = again.slice(1, 900).map((ms, index) => ms - again[index]!)
  // Five at once, each of some 14 s by now.
  expect(Math.min(...between)).toBeGreaterThan(2_000)
  expect(Math.max(...between)).toBeLessThan(4_000)
  expect(Math.max(...again)).toBe(3_600_000)
})

test('a quick server gets what waits for it soon', () => {
  const { take, wait } = bench()
  for (let round = 0; round < 50; round++) {
    const turn = take('quick')
    wait(20)
    end(turn)
  }
  for (let place = 0; place < 5; place++) take('quick')
  const again = Array.from({ length: 500 }, () => againIn(take('quick')))
  expect(Math.max(...again)).toBeLessThan(8_000)
})
