import { expect, test } from 'vitest'
import { createSwitch } from './switch.js'

test('one line says that the index is switched off, and one that it is on again', () => {
  const lines: string[] = []
  let isOn = true
  const isEnabled = createSwitch(() => isOn, { info: ((line: string) => lines.push(line)) as never })
  expect([isEnabled(), lines]).toEqual([true, []])
  isOn = false
  expect([isEnabled(), isEnabled(), lines]).toEqual([
    false,
    false,
    [expect.stringContaining('the database answers all queries')],
  ])
  isOn = true
  expect([isEnabled(), isEnabled()]).toEqual([true, true])
  expect(lines).toHaveLength(2)
})
