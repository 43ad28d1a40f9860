import { expect, test } from 'vitest'
import { isPolled } from './worker-polls.js'

const NOW = 1_700_000_000_000

const polledAgo = (...ages: number[]) =>
  ages.map((age) => ({ lastAccessTime: { seconds: NOW / 1000 - age } })) as never

test.each([
  ['none', undefined, false],
  ['one in its long poll', polledAgo(60), true],
  ['one that died and is remembered', polledAgo(75, 290), false],
  ['a dead one beside a live one', polledAgo(290, 1), true],
  ['one of which no time is known', [{}] as never, false],
])('a queue with %s', (_case, pollers, expected) => {
  expect(isPolled(pollers, NOW)).toBe(expected)
})
