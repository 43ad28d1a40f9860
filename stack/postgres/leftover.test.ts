import { expect, test } from 'vitest'
import { parsePostmaster } from './leftover.js'

const text = (status: string): string => `4321\n/data\n1700000000\n5433\n\n127.0.0.1\n  5001  32\n${status}\n`

test.each([
  ['a server that takes connections', text('ready   '), { pid: 4321, port: 5433, isReady: true }],
  ['one that is starting', text('starting'), { pid: 4321, port: 5433, isReady: false }],
  [
    'one whose file is not whole yet',
    '4321\n/data\n1700000000\n5433\n',
    { pid: 4321, port: 5433, isReady: false },
  ],
  ['one in single-user mode', '-4321\n/data\n1700000000\n5433\n', { pid: 4321, port: 5433, isReady: false }],
  ['an empty file', '', undefined],
  ['something else', 'hello\n', undefined],
])('reads the lock file of %s', (_, content, expected) => {
  expect(parsePostmaster(content)).toEqual(expected)
})
