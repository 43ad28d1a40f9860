import { expect, test } from 'vitest'
import { sharedLength } from './types.js'

test('many who ask at once how much a store holds share one look at it, and later ones look again', async () => {
  let looks = 0
  const usedBytes = sharedLength({
    list: async function* () {
      looks += 1
      yield { key: 'a', length: 3, keptBytes: 3 }
      yield { key: 'b', length: 4, keptBytes: 0 }
    },
  })
  expect(await Promise.all(Array.from({ length: 50 }, usedBytes))).toEqual(Array(50).fill(7))
  expect(looks).toBe(1)
  await usedBytes()
  expect(looks).toBe(2)
})
