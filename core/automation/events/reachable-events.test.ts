import { expect, test } from 'vitest'
import type { EventHandler } from './event-handlers-point.js'
import { subscribedSince } from './reachable-events.js'

const handlerOf = (events: string[], more: object = {}) =>
  ({ events, postCommit: true, ...more }) as EventHandler

type Version = { mark: string; content: object; isDeleted: boolean }
const version = (
  mark: string,
  content: object = { events: ['a'], postCommit: true },
  isDeleted = false,
): Version => ({
  mark,
  content,
  isDeleted,
})
const A = { events: ['a'], postCommit: true }

test.each<[string, Version[], EventHandler | undefined, string]>([
  ['of a file: always', [], handlerOf(['a']), ''],
  ['deployed: from then on', [version('3')], undefined, '3'],
  [
    'deployed again: from the first time',
    [version('3', { ...A, doctype: 'File' }), version('2', A)],
    undefined,
    '2',
  ],
  ['taken away between', [version('5'), version('4', A, true), version('3')], undefined, '5'],
  [
    'switched off between',
    [version('5'), version('4', { ...A, enabled: false }), version('3')],
    undefined,
    '5',
  ],
  ['removed between', [version('5'), version('4', { remove: true }), version('3')], undefined, '5'],
  ['with other events before', [version('5'), version('4', { ...A, events: ['b'] })], undefined, '5'],
  ['in the transaction before', [version('5'), version('4', { ...A, postCommit: false })], undefined, '5'],
  ['over one of a file', [version('3', { ...A, doctype: 'File' })], handlerOf(['a']), ''],
  [
    'over one of a file that was switched off',
    [version('3'), version('2', { enabled: false })],
    handlerOf(['a']),
    '3',
  ],
  ['over one of a file with other events', [version('3')], handlerOf(['b']), '3'],
])('a handler %s', (_, versions, configured, mark) => {
  expect(subscribedSince(versions, { handler: handlerOf(['a']), configured })).toBe(mark)
})
