import { expect, it, vi } from 'vitest'
import { type CoreEvent, createListeners, type Listener } from './index.js'

const listener = (name: string, priority?: number): Listener<null, CoreEvent, null> => ({
  name,
  events: ['a', ...(name === 'both' ? ['b'] : [])],
  ...(priority !== undefined && { priority }),
  handle: async () => undefined,
})

it('gives listeners of an event by priority, equal ones as they were registered', () => {
  const { of } = createListeners(
    [listener('late', 5), listener('first'), listener('both'), listener('early', -1)],
    vi.fn(),
  )
  const names = (event: string) => of(event).map(({ name }) => name)
  expect(names('a')).toEqual(['early', 'first', 'both', 'late'])
  expect(names('b')).toEqual(['both'])
  expect(names('c')).toEqual([])
})
