import { expect, test } from 'vitest'
import { describeFailure, isDiskFull, StackFailure } from './failure.js'

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [withCode('ENOSPC', 'write'), true],
  [withCode('EDQUOT', 'write'), true],
  ['PANIC:  could not write to file "pg_wal/x": No space left on device', true],
  ['database or disk is full (13)', true],
  [withCode('EACCES', 'open'), false],
  ['ready', false],
])('knows a full disk by %s: %s', (error, expected) => {
  expect(isDiskFull(error)).toBe(expected)
})

test.each([
  ['a known reason', new StackFailure('Port 1 is taken.'), /^Port 1 is taken\.$/],
  ['a full disk', withCode('ENOSPC', 'write'), /^The disk that holds \/home\/a is full: .*ARCHIVOLT_HOME/],
  [
    'a closed folder',
    withCode('EACCES', "mkdir '/home/a'"),
    /^The folder \/home\/a cannot be written .*ARCHIVOLT_HOME/,
  ],
  ['anything else whole', new TypeError('x is not a function'), /TypeError: x is not a function\n\s+at /],
])('reports %s', (_, error, expected) => {
  expect(describeFailure(error, '/home/a')).toMatch(expected)
})
