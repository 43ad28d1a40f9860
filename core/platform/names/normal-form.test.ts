import { expect, test } from 'vitest'
import { computingTime } from '../../../test/support/computing-time.js'
import { normalForm } from './index.js'

test('a text in a normal form is the same text', () => {
  expect(normalForm('NFC', 'Cre\u0300me bru\u0302le\u0301e')).toBe('Crème brûlée')
  expect(normalForm('NFD', 'é')).toBe('e\u0301')
  expect(normalForm('NFKC', 'ﬁ\u00a0x')).toBe('fi x')
})

test('a run of a million marks takes no time of note', () => {
  const text = `a${'\u0301\u0316'.repeat(500_000)}`
  expect(computingTime(() => normalForm('NFKD', text))).toBeLessThan(2_000)
  expect(normalForm('NFC', text).length).toBeLessThan(40)
})
