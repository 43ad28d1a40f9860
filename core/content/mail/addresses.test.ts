import { expect, test } from 'vitest'
import { isAddress, transientAddress } from './addresses.js'

test.each([
  ['ann@example.com', true],
  ['Ann Lee <ann@example.com>', true],
  ['"Lee, Ann" <ann@example.com>', true],
  ['ann', false],
  ['', false],
  ['ann@example.com, bob@example.com', false],
  ['ann@example.com\r\nBcc: eve@example.com', false],
  ['Ann <ann>', false],
])('%j is an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected)
})

test.each([
  ['transient/ann@example.com', 'ann@example.com'],
  ['transient/ann@example.com/3f2a', 'ann@example.com'],
  ['transient/ann', undefined],
  ['ann@example.com', undefined],
])('%s has the address %s', (username, expected) => {
  expect(transientAddress(username)).toBe(expected)
})
