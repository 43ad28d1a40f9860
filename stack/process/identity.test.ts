import { expect, test } from 'vitest'
import { isRunning, parseProcStat, processIdentity } from './identity.js'

const FIELDS = 'S 1 10 10 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 424242 1000 200'

test.each([
  ['a plain command', `10 (node) ${FIELDS}`],
  ['a command with blanks and brackets', `10 (a) b (c) ${FIELDS}`],
])('reads state and start of %s', (_, text) => {
  expect(parseProcStat(text)).toEqual({ state: 'S', startTicks: '424242' })
})

test('a process is known by its id and its start, never by its id alone', () => {
  const identity = processIdentity(process.pid)!
  expect(identity).toBe(processIdentity(process.pid))
  expect(isRunning({ pid: process.pid, identity })).toBe(true)
  expect(isRunning({ pid: process.pid, identity: 'an earlier process' })).toBe(false)
})

test('a process that does not exist has no identity', () => {
  expect(processIdentity(2 ** 30)).toBeUndefined()
})
