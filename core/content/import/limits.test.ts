import { expect, test } from 'vitest'
import { requireModest } from './limits.js'

const MIB = 1024 ** 2

const entries = (...lengths: number[]) => lengths.map((length) => ({ length }))

test.each<[what: string, lengths: number[], packed: number]>([
  ['what packs well and is small', [60 * MIB], 1],
  ['what is large and packs as texts do', [600 * MIB], 10 * MIB],
  ['nothing', [], 0],
])('%s is modest', (_, lengths, packed) => {
  expect(() => requireModest(entries(...lengths), { bytes: 1024 * MIB, packed })).not.toThrow()
})

test.each<[what: string, lengths: number[], packed: number, message: RegExp]>([
  [
    'more than there may be',
    [600 * MIB, 500 * MIB],
    900 * MIB,
    /unpacks to 1153433600 bytes, of 1073741824 at most/,
  ],
  ['a bomb', [300 * MIB], MIB, /more than 200 times its bytes/],
  [
    'entries that share their bytes',
    Array<number>(100).fill(7 * MIB),
    3 * MIB,
    /more than 200 times its bytes/,
  ],
])('%s is refused', (_, lengths, packed, message) => {
  const isRefused = expect.objectContaining({ code: 'tooLarge', message: expect.stringMatching(message) })
  let thrown: unknown
  try {
    requireModest(entries(...lengths), { bytes: 1024 * MIB, packed })
  } catch (error) {
    thrown = error
  }
  expect(thrown).toEqual(isRefused)
})
